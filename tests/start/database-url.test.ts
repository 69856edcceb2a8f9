import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts';
import { withConnection, withShopDatabase } from '../../server/postgres/shop-database.ts';
import { setAddress } from '../support/buying.ts';
import { freePort } from '../support/proxy.ts';
import {
  newDataDir,
  plainEnvironment,
  type RunningShop,
  removeDataDir,
  startShop,
  tryStartShop,
} from '../support/shop.ts';
import { newCustomer, publicEnvironment, tokenOf, userIdOf } from '../support/visitor.ts';
import { tightDisk } from './full-disk.ts';
import { demoCounts, eventually, told } from './processes.ts';

// A PostgreSQL that the shops did not start; what they need of it they must make themselves, roles included.
let folder: string;
let server: EmbeddedPostgres;
let shops: RunningShop[] = [];

/** Each start has a socket folder of its own; the link is the address that stays. */
async function startServer(): Promise<void> {
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'server'), log: () => {} });
  rmSync(join(folder, 'socket'), { force: true });
  symlinkSync(server.socketDir, join(folder, 'socket'));
}

/** SIGQUIT is PostgreSQL's immediate shutdown: clients are not notified, and the next start recovers. */
async function killServer(signal: NodeJS.Signals): Promise<void> {
  const postmaster = readFileSync(join(folder, 'server/postgres/postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(postmaster, 10), signal);
  await server.exited;
}

const addressOf = (database: string) =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(join(folder, 'socket'))}`;
const startOn = (address: string, name: string) =>
  startShop({ dataDir: join(folder, name), env: { DATABASE_URL: address } });

async function withDatabase<T>(database: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...server.connection, database, max: 1, onnotice: () => {} });
  try {
    return await use(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

beforeAll(async () => {
  folder = await newDataDir();
  await startServer();
  await withDatabase('postgres', (sql) => sql.unsafe('create database shared'));
});

afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.stop()));
  await server?.stop();
  await removeDataDir(folder);
});

test('two shops that start at the same time on an empty database both open, and it is migrated and filled once', async () => {
  const started = await Promise.allSettled(['first', 'second'].map((name) => startOn(addressOf('shared'), name)));
  shops = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
  for (const said of ['Database migrated', 'Demo shop filled'])
    expect(shops.filter((shop) => shop.output().includes(said))).toHaveLength(1);
  const migrations = readdirSync(join(import.meta.dirname, '../../supabase/migrations')).length;
  expect(await withDatabase('shared', demoCounts)).toMatchObject({
    products: 38,
    seeded: 1,
    violations: 0,
    migrations,
  });
});

test('JIT compilation of queries is turned off: it would cost a search seconds', async () => {
  const settings = await withDatabase(
    'shared',
    (sql) => sql`
      select unnest(setconfig) as setting from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database()) and setrole = 0`,
  );
  expect(settings.map(({ setting }) => setting)).toContain('jit=off');
});

/** Both shops, started again if the start above lost one: what follows is worth knowing on its own. */
async function twoShops(): Promise<[RunningShop, RunningShop]> {
  while (shops.length < 2) shops.push(await startOn(addressOf('shared'), `again-${shops.length}`));
  return shops as [RunningShop, RunningShop];
}

test('a session from one node works on the other, and what one stores the other shows', async () => {
  const [one, other] = await twoShops();
  const [here, there] = await Promise.all([publicEnvironment(one.url), publicEnvironment(other.url)]);
  expect(there.key).toBe(here.key);
  const customer = await newCustomer(one.url);
  const saved = await customer.from('user_profiles').insert({ user_id: await userIdOf(customer), city: 'Nashik' });
  expect(saved.error).toBe(null);
  const headers = { apikey: there.key, authorization: `Bearer ${await tokenOf(customer)}` };
  const response = await fetch(`${other.url}/rest/v1/user_profiles?select=city`, { headers });
  expect(await response.json()).toEqual([{ city: 'Nashik' }]);
});

test('neither node starts its own database or keeps keys in its folder', async () => {
  for (const { dataDir } of await twoShops()) {
    const kept = existsSync(dataDir) ? readdirSync(dataDir) : [];
    expect(kept.filter((name) => name !== 'files')).toEqual([]);
  }
});

test('admin:grant finds the same database', async () => {
  const [shop] = await twoShops();
  const customer = await newCustomer(shop.url);
  const email = (await customer.auth.getUser()).data.user?.email ?? '';
  const script = join(import.meta.dirname, '../../scripts/admin-grant.ts');
  const env = { ...plainEnvironment(), DATABASE_URL: addressOf('shared') };
  const { stdout } = await promisify(execFile)(process.execPath, [script, email], { env, cwd: folder });
  expect(stdout).toBe(`${email} is an administrator now.\n`);
  const answer = await customer.rpc('is_administrator', { user_id: await userIdOf(customer) });
  expect(answer.data).toBe(true);
});

test('when one node stops, the database and the other node keep running', async () => {
  const [one, other] = await twoShops();
  expect(await one.stop('SIGTERM')).toBe(0);
  shops = [other];
  expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${other.url}/`)).status).toBe(200);
});

