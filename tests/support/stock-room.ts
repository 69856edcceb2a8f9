// Vendors, purchases and counts for tests, through the console's own requests.
import { randomUUID } from 'node:crypto';
import type { ISql, JSONValue, Sql } from 'postgres';
import { as, type Caller, newMark } from './rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by tests, field by field
export type Answer = any;
export type Ask = (name: string, args?: Record<string, unknown>) => Promise<Answer>;

/** Calls a request as the Data API would: arguments by name, objects as jsonb. */
export function asking(sql: Sql, caller: Caller): Ask {
  return (name, args = {}) =>
    as(sql, caller, async (tx: ISql) => {
      const given = Object.entries(args).map(([arg, value]) => tx`${tx(arg)} => ${argument(tx, value)}`);
      const list = given.reduce((all, one, place) => (place === 0 ? one : tx`${all}, ${one}`), tx``);
      const [row] = await tx`select public.${tx(name)}(${list}) as answer`;
      return row?.answer;
    });
}

function argument(tx: ISql, value: unknown) {
  if (typeof value === 'object' && value !== null && !(value instanceof Date))
    return tx`${tx.json(value as JSONValue)}::jsonb`;
  // The driver would make a Date of it, and lose the microseconds.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return tx`${value}::text::timestamptz`;
  return tx`${value as string}`;
}

export type NewLine = {
  productId?: number;
  name?: string;
  unit?: string;
  quantity?: number | string;
  costPaise?: number;
  gst?: number;
};

export const typedLine = ({ productId, name, unit = 'kg', quantity = 10, costPaise = 50_000, gst = 5 }: NewLine) => ({
  product_id: productId ?? null,
  item_name: name ?? 'Cow ghee',
  unit,
  quantity: String(quantity),
  unit_cost_paise: costPaise,
  gst_percent: gst,
});

export async function insertVendor(sql: Sql, { name = newMark('Vendor'), terms = 7 } = {}): Promise<number> {
  const [row] =
    await sql`insert into public.vendors (name, payment_terms_days) values (${name}, ${terms}) returning id`;
  return Number(row?.id);
}

/** A purchase order, by default already ordered. */
export async function order(ask: Ask, vendorId: number, lines: NewLine[], { draft = false } = {}) {
  const saved = await ask('admin_save_purchase', {
    purchase_id: null,
    seen: null,
    vendor_id: vendorId,
    expected_on: null,
    notes: '',
    lines: lines.map(typedLine),
  });
  if (!draft) await ask('admin_move_purchase', { purchase_id: saved.id, seen: saved.updated_at, to_status: 'Ordered' });
  return read(ask, saved.id);
}

export const read = (ask: Ask, purchaseId: number) => ask('admin_read_purchase', { purchase_id: purchaseId });

export type Came = {
  receiptId?: string;
  quantities: (number | string | null)[];
  setsCost?: boolean;
} & Record<string, unknown>;

/** So much of each line came; null: nothing of it. */
export function receive(
  ask: Ask,
  purchase: Answer,
  { receiptId = randomUUID(), quantities, setsCost = false, ...more }: Came,
) {
  const lines = quantities.flatMap((quantity, place) =>
    quantity === null ? [] : [{ item_id: purchase.lines[place].id, quantity: String(quantity), sets_cost: setsCost }],
  );
  return ask('admin_receive_purchase', {
    receipt_id: receiptId,
    purchase_id: purchase.id,
    seen: purchase.updated_at,
    lines,
    ...more,
  });
}

/** What must hold of purchases besides the invariants of stock; normally nothing is returned. */
export const brokenPurchases = (sql: Sql) => sql`
  select 'received' as what, i.id::text as subject
  from public.purchase_order_items i
  left join (select t.item_id, sum(t.quantity) as came from public.purchase_receipt_items t
             join public.purchase_receipts r on r.id = t.receipt_id where r.undone_at is null group by 1) c on c.item_id = i.id
  where i.received_quantity <> coalesce(c.came, 0)
  union all
  select 'status', o.id::text from public.purchase_orders o
  where (o.status in ('Draft', 'Ordered')) and exists (
    select from public.purchase_receipts r where r.purchase_order_id = o.id and r.undone_at is null)
  union all
  select 'stock', r.id::text
  from public.purchase_receipts r
  join public.purchase_receipt_items t on t.receipt_id = r.id
  join public.purchase_order_items i on i.id = t.item_id and i.product_id is not null
  left join public.stock_movements m on m.id = t.movement_id and m.reason = 'purchase' and m.product_id = i.product_id
  where m.quantity is distinct from t.quantity * case i.unit when 'kg' then 1000 else 1 end
     or (r.undone_at is not null) <> exists (select from public.stock_movements u where u.undoes = m.id and u.quantity = -m.quantity)
  union all
  select 'bill', b.id::text
  from public.vendor_bills b join public.purchase_receipts r on r.id = b.receipt_id
  where (b.canceled_at is null) <> (r.undone_at is null)
     or b.goods <> (select sum(round(t.quantity * i.unit_cost, 2)) from public.purchase_receipt_items t
                    join public.purchase_order_items i on i.id = t.item_id where t.receipt_id = r.id)`;
