import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { actAs, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
});
afterAll(() => database.drop());

type Age = { started?: string; used?: string | null };

async function insertSession(userId: string, { started = '1 hour', used = null }: Age = {}): Promise<string> {
  const id = randomUUID();
  await sql`insert into auth.sessions (id, user_id, created_at, refreshed_at, user_agent)
    values (${id}, ${userId}, now() - ${started}::interval,
            (now() - ${used}::interval) at time zone 'UTC', 'Firefox')`;
  await insertToken({ token: `token ${id}`, user_id: userId, session_id: id });
  return id;
}

/** A project numbers it; the embedded backend's library brings an id of its own. */
async function insertToken(token: Record<string, string>) {
  const [column] = await sql`select data_type as type from information_schema.columns
    where table_schema = 'auth' and table_name = 'refresh_tokens' and column_name = 'id'`;
  const ownId = column?.type === 'text' ? { id: randomUUID() } : {};
  await sql`insert into auth.refresh_tokens ${sql({ ...ownId, ...token, revoked: false })}`;
}
type Row = { id: string; user_agent: string; is_current: boolean };

/** As a customer, with the claims of one of their access tokens. */
function asSession<T extends readonly unknown[]>(
  userId: string,
  session: string | null,
  work: (tx: Parameters<typeof actAs>[0]) => Promise<T>,
) {
  return sql.begin(async (tx) => {
    await actAs(tx, { userId });
    const claims = JSON.stringify({ sub: userId, role: 'authenticated', session_id: session });
    await tx`select set_config('request.jwt.claims', ${claims}, true)`;
    return work(tx);
  }) as Promise<T>;
}
const mySessions = (userId: string, session: string | null = null) =>
  asSession(userId, session, (tx) => tx<Row[]>`select * from public.my_sessions()`);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
const sessionsLeft = async (userId: string) =>
  idsOf(await sql<{ id: string }[]>`select id from auth.sessions where user_id = ${userId} order by created_at`);
const events = (userId: string) =>
  sql<{ kind: string; address: string }[]>`
    select kind, address from private.security_events where user_id = ${userId} order by id`;

describe('my_sessions', () => {
  test('lists the caller’s own, this one first, then the last used; no other customer’s', async () => {
    const [mine, other] = [await insertUser(sql), await insertUser(sql)];
    const old = await insertSession(mine, { started: '20 days', used: '2 days' });
    const here = await insertSession(mine, { started: '10 days', used: '5 days' });
    const recent = await insertSession(mine, { started: '1 hour' });
    await insertSession(other);
    const rows = await mySessions(mine, here);
    expect(idsOf(rows)).toEqual([here, recent, old]);
    expect(rows.map(({ is_current }) => is_current)).toEqual([true, false, false]);
    expect(rows[0]?.user_agent).toBe('Firefox');
    expect(await mySessions(await insertUser(sql))).toHaveLength(0);
  });

  test('does not list what is expired', async () => {
    const mine = await insertUser(sql);
    await insertSession(mine, { started: '31 days' });
    await insertSession(mine, { started: '60 days', used: '31 days' });
    await insertSession(mine, { started: '181 days', used: '1 minute' });
    const alive = await insertSession(mine, { started: '179 days', used: '29 days' });
    expect(idsOf(await mySessions(mine))).toEqual([alive]);
  });

  test('is not for visitors who are not signed in', async () => {
    const refused = sql.begin(async (tx) => {
      await actAs(tx, 'anon');
      return tx`select * from public.my_sessions()`;
    });
    await expect(refused).rejects.toMatchObject({ code: '42501' });
  });
});

describe('logging out', () => {
  test('of one session ends that one with its refresh tokens, and says so in the security log', async () => {
    const mine = await insertUser(sql);
    const [here, elsewhere] = [await insertSession(mine), await insertSession(mine)];
    const [done] = await asSession(mine, here, (tx) => tx`select public.end_my_session(${elsewhere}) as ended`);
    expect(done?.ended).toBe(true);
    expect(await sessionsLeft(mine)).toEqual([here]);
    expect(await sql`select from auth.refresh_tokens where session_id = ${elsewhere}`).toHaveLength(0);
    expect(await events(mine)).toMatchObject([{ kind: 'session-ended' }]);
  });

  test('of another customer’s session does nothing', async () => {
    const [mine, other] = [await insertUser(sql), await insertUser(sql)];
    const theirs = await insertSession(other);
    const [done] = await asSession(mine, null, (tx) => tx`select public.end_my_session(${theirs}) as ended`);
    expect(done?.ended).toBe(false);
    expect(await sessionsLeft(other)).toEqual([theirs]);
    expect(await events(mine)).toHaveLength(0);
  });

  test('everywhere ends all sessions of the caller and no other customer’s', async () => {
    const [mine, other] = [await insertUser(sql), await insertUser(sql)];
    const here = await insertSession(mine);
    await insertSession(mine);
    const theirs = await insertSession(other);
    const [done] = await asSession(mine, here, (tx) => tx`select public.end_my_sessions() as ended`);
    expect(done?.ended).toBe(2);
    expect(await sessionsLeft(mine)).toEqual([]);
    expect(await sessionsLeft(other)).toEqual([theirs]);
    expect(await events(mine)).toMatchObject([{ kind: 'logged-out-everywhere' }]);
  });
});

