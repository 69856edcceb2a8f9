import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { randomNumbers } from '../../tests/support/random.ts';
import { insertOrder, randomLines } from '../../tests/support/random-orders.ts';
import { insertProduct } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

const setGstin = (gstin: string) =>
  sql`update public.shop_settings set state = 'Maharashtra', gstin = ${gstin}, address = 'Ranade Road, Mumbai 400028' where id`;

/** Orders of all kinds, near and far, packed in the month they were placed in, with the provider's fees. */
async function sell(many: number, seed: number) {
  const products = {
    sized: await insertProduct(sql, { hasSize: true, stock: 9_000_000 }),
    pieces: await insertProduct(sql, { stock: 900_000 }),
  };
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  for (let index = 0; index < many; index += 1)
    await insertOrder(sql, {
      lines: randomLines(pick, products),
      shipping: pick([0, 40, 90, 33.33, 180]),
      state: pick(['Maharashtra', 'Karnataka', 'Kerala']),
    });
  await sql`update private.payments set fee_paise = 236 + amount_paise / 50 where fee_paise is null`;
  await sql`update public.orders set status = 'Packed' where status = 'Preparing'`;
}

type Line = Record<'gst_percent' | 'taxable_paise' | 'cgst_paise' | 'sgst_paise' | 'igst_paise', number> & {
  description: string;
};
type Invoice = { order_id: string; tax_kind: string; lines: Line[]; shipping_tax: number };

const figures = async () =>
  (
    await sql<{ month: Record<string, number> }[]>`
      select to_jsonb(f) as month from private.profit_and_loss(private.month_of(private.day_of(now())), private.day_of(now())) f`
  )[0]?.month ?? {};
const invoices = () => sql<Invoice[]>`
  select v.order_id, v.tax_kind, v.lines, private.order_shipping_tax(o)::int as shipping_tax
  from private.invoices v join public.orders o on o.id = v.order_id`;

const grossOf = (line: Line) => line.taxable_paise + line.cgst_paise + line.sgst_paise + line.igst_paise;

test('a month recomputed from its invoices and fees: shipping and fees net, their GST apart', async () => {
  await setGstin('27AAAAA0000A1Z5');
  await sell(80, 7);
  let [net, tax] = [0, 0];
  for (const { lines, tax_kind, shipping_tax } of await invoices()) {
    let ofOrder = 0;
    for (const line of lines.filter(({ description }) => description === 'Delivery')) {
      const taxable = Math.round((grossOf(line) * 100) / (100 + line.gst_percent));
      const included = grossOf(line) - taxable;
      // CGST and SGST are equal halves: of an odd tax the last paisa stands in the taxable value.
      expect(line.cgst_paise + line.sgst_paise + line.igst_paise).toBe(
        included - (tax_kind === 'intra' ? included % 2 : 0),
      );
      net += taxable;
      ofOrder += included;
    }
    expect(shipping_tax).toBe(ofOrder);
    tax += ofOrder;
  }
  expect(Math.min(net, tax)).toBeGreaterThan(0);
  const fees = (await sql<{ fee: number }[]>`select fee_paise::int as fee from private.payments`).map(({ fee }) => fee);
  const feeTax = fees.reduce((sum, fee) => sum + Math.round((fee * 18) / 118), 0);
  const month = await figures();
  expect(month).toMatchObject({
    shipping_paise: net,
    shipping_tax_paise: tax,
    fee_paise: fees.reduce((sum, fee) => sum + fee, 0) - feeTax,
    fee_tax_paise: feeTax,
  });
  const { net_sales_paise = 0, cost_paise = 0, fee_paise = 0, shipping_paise = 0, profit_paise } = month;
  expect(profit_paise).toBe(net_sales_paise - cost_paise - fee_paise + shipping_paise);
});

test('a shop without a GSTIN has no GST in its shipping, and no credit for that in fees', async () => {
  await sql`truncate private.profit_days`;
  const before = await figures();
  await sql`update public."Products" set gst_percent = 0 where gst_percent > 0`;
  await setGstin('');
  await sell(5, 11);
  const unregistered = (await invoices()).filter(({ tax_kind }) => tax_kind === 'none');
  expect(unregistered).toHaveLength(5);
  expect(unregistered.map(({ shipping_tax }) => shipping_tax)).toEqual([0, 0, 0, 0, 0]);
  const now = await figures();
  // What was invoiced with GST keeps it.
  expect(now.shipping_tax_paise).toBe(before.shipping_tax_paise);
  expect(now.fee_tax_paise).toBe(0);
});
