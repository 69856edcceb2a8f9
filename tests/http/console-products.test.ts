import { beforeAll, expect, inject, test } from 'vitest';
import { readProductFile } from '../../domain/products/read-product-file.ts';
import { newCustomer, publicEnvironment, type ShopClient, signInAs, tokenOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
let administrator: ShopClient;
let key: string;
beforeAll(async () => {
  administrator = await signInAs(shopUrl, { account: 'Asha Rao' });
  ({ key } = await publicEnvironment(shopUrl));
});

async function exported(filter: object): Promise<string> {
  const query = new URLSearchParams({ what: 'products', filter: JSON.stringify(filter) });
  const response = await fetch(`${backendUrl}/functions/v1/exportCsv?${query}`, {
    headers: { apikey: key, authorization: `Bearer ${await tokenOf(administrator)}` },
  });
  expect(response.status).toBe(200);
  return response.text();
}

test('what the browser sends as an object arrives as one', async () => {
  const { data } = await administrator.rpc('admin_list_products', { filter: { category: 'Gift' } });
  const { rows } = data as { rows: { category: string }[] };
  expect(new Set(rows.map(({ category }) => category))).toEqual(new Set(['Gift']));
});

test('the exported file, imported again, changes nothing', async () => {
  const file = readProductFile(await exported({ state: 'all' }));
  if (!file.ok) throw new Error(file.message);
  expect(file.rows.length).toBeGreaterThan(30);
  const { data, error } = await administrator.rpc('admin_import_products', { rows: file.rows as never, dry_run: true });
  expect(error).toBeNull();
  const { rows } = data as { rows: { action: string }[] };
  expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['unchanged']));
});

const longFile = (products: number) =>
  Array.from({ length: products }, (_, n) => ({
    line: n + 2,
    values: { name: `Long ${n}`, category: 'Gift', price_paise: 1000, has_size: true, description: 'x'.repeat(900) },
  }));

test('only an administrator may send a long file', async () => {
  const args = { rows: longFile(600) as never, dry_run: true };
  const { data, error } = await administrator.rpc('admin_import_products', args);
  expect(error).toBeNull();
  expect((data as { rows: unknown[] }).rows).toHaveLength(600);
  const customer = await newCustomer(shopUrl);
  expect((await customer.rpc('admin_import_products', args)).status).toBe(413);
  const elsewhere = await administrator.rpc('admin_change_products', { products: args.rows });
  expect(elsewhere.status).toBe(413);
});
