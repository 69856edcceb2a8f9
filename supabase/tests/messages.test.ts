// Messages on WhatsApp and by SMS: to customers who agreed, one for each event, never in the quiet hours. The clock is turned to a
// day long past, so that nothing depends on the hour at which the tests run.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { MessageError } from '../../adapters/messages/messenger.ts';
import { messageTemplates } from '../../domain/messages/message.ts';
import { createMessageCatcher, prepareMessageCatcher } from '../../server/demo/message-catcher.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, grantEverything, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import type { WorkerContext } from '../functions/_shared/context.ts';
import { doDueWork } from '../functions/_shared/run-jobs.ts';
import { callConsole } from './call-console.ts';

let database: TestDatabase;
let till: Till;
let productId: number;
let administrator: { userId: string };
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  await grantEverything(database.sql);
  await prepareMessageCatcher(database.sql);
  till = openTill(database.connection, database.sql);
  productId = await insertProduct(database.sql, { name: 'Besan Laddu', stock: 10_000, price: 100 });
  administrator = { userId: await insertUser(database.sql, { administrator: true }) };
});
afterAll(async () => {
  await till.close();
  await database.drop();
});
beforeEach(async () => {
  setClock('2026-03-10T12:00:00');
  await doDueWork(till.context);
  await database.sql`delete from private.outbox where true`;
  till.messages.length = 0;
  till.reports.length = 0;
});

/** A moment in India. */
const india = (moment: string) => Date.parse(`${moment}+05:30`);
const setClock = (moment: string) => {
  till.clock.at = india(moment);
};
const work = (context: WorkerContext = till.context) => doDueWork(context);
const choose = (userId: string, channel: string, agreed: boolean) =>
  as(database.sql, { userId }, (tx) => tx`select public.choose_consent(${channel}, ${agreed})`);

async function customer(channels: string[] = ['sms'], phone = '9820012345'): Promise<string> {
  const userId = await insertUser(database.sql);
  await database.sql`insert into public.user_profiles (user_id, phone) values (${userId}, ${phone})`;
  for (const channel of channels) await choose(userId, channel, true);
  return userId;
}
const order = (userId: string, more: { fulfilment?: 'delivery' | 'pickup' } = {}) =>
  insertPaidOrder(database.sql, { userId, productId, ...more });
const move = (id: string, ...statuses: string[]) =>
  as(database.sql, 'service', async (tx) => {
    for (const status of statuses) await tx`update public.orders set status = ${status} where id = ${id}`;
  });
const sent = () => till.messages.map(({ template }) => template);
const jobs = (userId: string) =>
  database.sql`select o.key, o.done_at is not null as is_done, o.last_error, o.run_after from private.outbox o
    join public.orders k on k.id::text = o.payload ->> 'order_id'
    where o.kind = 'message' and k.user_id = ${userId} order by o.id`;

describe('who gets a message', () => {
  test('is who agreed to the channel, on their own number, once for each event', async () => {
    const silent = await customer([]);
    await order(silent);
    const both = await customer(['whatsapp', 'sms'], '+91 9820012345');
    const { id } = await order(both);
    await work();
    await work();
    expect(till.messages.map(({ channel, to, template }) => [channel, to, template])).toEqual([
      ['whatsapp', '+919820012345', 'order_placed'],
      ['sms', '+919820012345', 'order_placed'],
    ]);
    expect(till.messages[0]?.text).toMatch(/^Mithaas: Order \d+ is placed \(Rs 250\)\. Thank you!/);
    await move(id, 'Confirmed', 'Preparing', 'Packed');
    await work();
    expect(sent()).toHaveLength(2);
    await move(id, 'Shipped');
    await work();
    await move(id, 'Delivered');
    await work();
    expect(sent().slice(2)).toEqual(['order_shipped', 'order_shipped', 'order_delivered', 'order_delivered']);
    const keys = till.messages.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is not who opted out before, or after it was queued, or who has no mobile number', async () => {
    const before = await customer();
    await choose(before, 'sms', false);
    await order(before);
    setClock('2026-03-10T22:00:00');
    const after = await customer();
    await order(after);
    const unreachable = await customer(['sms'], '');
    await order(unreachable);
    await work();
    await choose(after, 'sms', false);
    setClock('2026-03-11T09:00:00');
    await work();
    expect(sent()).toEqual([]);
    expect(await jobs(before)).toEqual([]);
    expect(await jobs(after)).toMatchObject([{ is_done: true, last_error: 'no recipient' }]);
    expect(await jobs(unreachable)).toMatchObject([{ is_done: true, last_error: 'no mobile number' }]);
  });

  test('cannot refuse the email about the order with it', async () => {
    const userId = await customer([]);
    for (const purpose of ['news', 'sms', 'whatsapp', 'review-requests']) await choose(userId, purpose, false);
    const { id } = await order(userId);
    await work();
    await work();
    expect(till.mails.filter(({ to }) => to.address === `${userId}@example.com`)).toHaveLength(1);
    expect(id).not.toBe('');
  });

  test('is told of ready, cancelled and refunded orders, too', async () => {
    const userId = await customer();
    const ready = await order(userId, { fulfilment: 'pickup' });
    await work();
    await move(ready.id, 'Confirmed', 'Preparing', 'Packed', 'Ready');
    await work();
    const gone = await order(userId);
    await work();
    await move(gone.id, 'canceled');
    await work();
    const [refund] = await database.sql`select id from private.refunds where order_id = ${gone.id}`;
    await database.sql`select public.record_refund(${refund?.id}, 'rfnd_1', 'processed', ${new Date(till.clock.at)})`;
    await work();
    expect(sent()).toEqual(['order_placed', 'order_ready', 'order_placed', 'order_canceled', 'refund_processed']);
    expect(till.messages.at(-1)).toMatchObject({ key: `sms:refund-processed:${refund?.id}` });
    expect(till.messages.at(-1)?.text).toContain('Rs 250');
  });

  test('every template of the database is one that can be written, and none is promotional', async () => {
    const statuses = await database.sql`select distinct private.mail_of_status(s) as template
      from unnest(array['Pending', 'Confirmed', 'Shipped', 'Ready', 'Delivered', 'Collected', 'canceled']) s`;
    for (const { template } of statuses)
      if (template !== 'order-confirmed') expect(messageTemplates).toContain(template);
    for (const template of messageTemplates)
      expect(await database.sql`select private.purpose_of_mail(${template}) as purpose`).toEqual([{ purpose: null }]);
  });
});

