// What customers agreed to be sent: each choice is recorded once, the last one counts, and a signed link stops one purpose.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { consentPurposes, purposeOfStopLink } from '../../domain/customers/consents.ts';
import { migrate } from '../../server/backends/schema/migrate.ts';
import { readMigrations } from '../../server/backends/schema/migration-history.ts';
import { newDatabase, newEmptyDatabase, supabaseDir, type TestDatabase } from '../../tests/support/database.ts';
import { as, grantEverything, insertUser } from '../../tests/support/rows.ts';
import { myConsents } from '../contracts/people.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await grantEverything(database.sql);
  await database.sql`select private.make_link_key()`;
});
afterAll(() => database.drop());

const call = (userId: string, text: string) =>
  as(database.sql, { userId }, async (tx) => (await tx.unsafe(`select public.${text} as answer`))[0]?.answer);
const mine = async (userId: string) => myConsents.result.parse(await call(userId, 'my_consents()'));
const choose = (userId: string, purpose: string, agreed: boolean, source = 'profile') =>
  call(userId, `choose_consent('${purpose}', ${agreed}, '${source}')`);
const agreedTo = async (userId: string) =>
  (await mine(userId)).filter(({ agreed }) => agreed).map(({ purpose }) => purpose);
const has = async (userId: string, purpose: string) =>
  (await database.sql`select private.has_consent(${userId}, ${purpose}) as agreed`)[0]?.agreed;
const rows = async (userId: string) =>
  (
    await database.sql`
      select purpose, is_agreed, source from private.consents where user_id = ${userId} order by id`
  ).map(({ purpose, is_agreed, source }) => [purpose, is_agreed, source]);

describe('choosing', () => {
  test('only questions about one’s own purchases are on before the customer chose', async () => {
    const userId = await insertUser(database.sql);
    const consents = await mine(userId);
    expect(consents.map(({ purpose }) => purpose)).toEqual([...consentPurposes]);
    expect(await agreedTo(userId)).toEqual(['review-requests']);
    for (const { since, source, history } of consents) expect([since, source, history]).toEqual([null, null, []]);
    for (const purpose of consentPurposes)
      expect(await has(userId, purpose), purpose).toBe(purpose === 'review-requests');
    expect(await has(userId, 'anything')).toBe(false);
  });

  test('is recorded with where and when, the last choice counts, and the same choice again is not recorded', async () => {
    const userId = await insertUser(database.sql);
    await choose(userId, 'news', true, 'checkout');
    await choose(userId, 'news', true);
    await choose(userId, 'news', false);
    await choose(userId, 'review-requests', true);
    await choose(userId, 'review-requests', false, 'order');
    await choose(userId, 'sms', false);
    expect(await rows(userId)).toEqual([
      ['news', true, 'checkout'],
      ['news', false, 'profile'],
      ['review-requests', false, 'order'],
    ]);
    expect(await agreedTo(userId)).toEqual([]);
    const news = (await mine(userId)).find(({ purpose }) => purpose === 'news');
    expect(news).toMatchObject({ agreed: false, source: 'profile' });
    expect(Math.abs(Date.parse(news?.since ?? '') - Date.now())).toBeLessThan(60_000);
    expect(news?.history.map(({ agreed, source }) => [agreed, source])).toEqual([
      [false, 'profile'],
      [true, 'checkout'],
    ]);
  });

  test('is for the caller alone, of a known purpose, and says where', async () => {
    const [userId, other] = [await insertUser(database.sql), await insertUser(database.sql)];
    await choose(userId, 'news', true);
    expect(await agreedTo(other)).toEqual(['review-requests']);
    await expect(choose(userId, 'orders', false)).rejects.toThrow(/no messages of this kind/);
    await expect(choose(userId, 'news', false, 'email')).rejects.toThrow(/choose whether/);
    await expect(call(userId, `choose_consent('news', null)`)).rejects.toThrow(/choose whether/);
    for (const text of [`choose_consent('news', true)`, 'my_consents()'])
      await expect(as(database.sql, 'anon', (tx) => tx.unsafe(`select public.${text}`))).rejects.toThrow(
        /permission denied/,
      );
  });

  test('never changes what was recorded', async () => {
    const userId = await insertUser(database.sql);
    await choose(userId, 'news', true);
    await expect(database.sql`update private.consents set is_agreed = false where user_id = ${userId}`).rejects.toThrow(
      /never changed/,
    );
  });

  test('back and forth has a limit', async () => {
    const userId = await insertUser(database.sql);
    for (let turn = 0; turn < 20; turn += 1) await choose(userId, 'news', turn % 2 === 0);
    await expect(choose(userId, 'news', true)).rejects.toThrow(/at most twenty an hour/);
    await choose(userId, 'sms', true);
  });

  test('twice at the same moment is recorded once', async () => {
    const userId = await insertUser(database.sql);
    await Promise.all([1, 2, 3, 4].map(() => choose(userId, 'whatsapp', true)));
    expect(await rows(userId)).toEqual([['whatsapp', true, 'profile']]);
  });
});