/** The node that keeps running, with a customer signed in to it. */
async function visit() {
  const [shop] = shops as [RunningShop];
  const { url, key } = await publicEnvironment(shop.url);
  const customer = await newCustomer(shop.url);
  const headers = { apikey: key, authorization: `Bearer ${await tokenOf(customer)}` };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { ...headers, 'content-type': 'application/json' } });
  return { shop, customer, ask };
}

const cannotTakeOrders = {
  error: { code: 'read-only', message: 'We can’t take orders right now. Please try again in a few minutes.' },
};
const price = { orders: [{ productId: 1, quantity: 1, size: 500 }], delivery: { pincode: '400001' } };

test('while the database is unreachable cached pages are still shown, other pages and the checkout say “Something went wrong. Please try again.”, and once it is back everything works again', async () => {
  const { shop, ask } = await visit();
  const kept = await (await ask('/')).text();
  expect(kept).toContain('Laddu');
  await server.stop();
  const [health, home, product, search, quote, reading, paying] = await Promise.all([
    ask('/healthz'),
    ask('/'),
    ask('/product/7'),
    ask('/shop?q=laddu'),
    ask('/functions/v1/getShippingPrice', { method: 'POST', body: JSON.stringify(price) }),
    ask('/rest/v1/Products?select=Id'),
    fetch(`${shop.url}/test-payments/pay`, {
      method: 'POST',
      headers: { origin: shop.url, 'content-type': 'application/json' },
      body: JSON.stringify({ order_id: 'order_1', outcome: 'pay' }),
    }),
  ]);
  expect([health.status, await health.json()]).toEqual([503, { status: 'database-away' }]);
  expect([home.status, await home.text()]).toEqual([200, kept]);
  for (const page of [product, search]) {
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await page.text()).toContain('Something went wrong');
  }
  expect([quote.status, await quote.json()]).toEqual([
    503,
    { error: { code: 'database-away', message: 'Something went wrong. Please try again.' } },
  ]);
  for (const answer of [reading, paying])
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  await startServer();
  const statusOf = async (path: string) => (await ask(path)).status;
  for (const path of ['/healthz', '/rest/v1/Products?select=Id', '/product/7', '/shop?q=laddu'])
    await eventually(async () => (await statusOf(path)) === 200, `${path} is there again`, 20_000);
  expect(shop.process.exitCode).toBe(null);
});

test('while the disk is full pages are shown, /healthz says read-only, customers are asked to try again later, nothing is half written, and with free space the checkout works again', async () => {
  const { shop, ask } = await visit();
  await withDatabase('shared', async (sql) => {
    const disk = await tightDisk(sql, {
      tables: ['private.quotes', 'private.write_probe'],
      folder: join(folder, 'disk'),
      cluster: join(folder, 'server/postgres'),
    });
    try {
      const quote = () => ask('/functions/v1/getShippingPrice', { method: 'POST', body: JSON.stringify(price) });
      const kept = async () => (await sql`select count(*)::int as quotes from private.quotes`)[0]?.quotes;
      expect((await quote()).status).toBe(200);
      await disk.fill();
      const before = await kept();
      let answer = await quote();
      let given = 0;
      // What is left of the last page can still be written on.
      for (; answer.status === 200 && given < 50; given += 1) answer = await quote();
      expect([answer.status, await answer.json()]).toEqual([503, cannotTakeOrders]);
      expect(await kept()).toBe(before + given);
      await eventually(() => /"event":"read-only".*No space left on device/.test(shop.output()), 'it is logged');
      const health = await ask('/healthz');
      expect([health.status, await health.json()]).toEqual([503, { status: 'read-only' }]);
      // A balancer that asks for pages alone goes on sending visitors.
      for (const path of ['/', '/product/3', '/shop?q=halwa', '/healthz?for=pages'])
        expect((await ask(path)).status, path).toBe(200);
      await disk.makeRoom();
      expect((await quote()).status).toBe(200);
      await eventually(async () => (await ask('/healthz')).status === 200, '/healthz is ok again');
    } finally {
      await disk.remove();
    }
  });
});

