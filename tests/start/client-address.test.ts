// The client address of a checkout is counted behind a proxy too, and cannot be read in the database.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBuyers, type Post } from '../support/buyers.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { connectToShop, insertProduct } from '../support/rows.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';

let dataDir: string;
let shop: RunningShop;
let sql: Sql;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  shop = await startShop({ dataDir, env: { TRUST_PROXY: '1' } });
  sql = await connectToShop(dataDir);
});
afterAll(async () => {
  await sql?.end();
  await shop?.stop();
  await removeDataDir(dataDir);
});

/** Opens a checkout through a proxy that says where it came from; what the database keeps of that. */
async function addressKept(forwarded: string | null): Promise<string | null> {
  const send: Post = async (path, body, headers) => {
    const from: Record<string, string> = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
    const response = await fetch(shop.url + path, { method: 'POST', headers: { ...headers, ...from }, body });
    return { status: response.status, text: await response.text() };
  };
  const [buyer] = await newBuyers(sql, { url: shop.url, dataDir }, 1, send);
  const sweet = await insertProduct(sql, { stock: 5 });
  const created = await buyer?.create(await buyer.quote([{ productId: sweet, quantity: 1, size: 500 }]));
  expect(created?.status).toBe(201);
  const [row] = await sql`select ip_hash from private.checkouts where user_id = ${buyer?.id ?? ''}`;
  return row?.ip_hash;
}

test('a checkout stores a keyed hash of the client address that our proxy reports', async () => {
  const kept = await addressKept('203.0.113.7');
  expect(kept).toMatch(/^[\w-]{43}$/);
  expect(await addressKept('198.51.100.1, 203.0.113.7')).toBe(kept);
  expect(await addressKept('203.0.113.7, 198.51.100.1')).not.toBe(kept);
  expect(await addressKept(null)).toBeNull();
});
