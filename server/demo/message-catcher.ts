import type { Sql } from 'postgres';
import { type Messenger, sendableMessage } from '../../adapters/messages/messenger.ts';
import type { CaughtMessage } from './mail-pages.ts';

const KEPT = 500;
const SHOWN = 24;

/** Demo only, so no migration: a real shop's database never has this table. Browsers' roles have no way to it. */
export async function prepareMessageCatcher(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists demo;
    revoke all on schema demo from public, anon, authenticated;
    create table if not exists demo.caught_messages (
      id bigint generated always as identity primary key,
      key text not null unique,
      channel text not null,
      to_number text not null,
      template text not null,
      parameters text[] not null,
      text text not null,
      caught_at timestamptz not null default now()
    );
    alter table demo.caught_messages enable row level security;
    revoke all on demo.caught_messages from public, anon, authenticated;`);
}

export type MessageCatcher = { messenger: Messenger; newest(): Promise<CaughtMessage[]> };

/** The demo's WhatsApp and SMS: keeps the newest messages instead of sending them. */
export function createMessageCatcher({ sql }: { sql: Sql }): MessageCatcher {
  return {
    messenger: {
      async send(message) {
        const { key, channel, to, template, parameters, text } = sendableMessage(message);
        const [caught] = await sql<{ id: string }[]>`
          insert into demo.caught_messages (key, channel, to_number, template, parameters, text)
          values (${key}, ${channel}, ${to}, ${template}, ${parameters}, ${text})
          on conflict (key) do nothing
          returning id`;
        if (Number(caught?.id) % 50 === 0)
          await sql`
            delete from demo.caught_messages
            where id <= (select id from demo.caught_messages order by id desc offset ${KEPT} limit 1)`;
      },
    },
    newest: () => sql<CaughtMessage[]>`select * from demo.caught_messages order by id desc limit ${SHOWN}`,
  };
}