test('an order that was paid while the disk is full is placed once there is space, exactly once, and not in part before', async () => {
  const { shop, customer, ask } = await visit();
  await setAddress(customer);
  const post = async (path: string, body: unknown) => {
    const response = await ask(path, { method: 'POST', body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const quote = await post('/functions/v1/getShippingPrice', { ...price, source: 'cart' });
  const { total: amount, quote_id } = quote.body;
  const created = await post('/functions/v1/createOrder', { amount, currency: 'INR', quote_id });
  const paid = await fetch(`${shop.url}/test-payments/pay`, {
    method: 'POST',
    headers: { origin: shop.url, 'content-type': 'application/json' },
    body: JSON.stringify({ order_id: created.body.id, outcome: 'pay', webhook: 'never' }),
  });
  const told = (await paid.json()) as Record<string, string>;
  const place = () =>
    post('/functions/v1/placeOrder', {
      provider_order_id: told.razorpay_order_id,
      payment_id: told.razorpay_payment_id,
      signature: told.razorpay_signature,
    });
  await withDatabase('shared', async (sql) => {
    const disk = await tightDisk(sql, {
      tables: ['public.orders'],
      folder: join(folder, 'disk'),
      cluster: join(folder, 'server/postgres'),
    });
    const written = async () => {
      const [counts] = await sql`
        select (select count(*)::int from public.orders) as orders, (select count(*)::int from public.order_items) as items,
               (select count(*)::int from private.payments) as payments, (select sum(on_hand)::text from public.stock_levels) as stock`;
      return counts as { orders: number; items: number; payments: number; stock: string };
    };
    try {
      // After half a minute the shop would ask the provider anyway.
      await sql`update private.checkouts set next_check_at = null where provider_order_id = ${told.razorpay_order_id ?? ''}`;
      const before = await written();
      await disk.fill();
      expect(await place()).toEqual({ status: 503, body: cannotTakeOrders });
      expect(await written()).toEqual(before);
      await disk.makeRoom();
      const placed = await place();
      expect([placed.status, (await place()).body.order_id]).toEqual([201, placed.body.order_id]);
      const after = await written();
      expect([after.orders, after.items, after.payments]).toEqual([
        before.orders + 1,
        before.items + 1,
        before.payments + 1,
      ]);
      expect(await sql`select * from public.check_invariants()`).toEqual([]);
    } finally {
      await disk.remove();
    }
  });
});

const restarts = process.env.SOAK ? 20 : 2;
test(`${restarts} restarts of the database under traffic: customers are asked to try again, the shop stays up, and no confirmed write is lost`, {
  timeout: 300_000,
}, async () => {
  const { shop, customer, ask } = await visit();
  const user_id = await userIdOf(customer);
  // Far more edits than a customer may make in an hour.
  await withDatabase('shared', (sql) => sql`alter table public.user_profiles disable trigger user_profiles_limit`);
  const answers = new Map<number, number>();
  const saved = { asked: 0, acknowledged: 0 };
  let isOver = false;
  const browse = async (paths: string[]) => {
    for (let n = 0; !isOver; n += 1) {
      const { status } = await ask(paths[n % paths.length] as string);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  const save = async () => {
    while (!isOver) {
      saved.asked += 1;
      const profile = { user_id, building_no: String(saved.asked), city: `City ${saved.asked}` };
      if (!(await customer.from('user_profiles').upsert(profile)).error) saved.acknowledged = saved.asked;
    }
  };
  const reads = ['/rest/v1/Products?select=Id', '/?code=x', '/rest/v1/user_profiles?select=city', '/shop?q=laddu'];
  const traffic = [...Array.from({ length: 8 }, (_, n) => browse([...reads.slice(n % 4), ...reads])), save()];
  for (let n = 0; n < restarts; n += 1) {
    const before = { ok: answers.get(200) ?? 0, acknowledged: saved.acknowledged };
    await eventually(
      () => (answers.get(200) ?? 0) > before.ok + 20 && saved.acknowledged > before.acknowledged + 2,
      `everything works after ${n} restarts`,
      30_000,
    );
    if (n % 2 === 0) await server.stop();
    else await killServer('SIGQUIT');
    await startServer();
  }
  await eventually(async () => (await ask('/rest/v1/Products?select=Id')).ok, 'everything works again', 30_000);
  isOver = true;
  await Promise.all(traffic);
  expect(shop.process.exitCode).toBe(null);
  expect([...answers.keys()].sort()).toEqual([200, 503]);
  const [profile] = await withDatabase('shared', (sql) =>
    sql`select building_no, city from public.user_profiles where user_id = ${user_id}`.then((rows) => rows),
  );
  const stored = Number(profile?.building_no);
  expect(stored).toBeGreaterThanOrEqual(saved.acknowledged);
  expect(profile?.city).toBe(`City ${stored}`);
  expect(await withDatabase('shared', demoCounts)).toMatchObject({ products: 38, violations: 0 });
});

describe('a shop that starts before its database', () => {
  const startEarly = async (name: string) => {
    const port = String(await freePort());
    let child: ChildProcess | undefined;
    const starting = tryStartShop({
      dataDir: join(folder, name),
      env: {
        PORT: port,
        DATABASE_CONNECTIONS: '12',
        DATABASE_URL: addressOf('shared').replace('socket', `${name}-socket`),
      },
      onSpawn: (spawned) => {
        child = spawned;
      },
    });
    const health = () => fetch(`http://localhost:${port}/healthz`).catch(() => null);
    await eventually(async () => (await health())?.status === 503, 'it listens');
    return { starting, health, child };
  };

  test('waits for the database, says so, and opens when it is reachable', async () => {
    const { starting, health } = await startEarly('early');
    expect(await (await health())?.json()).toEqual({ status: 'starting' });
    symlinkSync(server.socketDir, join(folder, 'early-socket'));
    const shop = await starting;
    if (!('url' in shop)) throw new Error(`it did not start: ${shop.output}`);
    shops.push(shop);
    expect((await health())?.status).toBe(200);
    expect(told(shop.output())[0]).toMatch(/^ {2}Waiting for DATABASE_URL: connect ENOENT \S*early-socket/);
  });

  test('stops immediately on a signal', async () => {
    const { starting, child } = await startEarly('stopped');
    const began = performance.now();
    child?.kill('SIGTERM');
    expect(await starting).toMatchObject({ code: 0 });
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test('an unreachable database, or a user without the needed rights, stops the start with one line that hides the password', async () => {
  await withDatabase('postgres', async (sql) => {
    await sql.unsafe('create role newcomer login');
    await sql.unsafe('create database theirs owner newcomer');
  });
  const host = `localhost:5432/theirs?host=${encodeURIComponent(join(folder, 'socket'))}`;
  for (const [address, sentence] of [
    [`postgres://postgres:hush-hush@${host.replace('theirs', 'nowhere')}`, 'database "nowhere" does not exist'],
    [
      `postgres://newcomer:hush-hush@${host}`,
      'permission denied to grant role "anon". Its user has to be a superuser or',
    ],
  ] as const) {
    const failed = await tryStartShop({ dataDir: join(folder, 'refused'), env: { DATABASE_URL: address } });
    expect(failed).toMatchObject({ code: 1 });
    const lines = (failed.output as string).split('\n').filter(Boolean);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^The database at DATABASE_URL \(\S+\/(nowhere|theirs)\): /);
    expect(lines[0]).toContain(sentence);
    expect(lines[0]).not.toContain('hush-hush');
  }
  const read = readConfig({ DATABASE_URL: addressOf('nowhere') });
  if (!read.ok) throw new Error(read.problem);
  // Commands beside the shop say it in the same way.
  await expect(withShopDatabase(read.config, (at) => withConnection(at, (sql) => sql`select 1`))).rejects.toThrow(
    /^The database at DATABASE_URL \(\S+\/nowhere\): /,
  );
});
