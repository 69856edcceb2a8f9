import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeMessenger, exampleMessage } from '../../adapters/messages/messenger.contract.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { createMailCatcher, DEMO_MAIL_PATH, prepareMailCatcher } from './mail-catcher.ts';
import { createMessageCatcher, prepareMessageCatcher } from './message-catcher.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await prepareMailCatcher(database.sql);
  await prepareMessageCatcher(database.sql);
});
afterAll(() => database.drop());

describeMessenger('the simulator of the demo', async () => {
  const { sql } = database;
  const { messenger } = createMessageCatcher({ sql });
  return {
    messenger,
    received: async () => [
      ...(await sql<never[]>`
        select channel, to_number as to, template, parameters, text from demo.caught_messages order by id`),
    ],
    reset: async () => void (await sql`truncate demo.caught_messages restart identity`),
    setAway: async (isAway) => {
      await sql.unsafe(
        isAway
          ? 'alter table demo.caught_messages rename to messages_away'
          : 'alter table demo.messages_away rename to caught_messages',
      );
    },
    close: async () => {},
  };
});

test('caught messages are shown above the emails, as text and never as markup', async () => {
  const { sql } = database;
  await sql`truncate demo.caught_messages`;
  const messages = createMessageCatcher({ sql });
  const mails = createMailCatcher({ sql, messages });
  const page = async () =>
    (await mails.serve(new Request(`http://localhost:3000${DEMO_MAIL_PATH}`, { method: 'GET' }))).text();
  expect(await page()).not.toContain('WhatsApp and SMS');
  await messages.messenger.send(exampleMessage({ channel: 'whatsapp', text: 'Mithaas: <b>Order 1042</b> is placed.' }));
  const html = await page();
  expect(html).toContain('WhatsApp and SMS');
  expect(html).toContain('Mithaas: &lt;b&gt;Order 1042&lt;/b&gt; is placed.');
  expect(html).toContain('+91 98200 12345');
});

test.each(['anon', 'authenticated'])('is out of reach for %s', async (role) => {
  await expect(
    database.sql.begin(async (tx) => {
      await tx.unsafe(`set local role ${role}`);
      await tx`select * from demo.caught_messages`;
    }),
  ).rejects.toThrow(/permission denied/);
});