describe('an administrator', () => {
  const endSessions = (caller: string, customer: string) =>
    asSession(caller, null, (tx) => tx`select public.admin_end_sessions(${customer}) as ended`);

  test('logs a customer out everywhere, and the security log says who did it', async () => {
    const [administrator, other] = [await insertUser(sql, { administrator: true }), await insertUser(sql)];
    const mine = await insertUser(sql);
    await insertSession(mine);
    await insertSession(mine);
    const theirs = await insertSession(other);
    expect((await endSessions(administrator, mine))[0]?.ended).toBe(2);
    expect(await sessionsLeft(mine)).toEqual([]);
    expect(await sessionsLeft(other)).toEqual([theirs]);
    const recorded = await sql`select kind, user_id from private.security_events where subject_id = ${mine}`;
    expect(recorded).toEqual([{ kind: 'logged-out-everywhere', user_id: administrator }]);
  });

  test('is the only one who can do that', async () => {
    const [mine, other] = [await insertUser(sql), await insertUser(sql)];
    const theirs = await insertSession(other);
    await expect(endSessions(mine, other)).rejects.toMatchObject({ code: 'PT403' });
    expect(await sessionsLeft(other)).toEqual([theirs]);
  });
});

describe('a token whose session has ended', () => {
  const checked = (userId: string, session: string | null) =>
    asSession(userId, session, (tx) => tx`select private.check_session()`);

  test('is refused before every request, as 401; one without a session, or of one that exists, is not', async () => {
    const [mine, other] = [await insertUser(sql), await insertUser(sql)];
    const [here, theirs] = [await insertSession(mine), await insertSession(other)];
    await checked(mine, here);
    await checked(mine, null);
    for (const session of [randomUUID(), theirs])
      await expect(checked(mine, session)).rejects.toMatchObject({ code: 'PT401' });
    await sql`delete from auth.sessions where id = ${here}`;
    await expect(checked(mine, here)).rejects.toMatchObject({ code: 'PT401' });
  });

  test('reads no orders and makes no administrator, also where nothing checks before: in realtime and Storage', async () => {
    const [administrator, mine] = [await insertUser(sql, { administrator: true }), await insertUser(sql)];
    const [console_, own] = [await insertSession(administrator), await insertSession(mine)];
    const order = (await insertPaidOrder(sql, { userId: mine, productId: await insertProduct(sql, { stock: 5000 }) }))
      .id;
    const isAdmin = async () =>
      (await asSession(administrator, console_, (tx) => tx`select private.is_admin() as yes`))[0]?.yes;
    const orders = () =>
      asSession(mine, own, (tx) => tx<{ id: string }[]>`select id from public.orders where id = ${order}`);
    expect([await isAdmin(), (await orders()).length]).toEqual([true, 1]);
    await sql`delete from auth.sessions where id in ${sql([console_, own])}`;
    expect([await isAdmin(), (await orders()).length]).toEqual([false, 0]);
  });

  test('is known to functions, also under many simultaneous requests', async () => {
    const mine = await insertUser(sql);
    const [here, gone] = [await insertSession(mine), randomUUID()];
    const calls = [gone, here, gone].map((session_id) => ({ session_id, user_id: mine }));
    const [row] = await sql`select public.is_session_active(${here}, ${mine}) as one,
      public.are_sessions_active(${sql.json(calls)}) as many`;
    expect(row).toEqual({ one: true, many: [false, true, false] });
  });
});

