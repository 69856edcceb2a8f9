import type { Sql } from 'postgres';
import { expect, test } from 'vitest';
import type { LogEntry } from '../../host/log.ts';
import { createSecurityLog } from './security-log.ts';

function counting(fails = false) {
  const clock = { now: 0 };
  const entries: LogEntry[] = [];
  let statements = 0;
  const sql = (async () => {
    statements += 1;
    if (fails) throw new Error('away');
    return [];
  }) as unknown as Sql;
  const log = createSecurityLog(
    sql,
    (entry) => void entries.push(entry),
    () => clock.now,
  );
  return { log, clock, entries, statements: () => statements };
}
const from = (address: string) => ({ address, userAgent: 'Firefox' });

test('a flood from one address costs the database twenty statements a minute', async () => {
  const { log, clock, statements } = counting();
  for (let n = 0; n < 1000; n += 1) await log.record({ kind: 'sign-in-refused' }, from('192.0.2.1'));
  expect(statements()).toBe(20);
  await log.record({ kind: 'sign-in-refused' }, from('192.0.2.2'));
  await log.record({ kind: 'console-refused' }, from('192.0.2.1'));
  expect(statements()).toBe(22);
  clock.now += 60_000;
  await log.record({ kind: 'sign-in-refused' }, from('192.0.2.1'));
  expect(statements()).toBe(23);
});

test('a flood from ever new addresses is bounded, in memory too', async () => {
  const { log, statements } = counting();
  for (let n = 0; n < 12_000; n += 1)
    await log.record({ kind: 'sign-in-failed' }, from(`2001:db8:0:${n.toString(16)}::1`));
  expect(statements()).toBe(10_000);
});

test('a database that is away does not change the response, and the log says so without an address', async () => {
  const { log, entries } = counting(true);
  await log.record({ kind: 'sign-in-failed' }, from('192.0.2.1'));
  expect(entries).toMatchObject([{ event: 'security-event-not-recorded', kind: 'sign-in-failed' }]);
  expect(JSON.stringify(entries)).not.toContain('192.0.2.1');
});

test('the addresses of one IPv6 network count as one', async () => {
  const { log, statements } = counting();
  for (let n = 0; n < 100; n += 1) await log.record({ kind: 'sign-in-failed' }, from(`2001:db8::${n.toString(16)}`));
  expect(statements()).toBe(20);
});