describe('the link in a message', () => {
  const stop = (token: string | null) =>
    as(
      database.sql,
      'anon',
      async (tx) => (await tx`select public.stop_messages(${token}) as stopped`)[0]?.stopped ?? null,
    );
  const tokenOf = async (userId: string, purpose: string) =>
    String((await database.sql`select private.stop_token(${userId}, ${purpose}) as token`)[0]?.token);
  const key = async () => String((await database.sql`select key from private.link_key`)[0]?.key);

  test('stops one purpose without a login, also when it is used twice', async () => {
    for (const purpose of consentPurposes) {
      const userId = await insertUser(database.sql);
      for (const each of consentPurposes) await choose(userId, each, true);
      const token = await tokenOf(userId, purpose);
      expect(purposeOfStopLink(token)).toBe(purpose);
      expect(await stop(token)).toBe(purpose);
      expect(await stop(token)).toBe(purpose);
      expect(await agreedTo(userId)).toEqual(consentPurposes.filter((each) => each !== purpose));
      expect((await rows(userId)).filter(([, agreed]) => !agreed)).toEqual([[purpose, false, 'email']]);
    }
  });

  test('cannot be made for another customer or another purpose', async () => {
    const [userId, other] = [await insertUser(database.sql), await insertUser(database.sql)];
    for (const id of [userId, other]) for (const purpose of consentPurposes) await choose(id, purpose, true);
    const token = await tokenOf(userId, 'sms');
    const signature = token.split('.')[2] ?? '';
    for (const forged of [
      `${other}.sms.${signature}`,
      `${userId}.news.${signature}`,
      `${userId}.${signature}`,
      `${userId}.sms.${'0'.repeat(64)}`,
      `${userId}.sms.${signature}0`,
      token.toUpperCase(),
      userId,
      '',
      "' or true",
      null,
    ])
      expect(await stop(forged), String(forged)).toBe(null);
    for (const id of [userId, other]) expect(await agreedTo(id)).toEqual([...consentPurposes]);
  });

  test('of a purpose that does not exist stops nothing, though we signed it', async () => {
    const userId = await insertUser(database.sql);
    expect(await stop(await tokenOf(userId, 'orders'))).toBe(null);
    expect(await rows(userId)).toEqual([]);
  });

  test('of a customer who was erased records nothing', async () => {
    const userId = '0b0b0b0b-0000-4000-8000-000000000001';
    expect(await stop(await tokenOf(userId, 'news'))).toBe('news');
    expect(await rows(userId)).toEqual([]);
  });

  test('is signed with HMAC-SHA-256', async () => {
    const userId = await insertUser(database.sql);
    const signature = createHmac('sha256', Buffer.from(await key(), 'hex')).update(`stop news of ${userId}`);
    expect(await tokenOf(userId, 'news')).toBe(`${userId}.news.${signature.digest('hex')}`);
    const chosen = Buffer.from(Array.from({ length: 64 }, (_, place) => (place * 37) % 256)).toString('hex');
    for (const message of ['', 'stop', 'नमस्ते'.repeat(40)]) {
      const [row] = await database.sql`select private.hmac_sha256(${message}, ${chosen}) as signature`;
      expect(row?.signature).toBe(createHmac('sha256', Buffer.from(chosen, 'hex')).update(message).digest('hex'));
    }
  });
});

test('a shop with choices about reminders keeps them, and links in its old emails still stop reminders', async () => {
  const older = await newEmptyDatabase(inject('postgresPath'));
  try {
    const { sql } = older;
    const { history, migrations } = await readMigrations(supabaseDir);
    const before = [...history, ...migrations]
      .map(({ version }) => version)
      .filter((version) => version < '20261123004');
    await migrate(sql, supabaseDir, new Set(before));
    const [agreed, stopped, silent] = [await insertUser(sql), await insertUser(sql), await insertUser(sql)];
    await sql`insert into private.link_key (id, key) values (1, ${'5a'.repeat(64)})`;
    await sql`insert into private.reminder_choices (user_id, is_agreed, source, chosen_at) values
      (${agreed}, false, 'profile', '2026-08-01T10:00:00Z'), (${stopped}, true, 'order', '2026-08-02T10:00:00Z'),
      (${agreed}, true, 'order', '2026-08-03T10:00:00Z'), (${stopped}, false, 'email', '2026-08-04T10:00:00Z')`;
    const [link] = await sql`select private.stop_token(${agreed}) as token`;

    await migrate(sql, supabaseDir);
    expect([
      ...(await sql`select user_id, purpose, is_agreed, source, to_char(chosen_at at time zone 'UTC', 'MM-DD HH24') as at
        from private.consents order by id`),
    ]).toEqual([
      { user_id: agreed, purpose: 'festival-reminders', is_agreed: false, source: 'profile', at: '08-01 10' },
      { user_id: stopped, purpose: 'festival-reminders', is_agreed: true, source: 'order', at: '08-02 10' },
      { user_id: agreed, purpose: 'festival-reminders', is_agreed: true, source: 'order', at: '08-03 10' },
      { user_id: stopped, purpose: 'festival-reminders', is_agreed: false, source: 'email', at: '08-04 10' },
    ]);
    const wanted = () =>
      sql`select u.id from auth.users u where private.has_consent(u.id, 'festival-reminders')`.then((found) =>
        found.map(({ id }) => id),
      );
    expect(await wanted()).toEqual([agreed]);
    expect(silent).not.toBe(agreed);
    expect((await sql`select public.stop_messages(${link?.token}) as stopped`)[0]?.stopped).toBe('festival-reminders');
    expect(await wanted()).toEqual([]);
  } finally {
    await older.drop();
  }
});
