import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const log = JSON.stringify(join(import.meta.dirname, 'log.ts'));

/** What a process prints that logs these entries, in a time zone of its own. */
async function printed(entries: object[]): Promise<string> {
  const script = `import { logToStdout } from ${log}; for (const entry of ${JSON.stringify(entries)}) logToStdout(entry);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', script], {
    env: { ...process.env, TZ: 'Asia/Kolkata' },
  });
  return stdout;
}

test('every entry is one line of JSON, whatever is in it, with its time in UTC', async () => {
  const odd = 'a line\nand another\r\n{"level":"error"}\u2028\u0000';
  const before = Date.now();
  const lines = (
    await printed([
      { level: 'info', event: 'one', path: odd },
      { level: 'warn', event: 'two' },
    ])
  ).split('\n');
  expect(lines.pop()).toBe('');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, string>);
  expect(entries.map(({ level, event, path }) => ({ level, event, path }))).toEqual([
    { level: 'info', event: 'one', path: odd },
    { level: 'warn', event: 'two', path: undefined },
  ]);
  for (const { at = '' } of entries) {
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000);
  }
});

test('the token of a signed link is in no entry: not as a path, not in the message of an error', async () => {
  const token = 'Ab-_'.repeat(18);
  const out = await printed([
    { level: 'info', event: 'request', path: `/order/${token}` },
    { level: 'info', event: 'request', path: `/order/${token}.data` },
    { level: 'info', event: 'request', path: `/order/%41${token.slice(1)}` },
    {
      level: 'error',
      event: 'page-failed',
      error: { message: `GET "https://shop.test/order/${token}?x" failed, ${token}` },
    },
    { level: 'info', event: 'request', path: '/admin/orders/42' },
  ]);
  expect(out).not.toContain(token.slice(1));
  expect(out.match(/\[token\]/g)).toHaveLength(5);
  expect(out).toContain('/admin/orders/42');
});
