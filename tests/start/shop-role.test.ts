import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBuyers } from '../support/buyers.ts';
import { copyFilledShop } from '../support/filled-shop.ts';
import { insertProduct } from '../support/rows.ts';
import { type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { newCustomer, publicEnvironment } from '../support/visitor.ts';
import { withSql } from './processes.ts';

let dataDir: string;
let shop: RunningShop;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  shop = await startShop({ dataDir });
});
afterAll(async () => {
  await shop?.stop();
  await removeDataDir(dataDir);
});

test('no session of the running shop is a superuser or bypasses row level security', async () => {
  const { url, key } = await publicEnvironment(shop.url);
  const live = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`);
  await new Promise((opened, failed) => {
    live.onopen = opened;
    live.onerror = failed;
  });
  await newCustomer(shop.url); // sign-in and the Data API
  expect((await fetch(`${shop.url}/shop?q=laddu`)).status).toBe(200);
  await withSql(dataDir, async (sql) => {
    const sweet = await insertProduct(sql, { price: 120, stock: 100 });
    const [buyer] = await newBuyers(sql, { url: shop.url, dataDir }, 1);
    expect(await buyer?.buy([{ productId: sweet, quantity: 1, size: 500 }])).toMatchObject({ outcome: 'ordered' });
    const sessions = await sql<{ name: string; above: boolean; sessions: number }[]>`
      select r.rolname as name, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb as above, count(*)::int as sessions
      from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
      where a.backend_type = 'client backend' and a.pid <> pg_backend_pid() group by 1, 2`;
    expect(sessions).toEqual([{ name: 'shop', above: false, sessions: expect.any(Number) }]);
    expect(sessions[0]?.sessions).toBeGreaterThan(5);
  });
  live.close();
});

test('the shop owns everything in the database, also what a superuser created', async () => {
  await shop.stop();
  shop = await startShop({ dataDir });
  await withSql(dataDir, (sql) =>
    sql.unsafe(`create table private.made_by_a_superuser (id integer generated always as identity);
      create function private.made_too() returns integer language sql as 'select 1'`),
  );
  await shop.stop();
  shop = await startShop({ dataDir });
  await withSql(dataDir, async (sql) => {
    const strangers = await sql`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'private', 'auth', 'storage', 'demo', 'supabase_migrations') and c.relowner::regrole::text <> 'shop'
      union all select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'private', 'auth', 'storage') and p.proowner::regrole::text <> 'shop'`;
    expect(strangers).toEqual([]);
  });
});