describe('quiet hours', () => {
  test.each([
    ['2026-03-10T08:59:59', true],
    ['2026-03-10T09:00:00', false],
    ['2026-03-10T20:59:59', false],
    ['2026-03-10T21:00:00', true],
    ['2026-03-10T00:00:00', true],
  ])('%s is quiet: %s', async (moment, isQuiet) => {
    const [row] = await database.sql`select private.is_quiet(${new Date(india(moment))}) as quiet`;
    expect(row?.quiet).toBe(isQuiet);
  });

  test.each([
    ['2026-03-10T21:00:00', '2026-03-11T09:00:00'],
    ['2026-03-10T23:59:59', '2026-03-11T09:00:00'],
    ['2026-03-11T00:00:00', '2026-03-11T09:00:00'],
    ['2026-12-31T22:00:00', '2027-01-01T09:00:00'],
  ])('a message of %s waits until %s', async (moment, until) => {
    setClock(moment);
    const userId = await customer();
    await order(userId);
    await work();
    expect(sent()).toEqual([]);
    expect((await jobs(userId)).map(({ run_after }) => Number(run_after))).toEqual([india(until)]);
    till.clock.at = india(until) - 1000;
    await work();
    expect(sent()).toEqual([]);
    till.clock.at = india(until);
    await work();
    expect(sent()).toEqual(['order_placed']);
  });

  test('are not kept on the day of the delivery, for what the customer waits for', async () => {
    const userId = await customer();
    const { id } = await order(userId);
    const later = await order(userId);
    await work();
    till.messages.length = 0;
    await database.sql`update public.orders set delivery_by = '2026-03-10' where id = ${id}`;
    await database.sql`update public.orders set delivery_by = '2026-03-11' where id = ${later.id}`;
    setClock('2026-03-10T21:30:00');
    for (const each of [id, later.id]) await move(each, 'Confirmed', 'Preparing', 'Packed', 'Shipped');
    await work();
    expect(till.messages.map(({ template, text }) => [template, /by Tue, 10 Mar/.test(text)])).toEqual([
      ['order_shipped', true],
    ]);
  });

  test('hold what failed before them', async () => {
    setClock('2026-03-10T20:59:50');
    const userId = await customer();
    await order(userId);
    await work({ ...till.context, messenger: { send: () => Promise.reject(new MessageError('unavailable', 'away')) } });
    expect(await jobs(userId)).toMatchObject([{ is_done: false, last_error: expect.stringContaining('away') }]);
    for (const moment of ['2026-03-10T21:05:00', '2026-03-11T02:00:00', '2026-03-11T08:59:59']) {
      setClock(moment);
      await work();
      expect(sent()).toEqual([]);
    }
    setClock('2026-03-11T09:00:00');
    await work();
    expect(sent()).toEqual(['order_placed']);
  });

  test('drop what is no longer news in the morning', async () => {
    setClock('2026-03-10T22:00:00');
    const userId = await customer();
    const { id } = await order(userId);
    await work();
    await move(id, 'canceled');
    await work();
    setClock('2026-03-11T09:00:00');
    await work();
    expect(sent()).toEqual(['order_canceled']);
  });
});

