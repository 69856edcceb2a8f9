import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newDataDir, type RunningShop, removeDataDir, startShop, tryStartShop } from '../support/shop.ts';
import { type PublicEnvironment, publicEnvironment } from '../support/visitor.ts';
import { eventually, told } from './processes.ts';

// To the web node an embedded shop looks as a Supabase project does: an address and a public key.
let folder: string;
let project: RunningShop;
let supabase: PublicEnvironment;
let shop: RunningShop;
const unusedDir = () => join(folder, 'unused');

beforeAll(async () => {
  folder = await newDataDir();
  project = await startShop({ dataDir: join(folder, 'project') });
  supabase = await publicEnvironment(project.url);
  const env = { SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.key };
  shop = await startShop({ dataDir: unusedDir(), env });
});

afterAll(async () => {
  await Promise.all([shop?.stop(), project?.stop()]);
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

test('browsers are told the address and key of the project, and allowed to reach it', async () => {
  expect(await publicEnvironment(shop.url)).toEqual(supabase);
  const policy = (await fetch(`${shop.url}/`)).headers.get('content-security-policy') ?? '';
  const connect = policy.split('; ').find((rule) => rule.startsWith('connect-src '));
  const images = policy.split('; ').find((rule) => rule.startsWith('img-src '));
  expect(connect?.split(' ')).toEqual(
    expect.arrayContaining(["'self'", supabase.url, supabase.url.replace('http', 'ws')]),
  );
  expect(images?.split(' ')).toContain(supabase.url);
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

test('nothing is stored on this machine, and no demo is offered', () => {
  expect(existsSync(unusedDir())).toBe(false);
  expect(told(shop.output())).toEqual([`The shop is open: ${shop.url}`]);
});

test('healthy while the project answers, unhealthy with status 503 while it does not, and healthy again after', async () => {
  const health = async () => {
    const response = await fetch(`${shop.url}/healthz`);
    return [response.status, await response.json()];
  };
  expect(await health()).toEqual([200, { status: 'ok' }]);
  expect(await project.stop()).toBe(0);
  expect(await health()).toEqual([503, { status: 'database-away' }]);
  const port = new URL(supabase.url).port;
  project = await startShop({ dataDir: join(folder, 'project'), env: { PORT: port } });
  expect(await health()).toEqual([200, { status: 'ok' }]);
  expect((await fetch(`${shop.url}/`)).status).toBe(200);
});

test('it stops at once and leaves nothing', async () => {
  expect(await shop.stop('SIGTERM')).toBe(0);
  expect(existsSync(unusedDir())).toBe(false);
});

test('a node that starts before its project can be reached is unhealthy until it can', async () => {
  await project.stop();
  const early = await tryStartShop({
    dataDir: unusedDir(),
    env: { SUPABASE_URL: supabase.url, SUPABASE_ANON_KEY: supabase.key },
  });
  if (!('url' in early)) throw new Error(`it did not start: ${early.output}`);
  shop = early;
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(503);
  const port = new URL(supabase.url).port;
  project = await startShop({ dataDir: join(folder, 'project'), env: { PORT: port } });
  await eventually(async () => (await fetch(`${shop.url}/healthz`)).status === 200, 'healthy', 10_000);
});
