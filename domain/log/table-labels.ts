import { foodMarkLabels } from '../catalog/food-mark.ts';
import { paymentTitles } from '../orders/payment-status.ts';

/** A screen of the console, which knows its address: of one thing by its number, or of all. */
export type LogPage =
  | 'product'
  | 'stock'
  | 'order'
  | 'customer'
  | 'vendor'
  | 'purchase'
  | 'greetings'
  | 'expenses'
  | 'profit'
  | 'shop'
  | 'delivery'
  | 'search'
  | 'categories'
  | 'couriers'
  | 'boxes'
  | 'claim'
  | 'offers';

/** How the log speaks of a table: what a row is called, where it can be seen, and what its columns are called. */
export type TableLabels = {
  kind: string;
  one: string;
  /** Where the thing that the entry is about is shown. */
  page?: LogPage;
  fields?: Readonly<Record<string, string>>;
  /** Columns in rupees. */
  money?: readonly string[];
  /** Columns in grams, said in kilograms. */
  grams?: readonly string[];
  /** Columns in grams or pieces. */
  stock?: readonly string[];
  /** What is stored in a column, in the words of the screens. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const address = {
  delivery_name: 'Name',
  delivery_phone: 'Phone',
  delivery_building_no: 'Building',
  delivery_street: 'Street',
  delivery_city: 'City',
  delivery_state: 'State',
  delivery_zip: 'Pincode',
};
const published = { is_published: 'Published', position: 'Position' };

export const tableLabels: Readonly<Record<string, TableLabels>> = {
  Products: {
    kind: 'Products',
    one: 'product',
    page: 'product',
    money: ['Price', 'regular_price'],
    fields: {
      isavailable: 'Available',
      hasSize: 'Sold by weight',
      offer_percent: 'Offer (%)',
      regular_price: 'Regular price',
      gst_percent: 'GST rate (%)',
      hsn: 'HSN',
      weight_grams: 'Weight (g)',
      food_mark: 'Veg or non-veg',
      maker: 'Made by',
      shelf_life_days: 'Shelf life (days)',
      is_listed: 'In the shop',
      archived_at: 'Archived',
      combo: 'Combo pack',
      taste: 'Taste',
      travel: 'How it travels',
    },
    values: { food_mark: foodMarkLabels },
  },
  product_costs: {
    kind: 'Products',
    one: 'unit cost',
    page: 'product',
    money: ['unit_cost'],
    fields: { valid_from: 'From' },
  },
  product_pictures: {
    kind: 'Products',
    one: 'picture',
    page: 'product',
    fields: { image: 'Picture', alt: 'What it shows', position: 'Position' },
  },
  stock_levels: {
    kind: 'Stock',
    one: 'stock',
    page: 'stock',
    stock: ['low_at', 'on_hand', 'reserved'],
    fields: { low_at: 'Reorder level' },
  },
  stock_movements: { kind: 'Stock', one: 'movement', page: 'stock', fields: { was_reserved: 'Reserved' } },
  stock_counts: { kind: 'Stock', one: 'stock count', fields: { applied_at: 'Saved' } },
  orders: {
    kind: 'Orders',
    one: 'order',
    page: 'order',
    money: ['sub_total', 'discount', 'tax', 'shipping_charge', 'total_amount'],
    values: {
      status: { canceled: 'Cancelled' },
      payment_status: paymentTitles,
      offline_method: { cash: 'Cash', upi: 'UPI', card: 'Card', bank: 'Bank transfer' },
      canceled_goods: { stock: 'stock', wastage: 'waste' },
    },
    fields: {
      ...address,
      payment_status: 'Payment',
      canceled_goods: 'Cancelled goods go to',
      cancel_reason: 'Reason for cancelling',
      tracking_url: 'Tracking link',
      delivery_by: 'Arrives by',
      deliver_on: 'Delivery day',
      pack_on: 'To pack on',
      missed_day: 'Missed delivery day',
      offline_method: 'Payment mode',
      sub_total: 'Goods',
      discount: 'Discount',
      offers: 'Offers',
      shipping_charge: 'Shipping',
      total_amount: 'Total',
    },
  },
  order_notes: { kind: 'Orders', one: 'note', page: 'order' },
  order_link_revocations: { kind: 'Orders', one: 'stop of its tracking links', page: 'order' },
  refunds: {
    kind: 'Orders',
    one: 'refund',
    page: 'order',
    fields: {
      due_on: 'Due on',
      finished_at: 'Sent in full',
      method: 'Paid back by',
      paid_on: 'Paid back on',
      reference: 'Reference',
    },
    values: {
      status: { queued: 'Waiting', pending: 'With the provider', processed: 'Refunded', failed: 'Failed' },
      method: { cash: 'Cash', upi: 'UPI', card: 'Card', bank: 'Bank transfer' },
    },
  },
  outbox: { kind: 'Orders', one: 'mail', page: 'order' },
  customer_records: {
    kind: 'Customers',
    one: 'customer',
    page: 'customer',
    fields: { blocked_at: 'Blocked', blocked_reason: 'Reason for the block' },
  },
  erasures: { kind: 'Customers', one: 'erasure' },
  comments: { kind: 'Reviews', one: 'review', page: 'customer', fields: { hidden_at: 'Hidden' } },
  greetings: {
    kind: 'Greetings and slides',
    one: 'greeting',
    page: 'greetings',
    fields: { ...published, starts_at: 'Start', ends_at: 'End', has_fireworks: 'Fireworks' },
  },
  caurousel: {
    kind: 'Greetings and slides',
    one: 'slide',
    page: 'greetings',
    fields: { ...published, background_img: 'Picture', buttonaction: 'Button link', buttontitle: 'Button' },
  },
  testimonials: { kind: 'Greetings and slides', one: 'testimonial', page: 'greetings', fields: published },
  vendors: {
    kind: 'Vendors and purchases',
    one: 'vendor',
    page: 'vendor',
    fields: {
      gstin: 'GSTIN',
      fssai_number: 'FSSAI number',
      payment_terms_days: 'Payment terms (days)',
      archived_at: 'Archived',
    },
  },
  vendor_bills: {
    kind: 'Vendors and purchases',
    one: 'bill',
    page: 'vendor',
    money: ['goods', 'gst', 'adjustment', 'amount'],
    fields: { gst: 'GST', billed_on: 'Bill date', due_on: 'Due', canceled_at: 'Cancelled' },
  },
  vendor_payments: {
    kind: 'Vendors and purchases',
    one: 'payment',
    page: 'vendor',
    money: ['amount'],
    fields: { undone_at: 'Reversed', mode: 'Payment mode' },
  },
  purchase_orders: {
    kind: 'Vendors and purchases',
    one: 'purchase order',
    page: 'purchase',
    fields: { ordered_at: 'Ordered', expected_on: 'Expected', received_at: 'Received' },
  },
  purchase_order_items: {
    kind: 'Vendors and purchases',
    one: 'purchase order item',
    page: 'purchase',
    money: ['unit_cost'],
    fields: { received_quantity: 'Received', gst_percent: 'GST rate (%)', unit_cost: 'Price' },
  },
  purchase_receipts: {
    kind: 'Vendors and purchases',
    one: 'goods receipt',
    page: 'purchase',
    fields: { undone_at: 'Reversed', received_at: 'Received' },
  },
  purchase_receipt_items: { kind: 'Vendors and purchases', one: 'received line' },
  expenses: {
    kind: 'Expenses',
    one: 'expense',
    page: 'expenses',
    money: ['amount', 'gst_amount'],
    fields: {
      spent_on: 'Day',
      gst_amount: 'GST included',
      payment_mode: 'Payment mode',
      receipt_path: 'Receipt',
      repeats: 'Repeats',
    },
  },
  month_closings: {
    kind: 'Expenses',
    one: 'month',
    page: 'profit',
    fields: { reopened_at: 'Reopened', reopen_reason: 'Reason' },
  },
  shop_settings: {
    kind: 'Shop',
    one: 'shop setting',
    page: 'shop',
    money: ['cart_flat_charge'],
    grams: ['cart_zone_from_grams'],
    values: { cart_shipping: { flat: 'a flat amount', zone: 'zone rate' } },
    fields: {
      fssai_number: 'FSSAI number',
      gstin: 'GSTIN',
      email: 'Email',
      whatsapp_number: 'WhatsApp number',
      instagram_url: 'Instagram',
      facebook_url: 'Facebook',
      grievance_email: 'Grievance officer’s email',
      grievance_phone: 'Grievance officer’s phone',
      grievance_hours: 'Grievance officer’s hours',
      cutoff_time: 'Cut-off time',
      weekly_off: 'Weekly off days',
      cart_shipping: 'Delivery charge for carts',
      cart_flat_charge: 'Flat delivery charge for carts',
      cart_zone_from_grams: 'Weight from which the zone rate applies',
    },
  },
  closures: {
    kind: 'Shop',
    one: 'closure',
    page: 'delivery',
    fields: { starts_on: 'First day', ends_on: 'Last day' },
  },
  festival_cutoffs: {
    kind: 'Shop',
    one: 'festival cut-off',
    page: 'delivery',
    fields: { starts_on: 'First day', ends_on: 'Last day', order_by: 'Order by', zone_id: 'Zone' },
  },
  search_synonyms: {
    kind: 'Shop',
    one: 'group of search words',
    page: 'search',
  },
  categories: {
    kind: 'Products',
    one: 'category',
    page: 'categories',
    fields: { position: 'Place in the row', is_fixed: 'Fixed' },
  },
  offers: {
    kind: 'Shop',
    one: 'offer',
    page: 'offers',
    fields: {
      code: 'Code',
      name: 'Name',
      kind: 'Kind',
      percent: 'Percent',
      amount_paise: 'Amount',
      max_discount_paise: 'Maximum discount',
      min_order_paise: 'Minimum order',
      categories: 'Categories',
      is_first_order_only: 'First order only',
      max_uses: 'Uses in total',
      max_uses_per_customer: 'Uses per customer',
      budget_paise: 'Budget',
      starts_at: 'From',
      ends_at: 'Until',
      combines: 'Combines',
      stopped_at: 'Stopped',
    },
  },
  box_sizes: {
    kind: 'Products',
    one: 'box to fill',
    page: 'boxes',
    money: ['price'],
    fields: {
      places: 'Places',
      price: 'Price of the empty box',
      weight_grams: 'Weight of the empty box (g)',
      is_listed: 'Listed',
    },
  },
  box_sweets: {
    kind: 'Products',
    one: 'sweet for boxes',
    page: 'boxes',
    fields: { piece_grams: 'Weight of one piece (g)', piece_image: 'Picture of one piece' },
  },
  claims: {
    kind: 'Claims',
    one: 'claim',
    page: 'claim',
    fields: {
      state: 'State',
      decision: 'Decision',
      acknowledged_at: 'Acknowledged',
      decided_at: 'Decided',
      settle_by: 'To be done by',
    },
    values: {
      state: { received: 'Received', acknowledged: 'Acknowledged', decided: 'Decided' },
      decision: { refund: 'Refund', replacement: 'Replacement', refusal: 'Refused' },
    },
  },
  claim_messages: {
    kind: 'Claims',
    one: 'answer to a claim',
    page: 'order',
    fields: { words: 'Text', from_shop: 'From the shop', at: 'Time' },
  },
  replacements: {
    kind: 'Claims',
    one: 'replacement',
    page: 'claim',
    fields: {
      state: 'State',
      made_at: 'Made',
      sent_at: 'Sent',
      delivered_at: 'Delivered',
      courier: 'Courier',
      tracking_number: 'Tracking number',
      tracking_url: 'Tracking link',
    },
    values: { state: { 'to-send': 'To send', sent: 'Sent', delivered: 'Delivered' } },
  },
  couriers: {
    kind: 'Shop',
    one: 'courier',
    page: 'couriers',
    fields: { tracking_pattern: 'Tracking address' },
  },
  delivery_zones: {
    kind: 'Shop',
    one: 'delivery zone',
    page: 'delivery',
    money: ['first_kg_charge', 'extra_kg_charge'],
    fields: {
      pincode_prefixes: 'Pincode prefixes',
      first_kg_charge: 'First kg',
      extra_kg_charge: 'Each additional kg',
      min_days: 'Minimum days',
      max_days: 'Maximum days',
      ...published,
    },
  },
};

/** From a column's or a table's own name: is_gift_wrapped becomes Gift wrapped. */
export function plainName(name: string): string {
  const words = name
    .replace(/^(is|has)_/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const labelsOf = (table: string): TableLabels =>
  (Object.hasOwn(tableLabels, table) && tableLabels[table]) || {
    kind: plainName(table),
    one: plainName(table).toLowerCase(),
  };

/** The kinds of things in these tables, each with its tables, by name. */
export function kindsIn(tables: readonly string[]): { kind: string; tables: string[] }[] {
  const kinds = Map.groupBy(tables, (table) => labelsOf(table).kind);
  return [...kinds].map(([kind, members]) => ({ kind, tables: members })).sort((a, b) => a.kind.localeCompare(b.kind));
}