describe('an authorization code', () => {
  const newCode = async () => {
    const code = randomUUID();
    await sql`insert into auth.flow_state (id, auth_code, provider_type, authentication_method)
      values (${randomUUID()}, ${code}, 'google', 'oauth')`;
    return code;
  };
  const note = (code: string) => sql`select private.record_code(${code})`;
  const bind = async (code: string, session: string) =>
    (await sql`select private.bind_code(${code}, ${session}, '10.0.0.1', 'Firefox') as kept`)[0]?.kept;
  const report = (code: string) => sql`select private.report_reused_code(${code}, '10.0.0.9', 'curl')`;

  test('that is used again ends the session it opened and no other', async () => {
    const mine = await insertUser(sql);
    const [opened, elsewhere] = [await insertSession(mine), await insertSession(mine)];
    const code = await newCode();
    await note(code);
    expect(await bind(code, opened)).toBe(true);
    await report(code);
    expect(await sessionsLeft(mine)).toEqual([elsewhere]);
    expect(await events(mine)).toEqual([{ kind: 'code-reused', address: '10.0.0.9' }]);
    await report(code); // the second time nothing is left to end
    expect(await events(mine)).toHaveLength(1);
  });

  test('that is used again before the first use is done keeps no session', async () => {
    const mine = await insertUser(sql);
    const opened = await insertSession(mine);
    const code = await newCode();
    await note(code);
    await report(code);
    expect(await bind(code, opened)).toBe(false);
    expect(await sessionsLeft(mine)).toEqual([]);
  });

  test('that Auth never gave leaves no row, and those of yesterday go', async () => {
    const [invented, old] = [randomUUID(), await newCode()];
    await note(invented);
    await note(old);
    await sql`update private.used_codes set noted_at = now() - interval '25 hours' where code_hash = private.code_hash(${old})`;
    const rows = () =>
      sql`select from private.used_codes where code_hash in (private.code_hash(${invented}), private.code_hash(${old}))`;
    expect(await rows()).toHaveLength(1);
    await sql`select public.sweep_sign_ins()`;
    expect(await rows()).toHaveLength(0);
  });
});

test('Auth’s own log is kept for 90 days', async () => {
  const [old, recent] = [randomUUID(), randomUUID()];
  await sql`insert into auth.audit_log_entries (id, created_at) values
    (${old}, now() - interval '91 days'), (${recent}, now() - interval '89 days')`;
  await sql`select public.sweep_sign_ins()`;
  expect(await sql`select id from auth.audit_log_entries where id in ${sql([old, recent])}`).toEqual([{ id: recent }]);
});

describe('a refresh token', () => {
  const mayRefresh = async (token: string, at = new Date()) =>
    (await sql`select private.can_refresh(${token}, '10.0.0.1', 'Firefox', ${at}) as allowed`)[0]?.allowed;
  async function replace(session: string, token: string, by: string, secondsAgo: number) {
    await sql`update auth.refresh_tokens set revoked = true, updated_at = now() - ${secondsAgo} * interval '1 second' where token = ${token}`;
    const [row] = await sql<{ user_id: string }[]>`select user_id from auth.refresh_tokens where token = ${token}`;
    await insertToken({ token: by, user_id: row?.user_id ?? '', session_id: session, parent: token });
  }

  test('that was replaced a moment ago is accepted, for a tab that refreshed at the same time', async () => {
    const session = await insertSession(await insertUser(sql));
    expect(await mayRefresh(`token ${session}`)).toBe(true);
    await replace(session, `token ${session}`, `second ${session}`, 3);
    expect(await mayRefresh(`token ${session}`)).toBe(true);
    expect(await mayRefresh(`second ${session}`)).toBe(true);
  });

  test('that was replaced longer ago ends the session, and says so in the security log', async () => {
    const mine = await insertUser(sql);
    const [session, elsewhere] = [await insertSession(mine), await insertSession(mine)];
    await replace(session, `token ${session}`, `second ${session}`, 11);
    expect(await mayRefresh(`token ${session}`)).toBe(false);
    expect(await sessionsLeft(mine)).toEqual([elsewhere]);
    expect(await sql`select from auth.refresh_tokens where session_id = ${session}`).toHaveLength(0);
    expect(await events(mine)).toEqual([{ kind: 'token-reused', address: '10.0.0.1' }]);
  });

  test('whose successor was replaced as well ends the session immediately', async () => {
    const mine = await insertUser(sql);
    const session = await insertSession(mine);
    await replace(session, `token ${session}`, `second ${session}`, 2);
    await replace(session, `second ${session}`, `third ${session}`, 1);
    expect(await mayRefresh(`token ${session}`)).toBe(false);
    expect(await sessionsLeft(mine)).toEqual([]);
  });

  test('that is unknown is left to Auth to refuse', async () => {
    expect(await mayRefresh('no such token')).toBe(true);
  });
});

test('expired sessions are deleted, and a clock that is ahead logs no one out', async () => {
  const mine = await insertUser(sql);
  await insertSession(mine, { started: '31 days' });
  await insertSession(mine, { started: '181 days', used: '1 minute' });
  const alive = await insertSession(mine, { started: '170 days', used: '20 days' });
  await sql`select public.sweep_sign_ins(now() + interval '1 year')`;
  expect(await sessionsLeft(mine)).toEqual([alive]);
});
