import { href } from 'react-router';
export type Screen = { to: string; title: string /** What else it may be looked for by. */; words: string };

/** Where the console can be gone to by name; what is done most often stands first. */
export const screens: readonly Screen[] = [
  { to: href('/admin/orders/new'), title: 'New phone order', words: 'whatsapp call create add' },
  { to: href('/admin/kitchen'), title: 'Kitchen sheet', words: 'make cook production print' },
  { to: href('/admin/dashboard'), title: 'Dashboard', words: 'home sales revenue today' },
  { to: href('/admin/orders'), title: 'Orders', words: 'list parcels' },
  { to: `${href('/admin/orders')}?todo=unconfirmed`, title: 'Orders to confirm', words: 'pending new' },
  { to: `${href('/admin/orders')}?todo=pack-today`, title: 'Orders to pack today', words: 'packing ship' },
  { to: `${href('/admin/orders')}?todo=to-collect`, title: 'Payments to collect', words: 'orders unpaid due cash' },
  { to: href('/admin/orders/refunds'), title: 'Refunds due', words: 'orders refund failed overdue money' },
  {
    to: `${href('/admin/orders/refunds')}?shown=finished`,
    title: 'Sent refunds',
    words: 'orders refunded money utr reference',
  },
  { to: href('/admin/orders/claims'), title: 'Claims', words: 'complaints tickets damaged missing problems refunds' },
  { to: href('/admin/products'), title: 'Products', words: 'catalogue sweets prices offers' },
  { to: href('/admin/products/new'), title: 'New product', words: 'add sweet create' },
  { to: href('/admin/products/import'), title: 'Import products', words: 'csv upload file' },
  { to: href('/admin/customers'), title: 'Customers', words: 'people buyers' },
  { to: href('/admin/customers/reviews'), title: 'Reviews', words: 'ratings comments stars' },
  { to: href('/admin/inventory'), title: 'Inventory', words: 'stock low shelf' },
  { to: href('/admin/inventory/count'), title: 'Stock count', words: 'inventory counting' },
  { to: `${href('/admin/inventory')}?show=movements`, title: 'Stock movements', words: 'inventory wastage' },
  { to: href('/admin/vendors'), title: 'Vendors', words: 'suppliers' },
  { to: `${href('/admin/vendors')}?tab=purchases`, title: 'Purchase orders', words: 'vendors buying' },
  { to: href('/admin/purchases/new'), title: 'New purchase order', words: 'vendors buy create' },
  { to: `${href('/admin/vendors')}?tab=to-pay`, title: 'Bills to pay', words: 'vendors overdue owed payables' },
  { to: href('/admin/expenses'), title: 'Expenses', words: 'costs rent salaries' },
  { to: `${href('/admin/expenses')}?open=new`, title: 'New expense', words: 'add cost create' },
  { to: href('/admin/expenses/profit'), title: 'Profit and loss', words: 'statement month close' },
  { to: href('/admin/expenses/gst'), title: 'GST', words: 'tax returns hsn' },
  { to: href('/admin/offers'), title: 'Offers', words: 'coupons codes discounts promotions free delivery' },
  { to: href('/admin/greetings'), title: 'Greetings', words: 'festival banner slides carousel testimonials' },
  { to: `${href('/admin/settings')}?tab=shop`, title: 'Business details', words: 'settings address fssai gstin shop' },
  {
    to: `${href('/admin/settings')}?tab=delivery`,
    title: 'Delivery settings',
    words: 'zones pincodes shipping rates holidays',
  },
  { to: `${href('/admin/settings')}?tab=categories`, title: 'Categories', words: 'settings products colours sections' },
  { to: `${href('/admin/settings')}?tab=boxes`, title: 'Boxes to fill', words: 'settings own box sizes sweets pieces' },
  { to: `${href('/admin/settings')}?tab=couriers`, title: 'Couriers', words: 'settings shipping tracking delivery' },
  { to: `${href('/admin/settings')}?tab=search`, title: 'Search words', words: 'settings synonyms' },
  { to: href('/admin/log'), title: 'Activity log', words: 'audit changes history' },
  { to: href('/admin/log/security'), title: 'Logins and access', words: 'security log sessions' },
];

const wordsIn = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Screens of which every typed word begins a word: of their name, and of what else they are looked for by. */
export function screensFor(typed: string): { named: Screen[]; related: Screen[] } {
  const wanted = wordsIn(typed);
  const isIn = (text: string) =>
    wanted.length > 0 && wanted.every((word) => wordsIn(text).some((one) => one.startsWith(word)));
  const begins = ({ title }: Screen) => title.toLowerCase().startsWith(wanted.join(' '));
  const named = screens.filter(({ title }) => isIn(title));
  return {
    named: [...named.filter(begins), ...named.filter((screen) => !begins(screen))],
    related: screens.filter((screen) => !named.includes(screen) && isIn(`${screen.title} ${screen.words}`)),
  };
}