describe('a failure', () => {
  test('a worker that dies between sending and finishing sends again with the same key, and the service sends it once', async () => {
    const userId = await customer(['whatsapp', 'sms']);
    await order(userId);
    const { messenger } = createMessageCatcher({ sql: database.sql });
    const requests: string[] = [];
    const counting = {
      send: async (message: Parameters<typeof messenger.send>[0]) => {
        requests.push(message.key);
        await messenger.send(message);
      },
    };
    let isDead = false;
    const dying: WorkerContext = {
      ...till.context,
      messenger: counting,
      report: () => {},
      db: {
        rpc: async (name, args) => {
          if (name === 'finish_job' || isDead) {
            isDead = true;
            throw new Error('the worker died');
          }
          return till.context.db.rpc(name, args);
        },
      },
    };
    await work(dying).catch(() => {});
    expect(requests).toHaveLength(2);
    till.later(1);
    await work({ ...till.context, messenger: counting });
    expect(requests).toHaveLength(4);
    expect(new Set(requests).size).toBe(2);
    const caught = await database.sql`select key, channel from demo.caught_messages order by channel`;
    expect(caught.map(({ channel }) => channel)).toEqual(['sms', 'whatsapp']);
    expect(await jobs(userId)).toMatchObject([{ is_done: true }, { is_done: true }]);
    till.later(60);
    await work({ ...till.context, messenger: counting });
    expect(requests).toHaveLength(4);
  });

  test('that is final is not tried again; any other is, for three days', async () => {
    const refused = await customer();
    await order(refused);
    await work({ ...till.context, messenger: { send: () => Promise.reject(new MessageError('refused', 'no such')) } });
    expect(await jobs(refused)).toMatchObject([{ is_done: true, last_error: 'refused: no such' }]);

    const waiting = await customer();
    await order(waiting);
    const [event] = await database.sql`select max(id) as id from public.order_events`;
    await work({ ...till.context, messenger: { send: () => Promise.reject(new Error('away')) } });
    await database.sql`update private.outbox set created_at = ${new Date(till.clock.at - 4 * 86_400_000)} where key = ${`sms:event:${event?.id}`}`;
    till.later(10);
    await work({ ...till.context, messenger: { send: () => Promise.reject(new Error('away')) } });
    expect(await jobs(waiting)).toMatchObject([{ is_done: true, last_error: 'Error: away' }]);
  });

  test('says nothing personal in the log, and counts in the figures of the queue', async () => {
    const userId = await customer();
    await order(userId);
    await work({
      ...till.context,
      messenger: { send: () => Promise.reject(new MessageError('unavailable', 'API: 503')) },
    });
    expect(till.reports).toEqual(['message is tried again later: MessageError: API: 503']);
    const [row] = await database.sql`select public.queue_metrics(${new Date(till.clock.at)}) as figures`;
    expect(row?.figures).toMatchObject({ depth: { message: 1 }, troubled: { message: 0 } });
    expect(JSON.stringify(row?.figures)).not.toContain('98200');
    till.later(10);
    await work();
  });

  test('without a service nothing is sent, and the job ends', async () => {
    const userId = await customer();
    await order(userId);
    await work({ ...till.context, messenger: null });
    expect(await jobs(userId)).toMatchObject([{ is_done: true, last_error: 'this shop sends no messages' }]);
  });
});

test('a move that is undone sends no message', async () => {
  const userId = await customer();
  const { id } = await order(userId);
  await work();
  till.messages.length = 0;
  const seen = async () =>
    String((await database.sql`select updated_at::text as seen from public.orders where id = ${id}`)[0]?.seen);
  await move(id, 'Confirmed', 'Preparing', 'Packed');
  await callConsole(database.sql, administrator, 'admin_move_order', {
    order_id: id,
    to_status: 'Shipped',
    seen: await seen(),
    courier: 'Own delivery',
  });
  await work();
  expect((await jobs(userId)).filter(({ is_done }) => !is_done)).toHaveLength(1);
  await as(
    database.sql,
    administrator,
    async (tx) => tx`select public.admin_undo_moves(${tx.json([{ id, seen: await seen() }])})`,
  );
  till.later(5);
  await work();
  expect(sent()).toEqual([]);
  expect((await jobs(userId)).filter(({ is_done }) => !is_done)).toEqual([]);
});

test('visitors and customers cannot read or queue messages', async () => {
  const userId = await customer();
  await order(userId);
  await work();
  for (const caller of ['anon' as const, { userId }])
    for (const statement of [
      'select * from private.outbox',
      `select private.message_content('{}', '')`,
      `insert into private.outbox (kind, key, payload) values ('message', 'x', '{}')`,
    ])
      await expect(
        as(database.sql, caller, (tx) => tx.unsafe(statement)),
        statement,
      ).rejects.toThrow(/permission denied/);
});
