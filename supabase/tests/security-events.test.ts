import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertUser } from '../../tests/support/rows.ts';
import { type Args, callConsole } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let asha: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  asha = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
});
afterAll(() => database.drop());

type Row = { id: number; kind: string; times: number; person: string | null; subject: string | null; address: string };
type Page = { rows: Row[]; next: number | null };
const read = (args: Args = {}) => callConsole<Page>(sql, asha, 'admin_read_security_log', args);
const record = (kind: string, userId: string | null, address: string, at = new Date()) =>
  sql`select private.record_security_event(${kind}, ${userId}, ${address}, 'Firefox', '', null, ${at})`;
/** A person whom no other test names. */
const newPerson = async () => {
  const name = `Person ${randomUUID().slice(0, 8)}`;
  return { name, id: await insertUser(sql, { name }) };
};

describe('is recorded', () => {
  test('who became an administrator, and who no longer is one', async () => {
    const { id, name } = await newPerson();
    await sql`insert into private.administrators (user_id) values (${id})`;
    await sql`delete from private.administrators where user_id = ${id}`;
    const { rows } = await read({ person: name });
    expect(rows.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['administrator-removed', name],
      ['administrator-added', name],
    ]);
  });

  test('which administrator blocked which customer, from where', async () => {
    const { id, name } = await newPerson();
    await as(sql, asha, async (tx) => {
      const headers = JSON.stringify({ 'cf-connecting-ip': '203.0.113.7', 'user-agent': 'Safari' });
      await tx`select set_config('request.headers', ${headers}, true)`;
      return tx`select public.admin_block_customer(${id}, true, 'Never pays', null)`;
    });
    expect((await read({ person: name })).rows).toMatchObject([
      { kind: 'customer-blocked', person: 'Asha Rao', subject: name, address: '203.0.113.7', user_agent: 'Safari' },
    ]);
  });

  test('that a key of the installation was replaced, and never the key', async () => {
    await sql`insert into private.instance (name, value) values ('jwt_secret', 'first-secret')`;
    await sql`update private.instance set value = 'second-secret' where name = 'jwt_secret'`;
    const { rows } = await read({ kinds: ['secret-changed'] });
    expect(rows).toMatchObject([{ detail: 'jwt_secret' }]);
    expect(JSON.stringify(rows)).not.toContain('-secret"');
  });

  test('who downloaded which file of customer data, one entry each', async () => {
    const { id, name } = await newPerson();
    for (const what of ['orders', 'customers', 'customers', 'documents', 'own-data', 'products'])
      await as(sql, 'service', (tx) => tx`select public.record_download(${id}, ${what}, 'Safari')`);
    const { rows } = await read({ person: name });
    expect(rows.map(({ kind }) => kind).sort()).toEqual([
      'customers-downloaded',
      'documents-downloaded',
      'orders-downloaded',
      'own-data-downloaded',
    ]);
    await expect(as(sql, asha, (tx) => tx`select public.record_download(${id}, 'customers')`)).rejects.toMatchObject({
      code: '42501',
    });
  });

  test('a sign-in of a hosted project, whose Auth writes the address into the session', async () => {
    const { id, name } = await newPerson();
    await sql`insert into auth.sessions (id, user_id, ip, user_agent) values (${randomUUID()}, ${id}, '198.51.100.4', 'Chrome')`;
    expect((await read({ person: name })).rows).toMatchObject([{ kind: 'signed-in', address: '198.51.100.4' }]);
  });
});

describe('a flood', () => {
  const at = new Date('2026-11-17T10:00:30Z');

  test('of the same event in a minute is one row that counts', async () => {
    const { id, name } = await newPerson();
    for (let n = 0; n < 50; n += 1) await record('console-refused', id, '192.0.2.1', at);
    await record('console-refused', id, '192.0.2.1', new Date(at.getTime() + 60_000));
    expect((await read({ person: name })).rows.map(({ times }) => times)).toEqual([1, 50]);
  });

  test('from many addresses stays within a hundred rows a minute', async () => {
    const minute = new Date('2026-11-17T11:00:30Z');
    for (let n = 0; n < 300; n += 1) await record('sign-in-failed', null, `2001:db8::${n}`, minute);
    const [sum] = await sql`select count(*)::int as rows, sum(times)::int as times from private.security_events
      where kind = 'sign-in-failed' and minute = date_trunc('minute', ${minute}::timestamptz)`;
    expect(sum).toEqual({ rows: 101, times: 300 });
  });
});

describe('the rows', () => {
  test('are never changed or deleted, not even by the owner of the database', async () => {
    const { id } = await newPerson();
    await record('signed-in', id, '192.0.2.9');
    for (const statement of [
      `update private.security_events set address = '' where user_id = '${id}'`,
      `update private.security_events set times = 0 where user_id = '${id}'`,
      `delete from private.security_events where user_id = '${id}'`,
      'truncate private.security_events',
    ])
      await expect(sql.unsafe(statement), statement).rejects.toMatchObject({ code: 'PT403' });
  });

  test('go after 90 days, and with the account', async () => {
    const [{ id }, gone] = [await newPerson(), await newPerson()];
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    await record('signed-in', id, '192.0.2.9', daysAgo(91));
    await record('signed-in', id, '192.0.2.9', daysAgo(89));
    await record('signed-in', gone.id, '192.0.2.10');
    await sql`select public.sweep_sign_ins()`;
    expect(await sql`select from private.security_events where user_id = ${id}`).toHaveLength(1);
    await sql`delete from auth.users where id = ${gone.id}`;
    expect(await sql`select from private.security_events where address = '192.0.2.10'`).toHaveLength(0);
  });

  test('of a deleted account are recorded without a name', async () => {
    await record('console-refused', randomUUID(), '192.0.2.11');
    const rows = await sql`select user_id from private.security_events where address = '192.0.2.11'`;
    expect(rows).toEqual([{ user_id: null }]);
  });
});

describe('the security log', () => {
  test('is for administrators', async () => {
    const customer = { userId: await insertUser(sql) };
    await expect(callConsole(sql, customer, 'admin_read_security_log', {})).rejects.toMatchObject({ code: 'PT403' });
  });

  test('is filtered by kind, person and days in India', async () => {
    const { id, name } = await newPerson();
    await record('signed-in', id, '192.0.2.20', new Date('2026-11-14T18:29:00Z')); // 23:59 on the 14th in India
    await record('console-refused', id, '192.0.2.20', new Date('2026-11-14T18:31:00Z')); // 00:01 on the 15th
    const kindsOf = async (args: Args) => (await read({ person: name, ...args })).rows.map(({ kind }) => kind);
    expect(await kindsOf({})).toEqual(['console-refused', 'signed-in']);
    expect(await kindsOf({ kinds: ['signed-in'] })).toEqual(['signed-in']);
    expect(await kindsOf({ last_day: '2026-11-14' })).toEqual(['signed-in']);
    expect(await kindsOf({ first_day: '2026-11-15' })).toEqual(['console-refused']);
    expect(await kindsOf({ person: `${name}%` })).toEqual([]);
  });

  test('comes in pages, without gaps or repeats', async () => {
    const { id, name } = await newPerson();
    for (let n = 0; n < 120; n += 1)
      await record('signed-in', id, `192.0.2.${n}`, new Date(Date.UTC(2026, 9, 1, 0, n)));
    const seen: number[] = [];
    let before_id: number | null = null;
    do {
      const page: Page = await read({ person: name, before_id });
      seen.push(...page.rows.map((row) => row.id));
      before_id = page.next;
    } while (before_id !== null);
    expect(seen).toHaveLength(120);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
  });
});
