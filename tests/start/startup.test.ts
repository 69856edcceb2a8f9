import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/proxy.ts';
import {
  newDataDir,
  plainEnvironment,
  type RunningShop,
  removeDataDir,
  startShop,
  tryStartShop,
} from '../support/shop.ts';
import { newCustomer, publicEnvironment, type ShopClient, userIdOf } from '../support/visitor.ts';
import { demoCounts, leftoversOf, told, withSql } from './processes.ts';

// The tests of this file run in order: a first start, a second shop beside it, a stop, a second start.
type Seen = { status: number; text: string; page: number };
let folder: string;
let dataDir: string;
let packages: string;
let env: Record<string, string>;
let shop: RunningShop;
let seen: Seen[];

beforeAll(async () => {
  folder = await newDataDir();
  dataDir = join(folder, 'data');
  packages = join(folder, 'packages');
  // A temp folder of its own shows what is left in it.
  env = { PORT: String(await freePort()), TMPDIR: join(folder, 'tmp') };
  mkdirSync(join(folder, 'tmp'));
  const watching = watchHealth(`http://127.0.0.1:${env.PORT}`);
  shop = await startShop({ dataDir, env });
  seen = await watching;
});

afterAll(async () => {
  await shop?.stop();
  await removeDataDir(folder);
});

/** Sends requests from the moment of spawning until the shop is healthy; refused connections do not count. */
async function watchHealth(url: string): Promise<Seen[]> {
  const answers: Seen[] = [];
  const deadline = Date.now() + 60_000;
  while (answers.at(-1)?.status !== 200 && Date.now() < deadline) {
    try {
      const page = answers.length === 0 ? (await fetch(url)).status : 0;
      const response = await fetch(`${url}/healthz`);
      answers.push({ status: response.status, text: await response.text(), page });
    } catch {
      // not listening yet
    }
    await sleep(20);
  }
  return answers;
}

function leftovers(ownDir = dataDir): string[] {
  return [...leftoversOf(ownDir), ...readdirSync(env.TMPDIR ?? '').filter((name) => name.startsWith('mithaas-pg-'))];
}

/** What is printed besides the steps and the greeting of an open shop. */
const complaints = (output: string) =>
  told(output).filter((line) => !/^( {2}|The shop is open|Sign in with|Everything in it)/.test(line));

async function allProducts(): Promise<{ Name: string }[]> {
  const { url, key } = await publicEnvironment(shop.url);
  const response = await fetch(`${url}/rest/v1/Products?select=Name`, { headers: { apikey: key } });
  return (await response.json()) as { Name: string }[];
}

test('a shop that has just started serves two hundred visitors at the same time', async () => {
  const { url, key } = await publicEnvironment(shop.url);
  const visits = Array.from({ length: 200 }, async () => {
    const response = await fetch(`${url}/rest/v1/Products?select=Id`, { headers: { apikey: key } });
    return [response.status, ((await response.json()) as unknown[]).length];
  });
  expect(new Set((await Promise.all(visits)).map(String))).toEqual(new Set(['200,38']));
});

test('it reports that it is starting from the first moment, and healthy only once it serves', () => {
  const last = seen.at(-1);
  expect(last).toEqual({ status: 200, text: '{"status":"ok"}', page: 0 });
  const before = seen.slice(0, -1);
  expect(before.length).toBeGreaterThan(0);
  expect(new Set(before.map(({ status, text }) => `${status} ${text}`))).toEqual(
    new Set(['503 {"status":"starting"}']),
  );
  expect(before[0]?.page).toBe(503);
});

test('the first page has the sweets in its HTML', async () => {
  const response = await fetch(`${shop.url}/`);
  const html = await response.text();
  expect(response.status).toBe(200);
  const shown = (await allProducts()).filter(({ Name }) => html.includes(Name.replaceAll('&', '&amp;')));
  expect(shown.length).toBeGreaterThan(5);
});

test('it prints its steps, then its address and how to sign in, and no warning', () => {
  const output = shop.output();
  const told = ['Creating the database', 'Database started', 'Database migrated', 'Demo shop filled'];
  const positions = [...told, `The shop is open: http://localhost:${env.PORT}\n`, 'Sign in with "Login"'].map((text) =>
    output.indexOf(text),
  );
  expect(positions).not.toContain(-1);
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(output).not.toMatch(/experimental|not supported|deprecat|warning/i);
});

test('only its own user can read its keys', () => {
  expect(statSync(join(dataDir, 'keys.json')).mode & 0o777).toBe(0o600);
});

test('a second shop on the same folder says so and exits, the first keeps running', async () => {
  const second = await tryStartShop({ dataDir, env: { TMPDIR: env.TMPDIR ?? '' } });
  expect(second).toMatchObject({ code: 1 });
  const said = 'output' in second && typeof second.output === 'string' ? complaints(second.output) : [];
  expect(said).toEqual([expect.stringMatching(/^Another shop \(process \d+\) is using .*\.$/)]);
  expect(said[0]).toContain(`(process ${shop.process.pid}) is using ${dataDir}.`);
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
  expect(await allProducts()).toHaveLength(38);
});

