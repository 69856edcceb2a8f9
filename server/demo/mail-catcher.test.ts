import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Mail } from '../../adapters/mail/mail.ts';
import { renderMail } from '../../domain/mail/render-mail.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { mailFixtures } from '../../tests/support/mail-facts.ts';
import { createMailCatcher, DEMO_MAIL_PATH, type MailCatcher, prepareMailCatcher } from './mail-catcher.ts';

let database: TestDatabase;
let sql: Sql;
let catcher: MailCatcher;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  await prepareMailCatcher(sql);
  catcher = createMailCatcher({ sql });
});
afterAll(() => database.drop());
beforeEach(() => sql`truncate demo.caught_mail restart identity`);

const mail = (key: string, more: Partial<Mail> = {}): Mail => ({
  to: { address: 'asha@example.com', name: 'Asha Rao' },
  subject: 'We have your order 1042',
  html: '<!doctype html><html><head><title>x</title></head><body><p>नमस्ते</p></body></html>',
  text: 'नमस्ते',
  key,
  ...more,
});
const get = (path = '', method = 'GET') =>
  catcher.serve(new Request(`http://localhost:3000${DEMO_MAIL_PATH}${path}`, { method }));
const textOf = async (path?: string) => (await get(path)).text();

describe('the catcher', () => {
  test('keeps a mail once, however often it is sent', async () => {
    await Promise.all(Array.from({ length: 10 }, () => catcher.mailer.send(mail('a'))));
    await catcher.mailer.send(mail('a', { subject: 'another' }));
    await catcher.mailer.send(mail('b'));
    expect(await sql`select key, subject from demo.caught_mail order by id`).toEqual([
      { key: 'a', subject: 'We have your order 1042' },
      { key: 'b', subject: 'We have your order 1042' },
    ]);
  });

  test('keeps the newest 500, and throws fifty away at a time', async () => {
    const keys = async () =>
      (await sql<{ key: string }[]>`select key from demo.caught_mail order by id`).map(({ key }) => key);
    await sql`
      insert into demo.caught_mail (key, to_address, subject, html, text)
      select 'old:' || n, 'a@example.com', '', '', '' from generate_series(1, 548) n`;
    await catcher.mailer.send(mail('new'));
    expect(await keys()).toHaveLength(549);
    await catcher.mailer.send(mail('newest'));
    const kept = await keys();
    expect(kept).toHaveLength(500);
    expect([kept[0], kept.at(-2), kept.at(-1)]).toEqual(['old:51', 'new', 'newest']);
  });

  test('refuses what a real mailer refuses', async () => {
    await expect(catcher.mailer.send(mail('a', { to: { address: 'nobody', name: null } }))).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  test('can be prepared again and keeps what it has', async () => {
    await catcher.mailer.send(mail('a'));
    await prepareMailCatcher(sql);
    expect(await sql`select count(*)::int as n from demo.caught_mail`).toEqual([{ n: 1 }]);
  });

  test.each(['anon', 'authenticated'])('is out of reach for %s, even with rights on the table', async (role) => {
    await catcher.mailer.send(mail('a'));
    const asRole = (prepare: string) =>
      sql.begin(async (transaction) => {
        await transaction.unsafe(prepare);
        await transaction.unsafe(`set local role ${role}`);
        const rows = await transaction`select * from demo.caught_mail`;
        await transaction.unsafe(
          `reset role; revoke all on all tables in schema demo from ${role}; revoke usage on schema demo from ${role}`,
        );
        return rows.length;
      });
    await expect(asRole('')).rejects.toThrow('permission denied for schema demo');
    expect(await asRole(`grant usage on schema demo to ${role}; grant all on demo.caught_mail to ${role}`)).toBe(0);
  });
});

describe('the list', () => {
  test('says that nothing was sent, and what was caught, newest first, in Indian time', async () => {
    await catcher.mailer.send(mail('a', { subject: 'First' }));
    await catcher.mailer.send(mail('b', { subject: 'Second', to: { address: 'b@example.com', name: null } }));
    await sql`update demo.caught_mail set caught_at = '2026-11-15T18:31:00Z' where key = 'a'`;
    const text = await textOf();
    expect(text).toContain('Nothing was sent');
    expect(text.indexOf('Second')).toBeLessThan(text.indexOf('First'));
    expect(text).toContain('Asha Rao &lt;asha@example.com&gt;');
    expect(text).toContain('16 Nov 2026, 12:01 am IST');
    expect(text).toContain(`href="${DEMO_MAIL_PATH}/1"`);
  });

  test('without mails says how to get one', async () => {
    expect(await textOf()).toContain('No emails yet');
    expect((await get('/')).status).toBe(200);
  });
});

describe("one mail's page", () => {
  test('shows recipient, subject, key and text, and frames the HTML part', async () => {
    await catcher.mailer.send(mail('order-placed:1042'));
    const text = await textOf('/1');
    for (const fact of ['Asha Rao', 'asha@example.com', 'We have your order 1042', 'order-placed:1042', 'नमस्ते'])
      expect(text).toContain(fact);
    expect(text).toContain('Nothing was sent');
    expect(text).toMatch(
      /<iframe src="\/demo-mail\/1\/html"[^>]* sandbox="allow-popups allow-popups-to-escape-sandbox"/,
    );
  });

  test('serves the HTML part as it would be sent, where it can do nothing and only we may frame it', async () => {
    const rendered = renderMail(Object.values(mailFixtures)[0] as never);
    await catcher.mailer.send(mail('a', rendered));
    const response = await get('/1/html');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/sandbox(?!.*allow-(scripts|same-origin|forms|top))/);
    expect(policy).not.toContain('script-src');
    expect((await response.text()).replace('<base target="_blank">', '')).toBe(rendered.html);
  });

  test('escapes what senders chose', async () => {
    const evil = '</pre><script>alert(1)</script>';
    await catcher.mailer.send(mail('a', { subject: evil, text: evil, to: { address: 'a@example.com', name: evil } }));
    for (const path of ['', '/1']) expect(await textOf(path)).not.toContain('<script');
  });

  test.each(['/2', '/0', '/x', '/1/text', '/-1', '/1e3', '/99999999999999999999', '/1/html/x', '/%27'])(
    '%s is a 404',
    async (path) => {
      await catcher.mailer.send(mail('a'));
      expect((await get(path)).status).toBe(404);
    },
  );
});

test.each(['POST', 'DELETE', 'PUT'])('%s is refused', async (method) => {
  expect((await get('', method)).status).toBe(405);
});

test('every page brings a policy without scripts', async () => {
  await catcher.mailer.send(mail('a'));
  for (const path of ['', '/1', '/404']) {
    const policy = (await get(path)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|script-src/);
  }
});
