// Orders of all kinds for tests of tax documents: several lines, several rates, sizes and pieces, near and far.
import { randomUUID } from 'node:crypto';
import type { Queries } from './rows.ts';

export type LineWish = {
  productId: number;
  name: string;
  quantity: number;
  size: 500 | 1000;
  hasSize: boolean;
  price: number;
  gst: number;
  hsn: string;
};
export type OrderWish = {
  userId?: string | null;
  lines: LineWish[];
  shipping?: number;
  fulfilment?: 'delivery' | 'pickup';
  name?: string;
  state?: string;
  zip?: string;
  status?: string;
  paid?: boolean;
};
export type RandomOrder = {
  id: string;
  subTotalPaise: number;
  taxPaise: number;
  shippingPaise: number;
  totalPaise: number;
};

const pincodes: Record<string, string> = { Karnataka: '560001', Kerala: '682001' };
const paiseOf = ({ price, size, quantity }: LineWish) => (Math.round(price * 100) * size * quantity) / 500;
/** As PostgreSQL rounds: halves away from zero, exactly. */
const taxOf = (line: LineWish) =>
  Number((BigInt(Math.round(paiseOf(line))) * BigInt(Math.round(line.gst * 100)) * 2n + 10_000n) / 20_000n);

/** An order with its lines, sale and payment, as placing leaves it: every invariant holds for it. */
export async function insertOrder(sql: Queries, wish: OrderWish): Promise<RandomOrder> {
  const {
    lines,
    userId = null,
    shipping = 40,
    fulfilment = 'delivery',
    name = 'Test Person',
    state = 'Maharashtra',
  } = wish;
  const { zip = pincodes[state] ?? '400001', status = 'Preparing', paid = true } = wish;
  const id = randomUUID();
  const subTotalPaise = lines.reduce((sum, line) => sum + paiseOf(line), 0);
  const taxPaise = lines.reduce((sum, line) => sum + taxOf(line), 0);
  const shippingPaise = Math.round(shipping * 100);
  const totalPaise = subTotalPaise + taxPaise + shippingPaise;
  const payment = paid ? `pay_${id.replaceAll('-', '').slice(0, 16)}` : null;
  await sql`
    with placed as (
      insert into public.orders (id, user_id, status, payment_status, payment_id, source, fulfilment, sub_total, tax, shipping_charge,
                                 total_amount, delivery_name, delivery_phone, delivery_building_no, delivery_street, delivery_city, delivery_state, delivery_zip)
      values (${id}, ${userId}, ${status}, ${paid ? 'paid' : 'unpaid'}, ${payment}, ${paid ? 'direct' : 'manual'}, ${fulfilment},
              ${subTotalPaise / 100}, ${taxPaise / 100}, ${shippingPaise / 100}, ${totalPaise / 100}, ${name}, '9000000001',
              ${fulfilment === 'pickup' ? '' : '4B'}, ${fulfilment === 'pickup' ? '' : 'Ranade Road'}, 'Town',
              ${state}, ${fulfilment === 'pickup' ? '' : zip})
    ), lines as (
      insert into public.order_items (order_id, product_id, product_name, quantity, size, unit_price, gst_percent, hsn, has_size)
      select ${id}, l."productId", l.name, l.quantity, l.size, l.price, l.gst, l.hsn, l."hasSize"
      from jsonb_to_recordset(${sql.json(lines as never)}) as l ("productId" bigint, name text, quantity integer, size integer,
        price numeric, gst numeric, hsn text, "hasSize" boolean)
    ), money as (
      insert into private.payments (payment_id, provider_order_id, order_id, user_id, amount_paise, status, captured_at)
      select ${payment}, 'order_test', ${id}::uuid, ${userId}::uuid, ${totalPaise}::bigint, 'captured', now() where ${paid}
    )
    insert into public.stock_movements (product_id, quantity, reason, order_id)
    select l."productId", -private.stock_quantity(l."hasSize", l.size, l.quantity), 'sale', ${id}
    from jsonb_to_recordset(${sql.json(lines as never)}) as l ("productId" bigint, quantity integer, size integer, "hasSize" boolean)`;
  return { id, subTotalPaise, taxPaise, shippingPaise, totalPaise };
}

type Pick = <T>(list: readonly T[]) => T;

/** Whatever people order, drawn by `pick`; the products are sold by weight and by the piece. */
export function randomLines(pick: Pick, products: { sized: number; pieces: number }, most = 5): LineWish[] {
  return Array.from({ length: pick(Array.from({ length: most }, (_, n) => n + 1)) }, (_, place) => {
    const hasSize = pick([true, false]);
    const [gst, hsn] = pick([
      [5, '2106'],
      [5, '1806'],
      [18, '2106'],
      [12, '190590'],
      [0, '0406'],
      [2.5, '2106'],
    ] as const);
    return {
      productId: hasSize ? products.sized : products.pieces,
      name: `${pick(['Besan Laddu', 'काजू कतली', 'Gajar Halwa', 'Rose & Pista', 'मिठाई का डिब्बा'])} ${place + 1}`,
      quantity: pick([1, 2, 3, 7, 25]),
      size: hasSize ? pick([500, 1000] as const) : 500,
      hasSize,
      price: pick([1, 9.99, 33.33, 120, 349.5, 1299.95, 0.07]),
      gst,
      hsn,
    };
  });
}
