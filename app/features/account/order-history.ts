import type { Size } from '#domain/cart/cart.ts';
import { linePaise } from '#domain/cart/line-price.ts';
import { type Paise, paiseFromRupees } from '#domain/money.ts';
import { instantFrom } from '#domain/time.ts';

/** One line of an order, as order_details_view gives it; a view's columns may all be null as far as types know. */
export type OrderRow = {
  order_id: string | null;
  total_amount: number | string | null;
  sub_total: number | string | null;
  tax: number | string | null;
  shipping_charge: number | string | null;
  status: string | null;
  created_at: string | null;
  product_id: number | null;
  product_name: string | null;
  product_image: string | null;
  quantity: number | null;
  size: number | null;
  unit_price: number | string | null;
};

export type OrderItem = {
  /** null when the product is no longer sold. */
  productId: number | null;
  name: string;
  image: string;
  /** null for what is sold by the piece. */
  sizeGrams: number | null;
  quantity: number;
  linePaise: Paise;
};

export type PastOrder = {
  id: string;
  shortId: string;
  placedAt: Date | null;
  subtotalPaise: Paise;
  taxPaise: Paise;
  shippingPaise: Paise;
  totalPaise: Paise;
  status: string;
  items: OrderItem[];
};

/** Which of the ordered products are still sold, and whether they come in sizes. */
export type SoldProducts = ReadonlyMap<number, { hasSize: boolean }>;

/** The lines grouped by order, newest order first. */
export function pastOrdersFrom(rows: readonly OrderRow[], sold: SoldProducts): PastOrder[] {
  const orders = new Map<string, PastOrder>();
  for (const row of rows) {
    if (row.order_id === null) continue;
    const order = orders.get(row.order_id) ?? {
      id: row.order_id,
      shortId: row.order_id.slice(0, 8),
      placedAt: instantFrom(row.created_at ?? ''),
      subtotalPaise: paiseFromRupees(row.sub_total ?? 0),
      taxPaise: paiseFromRupees(row.tax ?? 0),
      shippingPaise: paiseFromRupees(row.shipping_charge ?? 0),
      totalPaise: paiseFromRupees(row.total_amount ?? 0),
      status: row.status ?? '',
      items: [],
    };
    orders.set(row.order_id, order);
    order.items.push(itemFrom(row, sold));
  }
  return [...orders.values()].sort((a, b) => (b.placedAt?.getTime() ?? 0) - (a.placedAt?.getTime() ?? 0));
}

function itemFrom(row: OrderRow, sold: SoldProducts): OrderItem {
  const size = row.size ?? 500;
  const quantity = row.quantity ?? 0;
  const product = row.product_id === null ? undefined : sold.get(row.product_id);
  return {
    productId: product ? row.product_id : null,
    name: row.product_name ?? '',
    image: row.product_image ?? '',
    // Sweets by the piece stand under 500 too; of products gone since, only a kilogram is certain.
    sizeGrams: product?.hasSize || size !== 500 ? size : null,
    quantity,
    linePaise: linePaise(paiseFromRupees(row.unit_price ?? 0), { size: size as Size, quantity }),
  };
}

/** The badge's class, as the owner named it. */
export function statusClass(status: string): string {
  return `status-${status.toLowerCase()}`;
}
