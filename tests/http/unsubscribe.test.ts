// The link in a reminder, without a browser: opening it stops nothing, one press of a mail program's button does (RFC 8058).
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectToShop, insertUser } from '../support/rows.ts';

const shopUrl = inject('shopUrl');
let sql: Sql;
let userId: string;
let link: string;
beforeAll(async () => {
  sql = await connectToShop(inject('shopDataDir'));
  userId = await insertUser(sql);
  await sql`insert into private.consents (user_id, purpose, is_agreed, source)
    values (${userId}, 'festival-reminders', true, 'profile')`;
  await sql`select private.make_link_key()`;
  const [row] = await sql`select private.stop_token(${userId}, 'festival-reminders') as token`;
  link = `${shopUrl}/unsubscribe?token=${row?.token}`;
});
afterAll(() => sql.end());

const isAgreed = async () =>
  (await sql`select private.has_consent(${userId}, 'festival-reminders') as agreed`)[0]?.agreed;
const press = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers, body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });

test('opening the link shows a page that is nobody else’s to keep, and stops nothing', async () => {
  const page = await fetch(link);
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  expect(await page.text()).toContain('Stop gift reminders');
  expect(await isAgreed()).toBe(true);
});

test('a link that is not ours stops nothing', async () => {
  for (const url of [
    `${shopUrl}/unsubscribe`,
    link.slice(0, -1),
    `${link}0`,
    link.replace(
      userId,
      userId.replace(/^./, (first) => (first === 'f' ? '0' : 'f')),
    ),
  ])
    expect((await press(url)).status, url).toBe(400);
  expect(await isAgreed()).toBe(true);
});

test('a form on another site stops nothing', async () => {
  expect((await press(link, { origin: 'https://elsewhere.example' })).status).toBeGreaterThanOrEqual(400);
  expect(await isAgreed()).toBe(true);
});

test('one press of a mail program stops reminders, without a login, and may be repeated', async () => {
  for (const _ of [1, 2]) {
    const answer = await press(link);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Gift reminders are off');
  }
  expect(await isAgreed()).toBe(false);
  expect(await sql`select source from private.consents where user_id = ${userId} and not is_agreed`).toEqual([
    { source: 'email' },
  ]);
});
