import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encoded, isWhole, type RecordHead, readRecords, writeBackupFile } from './backup-file.ts';

let folder: string;
const at = (name: string) => join(folder, name);
const shop: RecordHead = { kind: 'shop', format: 1, madeAt: '2026-11-16T10:00:00.000Z', migrations: ['1'], demo: true };
const table: RecordHead = { kind: 'table', schema: 'public', name: 'a "b"\nc', columns: ['id', 'ü'] };
const rows = Buffer.from('1\tone\n0\ttwo\n'.repeat(20_000));
const end: RecordHead = { kind: 'end', tables: 1, rows: 40_000, files: 0 };

async function* small() {
  yield* encoded(shop);
  yield* encoded(end);
}
async function* large() {
  yield* encoded(shop);
  yield* encoded(table, [rows.subarray(0, 7), Buffer.alloc(0), rows.subarray(7)]);
  yield* encoded(end);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mithaas-backup-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('what was written is read, whatever is in it', async () => {
  const { bytes } = await writeBackupFile(at('large'), large());
  expect(statSync(at('large'))).toMatchObject({ size: bytes });
  expect(statSync(at('large')).mode & 0o777).toBe(0o600);
  expect(await isWhole(at('large'))).toBe(true);
  const read: [RecordHead, string][] = [];
  for await (const { head, body } of readRecords(at('large'))) {
    let text = '';
    for await (const piece of body) text += piece;
    read.push([head, text]);
  }
  expect(read).toEqual([
    [shop, ''],
    [table, rows.toString()],
    [end, ''],
  ]);
});

test('a body that is not read is passed over', async () => {
  const kinds: string[] = [];
  for await (const { head } of readRecords(at('large'))) kinds.push(head.kind);
  expect(kinds).toEqual(['shop', 'table', 'end']);
});

test('it is an ordinary gzip file, with its own checksum as the last line', async () => {
  expect(gunzipSync(readFileSync(at('large'))).toString()).toMatch(/"kind":"end".*\n0\nsha256 [0-9a-f]{64}\n$/);
});

test('not one byte may be cut off, added or changed', async () => {
  await writeBackupFile(at('small'), small());
  const whole = readFileSync(at('small'));
  const tried = async (bytes: Uint8Array) => {
    writeFileSync(at('tried'), bytes);
    return isWhole(at('tried'));
  };
  expect(await tried(whole)).toBe(true);
  expect(await tried(Buffer.concat([whole, Buffer.from('x')]))).toBe(false);
  for (let length = 0; length < whole.length; length += 1) {
    expect(await tried(whole.subarray(0, length))).toBe(false);
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(length) ^ 0x10, length);
    expect(await tried(changed)).toBe(false);
  }
});

test('a file that is there is not written over, and what failed leaves none', async () => {
  const before = readFileSync(at('small'));
  await expect(writeBackupFile(at('small'), large())).rejects.toThrow('is there already');
  expect(readFileSync(at('small')).equals(before)).toBe(true);
  async function* failing() {
    yield* encoded(shop);
    throw new Error('the database went away');
  }
  for (let time = 0; time < 50; time += 1)
    await expect(writeBackupFile(at(`failed-${time}`), failing())).rejects.toThrow('the database went away');
  await sleep(100); // nor does one come late
  expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([]);
});
