import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyFilledShop } from '../support/filled-shop.ts';
import { treeOf } from '../support/process-tree.ts';
import { newDataDir, plainEnvironment, type RunningShop, removeDataDir, startShop } from '../support/shop.ts';
import { newCustomer, type ShopClient, userIdOf } from '../support/visitor.ts';
import { demoCounts, eventually, leftoversOf, told, withSql } from './processes.ts';

let dataDir: string;
let shop: RunningShop;
let whole: Record<string, unknown> | undefined;

beforeAll(async () => {
  dataDir = await copyFilledShop();
  shop = await startShop({ dataDir });
  whole = await withSql(dataDir, demoCounts);
});

afterAll(async () => {
  await shop?.stop();
  await removeDataDir(dataDir);
});

type Writer = { userId: string; acknowledged: number; asked: number; reviews: string[]; finished: Promise<void> };

/** A customer who saves the profile as fast as it goes, and writes the reviews one may write in an hour. */
async function startWriting(url: string): Promise<Writer> {
  const client = await newCustomer(url);
  const userId = await userIdOf(client);
  const writer: Writer = { userId, acknowledged: 0, asked: 0, reviews: [], finished: Promise.resolve() };
  writer.finished = write(client, writer);
  return writer;
}

async function write(client: ShopClient, writer: Writer): Promise<void> {
  for (let round = 1; ; round++) {
    writer.asked = round;
    const [building_no, street, city] = ['No.', 'Street', 'City'].map((word) => `${word} ${round}`);
    const profile = { user_id: writer.userId, building_no, street, city } as { user_id: string };
    const saved = await client.from('user_profiles').upsert(profile);
    if (saved.error) return;
    writer.acknowledged = round;
    if (round % 4 === 0 && writer.reviews.length < 5) {
      const content = `Review ${round} of ${writer.userId}`;
      const written = await client
        .from('comments')
        .insert({ content, rating: 4, product_id: writer.reviews.length + 1 });
      if (written.error) return;
      writer.reviews.push(content);
    }
  }
}

/** Five customers write until each has something to lose; then `kill` strikes while they go on. */
async function killWhileWriting(kill: () => void): Promise<Writer[]> {
  // Far more edits than a customer may make in an hour.
  await withSql(dataDir, (sql) => sql`alter table public.user_profiles disable trigger user_profiles_limit`);
  const writers = await Promise.all(Array.from({ length: 5 }, () => startWriting(shop.url)));
  await eventually(() => writers.every(({ acknowledged }) => acknowledged >= 12), 'every customer has written');
  const gone = once(shop.process, 'exit');
  kill();
  await gone;
  await Promise.all(writers.map(({ finished }) => finished));
  return writers;
}

async function expectNothingLost(writers: Writer[]): Promise<void> {
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
  await withSql(dataDir, async (sql) => {
    for (const { userId, acknowledged, asked, reviews } of writers) {
      const [profile] = await sql`select building_no, street, city from public.user_profiles where user_id = ${userId}`;
      const stored = Number(profile?.building_no.slice('No. '.length));
      // What was acknowledged is there; the one write that was under way is there as a whole or not at all.
      expect([acknowledged, asked]).toContain(stored);
      expect(profile).toEqual({ building_no: `No. ${stored}`, street: `Street ${stored}`, city: `City ${stored}` });
      const rows = await sql`select content from public.comments where user_id = ${userId} order by id`;
      expect(reviews.length).toBeGreaterThan(0);
      expect(rows.map(({ content }) => content).slice(0, reviews.length)).toEqual(reviews);
    }
    const [rating] = await sql`
      select p.review_count, p."Rating" as rating, count(c.id)::int as counted, round(avg(c.rating), 2) as average
      from public."Products" p join public.comments c on c.product_id = p."Id" and c.hidden_at is null
      where p."Id" = 1 group by p."Id"`;
    expect([rating?.review_count, rating?.rating]).toEqual([rating?.counted, rating?.average]);
    expect(await demoCounts(sql)).toEqual(whole);
  });
}

test('kill -9 of the shop while customers write loses no confirmed write', async () => {
  const writers = await killWhileWriting(() => shop.process.kill('SIGKILL'));
  shop = await startShop({ dataDir });
  await expectNothingLost(writers);
});

test('kill -9 of the shop and all its database processes together loses no confirmed write', async () => {
  const tree = treeOf(shop.process.pid ?? 0);
  expect(tree.length).toBeGreaterThan(4);
  const writers = await killWhileWriting(() => {
    for (const pid of new Set([...tree, ...treeOf(shop.process.pid ?? 0)])) killIfThere(pid);
  });
  shop = await startShop({ dataDir });
  await expectNothingLost(writers);
});

test('when only the database is killed the shop says so and exits, and the next start has everything', async () => {
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  const writers = await killWhileWriting(() => process.kill(postmaster, 'SIGKILL'));
  const { exitCode } = shop.process;
  const lastWords = told(shop.output()).slice(
    told(shop.output()).findIndex((line) => line.startsWith('Everything')) + 1,
  );
  await eventually(() => leftoversOf(dataDir).length === 0, 'nothing is left of it');
  shop = await startShop({ dataDir });
  await expectNothingLost(writers);
  expect({ exitCode, lastWords }).toEqual({
    exitCode: 1,
    lastWords: ['The database has stopped unexpectedly; the shop stops too.'],
  });
});

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test('a first start that is killed repeatedly still ends in a complete demo shop', { timeout: 300_000 }, async () => {
  const folder = await newDataDir();
  try {
    // While the shop is being filled; in the soak run also at a random moment in each part of the first three seconds.
    const kills = process.env.SOAK ? 30 : 0;
    for (let part = 0; part < kills; part++) {
      const strike = Math.round(((part + Math.random()) * 3000) / kills);
      await killFirstStart(folder, (output, elapsed) => elapsed > strike || output.includes('The shop is open'));
    }
    await killFirstStart(folder, (output) => /Database migrated|The shop is open/.test(output));
    const opened = await startShop({ dataDir: folder });
    try {
      expect((await fetch(`${opened.url}/healthz`)).status).toBe(200);
      const counts = await withSql(folder, demoCounts);
      expect(counts).toMatchObject({ products: 38, seeded: 1, violations: 0 });
      // Movements follow the hour at which a shop is filled.
      expect(counts).toEqual({ ...whole, movements: expect.any(Number) });
    } finally {
      expect(await opened.stop()).toBe(0);
    }
    expect(leftoversOf(folder)).toEqual([]);
  } finally {
    await removeDataDir(folder);
  }
});

async function killFirstStart(folder: string, isTime: (output: string, elapsed: number) => boolean): Promise<void> {
  const started = Date.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../server/main.ts')], {
    env: { ...plainEnvironment(), PORT: '0', DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const gone = once(child, 'exit');
  while (!isTime(output, Date.now() - started)) await sleep(5);
  child.kill('SIGKILL');
  await gone;
}
