import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyFilledShop } from '../support/filled-shop.ts';
import { freePort } from '../support/proxy.ts';
import { connectToShop, insertProduct, newMark } from '../support/rows.ts';
import { newDataDir, type RunningShop, removeDataDir, startShop, tryStartShop } from '../support/shop.ts';
import { type PublicEnvironment, publicEnvironment } from '../support/visitor.ts';
import { eventually, told } from './processes.ts';

// To the web node an embedded shop looks as a Supabase project does: an address and a public key.
let folder: string;
let project: RunningShop;
let supabase: PublicEnvironment;
let shop: RunningShop;
let other: RunningShop;
const unusedDir = () => join(folder, 'unused');

beforeAll(async () => {
  folder = await newDataDir();
  project = await startShop({ dataDir: await copyFilledShop(join(folder, 'project')) });
  supabase = await publicEnvironment(project.url);
  const env = { SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.key };
  [shop, other] = (await Promise.all([0, 1].map(() => startShop({ dataDir: unusedDir(), env })))) as [
    RunningShop,
    RunningShop,
  ];
});

afterAll(async () => {
  await Promise.all([shop?.stop(), other?.stop()]);
  await project?.stop();
  await removeDataDir(folder);
});

test('pages show the products of the hosted project', async () => {
  const response = await fetch(`${supabase.url}/rest/v1/Products?select=Name`, { headers: { apikey: supabase.key } });
  const products = (await response.json()) as { Name: string }[];
  const page = await fetch(`${shop.url}/`);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(products.filter(({ Name }) => html.includes(Name.replaceAll('&', '&amp;'))).length).toBeGreaterThan(5);
});

test('browsers get the address and key of the project, and the policy allows requests to it', async () => {
  expect(await publicEnvironment(shop.url)).toEqual(supabase);
  const policy = (await fetch(`${shop.url}/`)).headers.get('content-security-policy') ?? '';
  const connect = policy.split('; ').find((rule) => rule.startsWith('connect-src '));
  const images = policy.split('; ').find((rule) => rule.startsWith('img-src '));
  expect(connect?.split(' ')).toEqual(
    expect.arrayContaining(["'self'", supabase.url, supabase.url.replace('http', 'ws')]),
  );
  expect(images?.split(' ')).toContain(supabase.url);
});

test('a change in the project shows on the pages of both nodes immediately, also when a product is hidden', async () => {
  const sql = await connectToShop(project.dataDir);
  const name = newMark('Far-away sweet');
  try {
    const id = await insertProduct(sql, { name, stock: 5 });
    const shelves = () =>
      Promise.all(
        [shop, other].map(async ({ url }) => (await (await fetch(`${url}/shop?tab=Laddu`)).text()).includes(name)),
      );
    // Long before the minute that a page may be kept for.
    await eventually(async () => (await shelves()).every(Boolean), 'it is on the shelf', 5_000);
    await sql`update public."Products" set is_listed = false where "Id" = ${id}`;
    await eventually(async () => !(await shelves()).some(Boolean), 'it is off the shelf', 5_000);
  } finally {
    await sql.end();
  }
});

test('a project without the latest migration stops the start with one line that names it', async () => {
  const sql = await connectToShop(project.dataDir);
  const [last] = await sql<{ version: string; name: string; statements: string[] }[]>`
    delete from supabase_migrations.schema_migrations
    where version = (select max(version) from supabase_migrations.schema_migrations) returning *`;
  try {
    const env = { SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.key };
    const refused = await tryStartShop({ dataDir: unusedDir(), env });
    expect(refused).toMatchObject({ code: 1 });
    const lines = (refused.output as string).split('\n').filter(Boolean);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`lacks 1 migration (${last?.version}_${last?.name}.sql): run "npx supabase link"`);
  } finally {
    if (last) await sql`insert into supabase_migrations.schema_migrations ${sql(last)}`;
    await sql.end();
  }
});

