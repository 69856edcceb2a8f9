import type { Sql } from 'postgres';
import { type Mailer, sendable } from '../../adapters/mail/mail.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { type CaughtMail, DEMO_MAIL_PATH, htmlPartPage, listPage, mailPage, missingPage } from './mail-pages.ts';
import type { MessageCatcher } from './message-catcher.ts';

export { DEMO_MAIL_PATH };

const KEPT = 500;
// Looking for the oldest to throw away costs more than catching a mail.
const THROWN_AWAY_TOGETHER = 50;

/** Demo only, so no migration: a real shop's database never has this table. Browsers' roles have no way to it. */
export async function prepareMailCatcher(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists demo;
    revoke all on schema demo from public, anon, authenticated;
    create table if not exists demo.caught_mail (
      id bigint generated always as identity primary key,
      key text not null unique,
      to_address text not null,
      to_name text,
      subject text not null,
      html text not null,
      text text not null,
      caught_at timestamptz not null default now()
    );
    alter table demo.caught_mail enable row level security;
    revoke all on demo.caught_mail from public, anon, authenticated;`);
}

export type MailCatcher = { mailer: Mailer; serve(request: Request): Promise<Response> };

/** The demo's post office: keeps the newest mails instead of sending them, and shows them below DEMO_MAIL_PATH with the messages. */
export function createMailCatcher({ sql, messages }: { sql: Sql; messages?: MessageCatcher }): MailCatcher {
  const mailer: Mailer = {
    async send(mail) {
      const { to, subject, html, text, key } = sendable(mail);
      const [caught] = await sql<{ id: string }[]>`
        insert into demo.caught_mail (key, to_address, to_name, subject, html, text)
        values (${key}, ${to.address}, ${to.name}, ${subject}, ${html}, ${text})
        on conflict (key) do nothing
        returning id`;
      if (Number(caught?.id) % THROWN_AWAY_TOGETHER === 0)
        await sql`
          delete from demo.caught_mail
          where id <= (select id from demo.caught_mail order by id desc offset ${KEPT} limit 1)`;
    },
  };

  const newest = () => sql<CaughtMail[]>`select * from demo.caught_mail order by id desc limit ${KEPT}`;
  const find = async (id: string) => (await sql<CaughtMail[]>`select * from demo.caught_mail where id = ${id}`)[0];

  return {
    mailer,
    async serve(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return problem(405, 'method-not-allowed', 'Demo mail can only be read.', { allow: 'GET, HEAD' });
      const path = new URL(request.url).pathname.slice(DEMO_MAIL_PATH.length).replace(/\/$/, '');
      if (path === '') return listPage(await newest(), (await messages?.newest()) ?? []);
      const [, id, part] = /^\/(\d{1,18})(\/html)?$/.exec(path) ?? [];
      const mail = id && (await find(id));
      if (!mail) return missingPage();
      return part ? htmlPartPage(mail) : mailPage(mail);
    },
  };
}