test('when the port is taken it names the port, exits and leaves nothing behind', async () => {
  const elsewhere = join(folder, 'elsewhere');
  const second = await tryStartShop({ dataDir: elsewhere, env });
  expect(second).toMatchObject({ code: 1 });
  expect(complaints(second.output as string)).toEqual([
    `Port ${env.PORT} is taken. Stop what uses it, or set PORT to another one.`,
  ]);
  expect(existsSync(elsewhere)).toBe(false);
});

let customer: ShopClient;
let countsBefore: unknown;

test('SIGTERM stops it with code 0 and leaves no process and no socket', async () => {
  customer = await newCustomer(shop.url);
  const { error } = await customer
    .from('user_profiles')
    .insert({ user_id: await userIdOf(customer), city: 'Pune', zip: '411001' });
  expect(error).toBe(null);
  countsBefore = await withSql(dataDir, demoCounts);
  expect(await shop.stop('SIGTERM')).toBe(0);
  expect(leftovers()).toEqual([]);
});

test('a second start is quick, keeps the data and sessions of customers, and adds no demo data twice', async () => {
  const started = Date.now();
  const listed = { NODE_OPTIONS: `--require ${join(import.meta.dirname, 'list-packages.cjs')}`, PACKAGES_TO: packages };
  shop = await startShop({ dataDir, env: { ...env, ...listed } });
  expect(Date.now() - started).toBeLessThan(20_000);
  // supabase-js still holds the session of before: the same keys must still verify it.
  const { data } = await customer.from('user_profiles').select('city, zip');
  expect(data).toEqual([{ city: 'Pune', zip: '411001' }]);
  expect(await withSql(dataDir, demoCounts)).toEqual(countsBefore);
  expect(shop.output()).not.toMatch(/Creating the database|Database migrated|Demo shop filled/);
});

test('Ctrl-C stops it with code 0, also with a browser still connected, and leaves no process and no socket', async () => {
  const { url, key } = await publicEnvironment(shop.url);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`);
  await new Promise((opened, failed) => {
    socket.onopen = opened;
    socket.onerror = failed;
  });
  const stopped = Date.now();
  expect(await shop.stop('SIGINT')).toBe(0);
  expect(Date.now() - stopped).toBeLessThan(10_000);
  expect(leftovers()).toEqual([]);
});

test('`npm start` opens the shop, stops together with it, and leaves no process', async () => {
  shop = await startShop({ dataDir, env, command: ['npm', 'start'] });
  expect((await fetch(shop.url)).status).toBe(200);
  expect(await shop.stop()).toBe(0);
  expect(leftovers()).toEqual([]);
});

test('pages are rendered by the production build of React without any setting', () => {
  const react = readFileSync(packages, 'utf8').match(/react(-dom)?\/cjs\/.*/g) ?? [];
  expect(react.length).toBeGreaterThan(2);
  for (const file of react) expect(file).toMatch(/\.production\.js$/);
});

// A first start spends its time in initdb, a later one between the database's first answer and the open shop.
const moments = [
  ['while it creates the database', 'first', '  Creating the database', 300],
  ['a moment after the database has started', 'database', '  Database started', 200],
  ['when the database has just started', 'database', '  Database started', 0],
  ['two moments later', 'database', '  Database started', 400],
  ['three moments later', 'database', '  Database started', 600],
] as const;
test.for(process.env.SOAK ? moments : moments.slice(0, 2))(
  'Ctrl-C during the start, %s, stops it without an error and leaves nothing behind',
  async ([, kind, text, delay]) => {
    const ownDir = kind === 'first' ? join(folder, 'first') : dataDir;
    const { code, output } = await interrupt(ownDir, text, delay);
    expect({ code, left: leftovers(ownDir), said: complaints(output) }).toEqual({ code: 0, left: [], said: [] });
  },
);

/** Starts a shop and sends SIGINT some time after a text is printed. */
async function interrupt(ownDir: string, text: string, delay: number) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/main.ts')], {
    env: { ...plainEnvironment(), DATA_DIR: ownDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  let asked = false;
  const listen = (chunk: Buffer) => {
    output += chunk;
    if (!asked && output.includes(text)) setTimeout(() => child.kill('SIGINT'), delay);
    asked ||= output.includes(text);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  return { code: await ended, output };
}

test('damaged keys stop the start with the reason', async () => {
  const file = join(dataDir, 'keys.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.slice(0, 60));
  const failed = await tryStartShop({ dataDir, env });
  expect(failed).toMatchObject({ code: 1 });
  expect(complaints(failed.output as string).at(-1)).toMatch(new RegExp(`^${file} is damaged: .*$`));
  expect(failed.output).not.toContain(JSON.parse(whole).secretKey);
  expect(leftovers()).toEqual([]);
});