test('a project made with another text of a migration is refused, with the name of the file', async () => {
  const sql = await connectToShop(project.dataDir);
  const [first] = await sql<{ version: string; name: string; statements: string[] }[]>`
    select * from supabase_migrations.schema_migrations order by version limit 1`;
  const record = (statements: string[]) =>
    sql`update supabase_migrations.schema_migrations set statements = ${statements} where version = ${first?.version ?? ''}`;
  try {
    await record([`${first?.statements[0]} select 1;`]);
    const env = { SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.key };
    const refused = await tryStartShop({ dataDir: unusedDir(), env });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).toContain(
      `made with another text of Migration ${first?.version}_${first?.name}.sql: put back`,
    );
  } finally {
    await record(first?.statements ?? []);
    await sql.end();
  }
});

test('no path of the backend and no demo sign-in is served here', async () => {
  const paths = ['rest/v1/Products', 'auth/v1/settings', 'storage/v1/bucket', 'functions/v1/notify', 'realtime/v1/api'];
  for (const path of [...paths, 'rest/v1', 'demo-identity/login/oauth/authorize']) {
    const response = await fetch(`${shop.url}/${path}`, { headers: { apikey: supabase.key } });
    expect([path, response.status]).toEqual([path, 404]);
  }
  const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-key': 'dGVzdGluZzEyMzQ1Njc4OQ==' };
  const status = await new Promise((resolve, reject) => {
    get(`${shop.url}/realtime/v1/websocket?vsn=2.0.0`, { headers: { ...upgrade, 'sec-websocket-version': '13' } })
      .on('response', (response) => resolve(response.statusCode))
      .on('upgrade', () => resolve(101))
      .on('error', reject);
  });
  expect(status).toBe(404);
});

test('nothing is stored on this machine, and there is no demo', () => {
  expect(existsSync(unusedDir())).toBe(false);
  expect(told(shop.output())).toEqual([`The shop is open: ${shop.url}`]);
});

test('healthy while the project responds, unhealthy with status 503 while it does not, and healthy again afterwards', async () => {
  const health = async () => {
    const response = await fetch(`${shop.url}/healthz`);
    return [response.status, await response.json()];
  };
  expect(await health()).toEqual([200, { status: 'ok' }]);
  expect(await project.stop()).toBe(0);
  // A result is good for two seconds.
  await expect.poll(health, { timeout: 20_000 }).toEqual([503, { status: 'database-away' }]);
  const unkept = await fetch(`${shop.url}/product/7`);
  expect([unkept.status, unkept.headers.get('retry-after')]).toEqual([503, '5']);
  const port = new URL(supabase.url).port;
  project = await startShop({ dataDir: join(folder, 'project'), env: { PORT: port } });
  await expect.poll(health, { timeout: 20_000 }).toEqual([200, { status: 'ok' }]);
  expect((await fetch(`${shop.url}/`)).status).toBe(200);
});

test('it stops immediately and leaves nothing behind', async () => {
  expect(await shop.stop('SIGTERM')).toBe(0);
  expect(existsSync(unusedDir())).toBe(false);
});

test('a node that starts before its project is reachable says so, is unhealthy until then, and opens', async () => {
  await project.stop();
  const port = String(await freePort());
  const early = tryStartShop({
    dataDir: unusedDir(),
    env: { PORT: port, SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.key },
  });
  const health = () => fetch(`http://localhost:${port}/healthz`).catch(() => null);
  await eventually(async () => (await health())?.status === 503, 'unhealthy');
  project = await startShop({ dataDir: join(folder, 'project'), env: { PORT: new URL(supabase.url).port } });
  const opened = await early;
  if (!('url' in opened)) throw new Error(`it did not start: ${opened.output}`);
  shop = opened;
  expect((await health())?.status).toBe(200);
  const said = told(shop.output());
  expect(said[0]).toBe(`  Waiting for SUPABASE_URL: ${supabase.url} does not answer (ECONNREFUSED)`);
  expect(said.at(-1)).toBe(`The shop is open: ${shop.url}`);
});
