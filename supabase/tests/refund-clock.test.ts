// When refunds are due, what they are until then, and what is recorded when the shop pays back by hand.
import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser, type TestOrder } from '../../tests/support/rows.ts';
import type { FinishedRefund, OpenRefund, RefundGroups, RefundSpeed } from '../contracts/console/refunds.ts';
import { type Args, callConsole } from './call-console.ts';

let database: TestDatabase;
let sql: Sql;
let owner: { userId: string };
let customer: { userId: string };
let productId: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  owner = { userId: await insertUser(sql, { administrator: true, name: 'Asha Rao' }) };
  customer = { userId: await insertUser(sql, { name: 'Meera Till' }) };
  productId = await insertProduct(sql, { stock: 1_000_000, price: 100 });
});
afterAll(() => database.drop());
beforeEach(async () => {
  await sql`update public.shop_settings set weekly_off = '{0}' where true`;
  await sql`delete from public.closures where true`;
});

type Page<Row> = { rows: Row[]; next: string | null; count: number; count_is_capped: boolean };
type Open = Page<OpenRefund> & { groups: RefundGroups };
type Finished = Page<FinishedRefund> & { speed: RefundSpeed };

const listOpen = (args: Args = {}) => callConsole<Open>(sql, owner, 'admin_list_refunds', args);
const listFinished = (args: Args = {}) =>
  callConsole<Finished>(sql, owner, 'admin_list_refunds', { shown: 'finished', ...args });
const recordByHand = (args: Args) => callConsole(sql, owner, 'admin_record_refund', args);
const placed = (userId: string | null = customer.userId) => insertPaidOrder(sql, { userId, productId });

async function started({ id, paymentId }: TestOrder, at: string, paise = 1000, reason = 'order refunded') {
  const [row] = await sql<{ id: string }[]>`
    select private.new_refund(${paymentId}, ${id}, ${paise}, ${reason}, ${at}, ${at}) as id`;
  return row?.id ?? '';
}
const report = (refund: string, status: string, at: string, problem: string | null = null) => sql`
  select public.record_refund(${refund}, ${status === 'failed' ? null : `rfnd_${refund}`}, ${status}, ${at}, ${problem},
    ${status === 'processed' ? '74332745213000012345678' : null})`;
const attempts = (first: string) => sql<{ id: string; status: string; due_on: string; finished_at: Date | null }[]>`
  select id, status, due_on::text, finished_at from private.refunds where ${first} in (id, retry_of) order by created_at, id`;
const mails = (refund: string) => sql<{ template: string; run_after: Date }[]>`
  select payload ->> 'template' as template, run_after from private.outbox
  where kind = 'mail' and payload ->> 'refund_id' = ${refund} order by id`;
/** Fails as often as it is tried, a day apart. */
async function givenUp(order: TestOrder, at: string): Promise<string> {
  const first = await started(order, at, 1000, 'order canceled');
  for (let n = 0; n < 5; n += 1) {
    const open = (await attempts(first)).find(({ status }) => status === 'queued')?.id ?? '';
    await report(
      open,
      'failed',
      new Date(Date.parse(at) + (n + 1) * 86_400_000).toISOString(),
      'The account is closed',
    );
  }
  return first;
}
const rowOf = async (id: string, args: Args = {}) => (await listOpen(args)).rows.find((row) => row.id === id);
async function phoneOrder(): Promise<TestOrder> {
  const order = await insertPaidOrder(sql, { userId: null, productId, paid: false });
  await sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update public.orders set source = 'manual', payment_status = 'paid_offline', offline_method = 'cash' where id = ${order.id}`;
  });
  return order;
}

describe('the due day', () => {
  test('is seven business days away, over a Sunday', async () => {
    const [refund] = await attempts(await started(await placed(), '2026-11-12T06:00:00Z'));
    // Thursday; 15 November is a Sunday.
    expect(refund?.due_on).toBe('2026-11-20');
  });

  test('is later by the days of a closure', async () => {
    await sql`insert into public.closures (starts_on, ends_on, reason) values ('2026-11-17', '2026-11-18', 'Stocktaking')`;
    const [refund] = await attempts(await started(await placed(), '2026-11-12T06:00:00Z'));
    // 13, 14, 16, 19, 20, 21, 23: two days closed and two Sundays.
    expect(refund?.due_on).toBe('2026-11-23');
  });

  test('counts from the day in India', async () => {
    const order = await placed();
    const [late] = await attempts(await started(order, '2026-11-12T18:29:59Z'));
    const [early] = await attempts(await started(order, '2026-11-12T18:30:00Z'));
    expect([late?.due_on, early?.due_on]).toEqual(['2026-11-20', '2026-11-21']);
  });

  test('does not move when the calendar changes', async () => {
    const first = await started(await placed(), '2026-11-12T06:00:00Z');
    await sql`insert into public.closures (starts_on, ends_on, reason) values ('2026-11-13', '2026-12-13', 'Rebuilding')`;
    await sql`update public.shop_settings set weekly_off = '{0,1,2}' where true`;
    await report(first, 'pending', '2026-11-14T06:00:00Z');
    expect((await attempts(first))[0]?.due_on).toBe('2026-11-20');
  });

  test('of retries is that of the first attempt, also when an administrator retries', async () => {
    const order = await placed();
    const first = await started(order, '2026-11-12T06:00:00Z');
    await report(first, 'failed', '2026-11-16T06:00:00Z');
    const [, second] = await attempts(first);
    await report(second?.id ?? '', 'failed', '2026-11-24T06:00:00Z');
    expect((await attempts(first)).map(({ status, due_on }) => [status, due_on])).toEqual([
      ['failed', '2026-11-20'],
      ['failed', '2026-11-20'],
      ['queued', '2026-11-20'],
    ]);
  });

  test('exists although the shop is closed for a year', async () => {
    await sql`insert into public.closures (starts_on, ends_on, reason) values ('2026-11-01', '2027-11-01', 'Sabbatical'), ('2027-11-02', '2028-11-01', 'Longer')`;
    expect((await attempts(await started(await placed(), '2026-11-12T06:00:00Z')))[0]?.due_on).toBe('2026-11-19');
  });

  test('of a payment that became no order, and of one that the provider refunded without us, is set too', async () => {
    const settle = async (isRefunded: boolean) => {
      const payment = `pay_none_${isRefunded}`;
      await sql`insert into private.payments (payment_id, provider_order_id, user_id, amount_paise, status, captured_at)
        values (${payment}, ${payment}, ${customer.userId}, 5000, ${isRefunded ? 'refunded' : 'captured'}, '2026-11-12T06:00:00Z')`;
      const [refund] = await sql<{ id: string }[]>`
        select private.new_refund(${payment}, null, 5000, ${isRefunded ? 'given-back' : 'sold-out'}, '2026-11-12T06:00:00Z', now(),
          is_done => ${isRefunded}) as id`;
      return (await attempts(refund?.id ?? ''))[0];
    };
    expect(await settle(false)).toMatchObject({ due_on: '2026-11-20', finished_at: null });
    expect(await settle(true)).toMatchObject({ due_on: '2026-11-20', finished_at: new Date('2026-11-12T06:00:00Z') });
  });
});

describe('the list of open refunds', () => {
  test('moves a refund to the next age at midnight in India', async () => {
    const id = await started(await placed(), '2026-11-12T06:00:00Z', 64_00);
    const seen = async (at: string) => {
      const ages = [];
      for (const age of ['overdue', 'soon', 'in-time']) if (await rowOf(id, { age, at })) ages.push(age);
      return [ages.join(), (await rowOf(id, { at }))?.days_left];
    };
    // Due on Friday, 20 November.
    expect(await seen('2026-11-12T06:00:00Z')).toEqual(['in-time', 7]);
    expect(await seen('2026-11-17T18:29:59Z')).toEqual(['in-time', 3]);
    expect(await seen('2026-11-17T18:30:00Z')).toEqual(['soon', 2]);
    expect(await seen('2026-11-20T18:29:59Z')).toEqual(['soon', 0]);
    expect(await seen('2026-11-20T18:30:00Z')).toEqual(['overdue', -1]);
    expect(await seen('2026-12-02T06:00:00Z')).toEqual(['overdue', -12]);
  });

  test('says in which state a refund is', async () => {
    const at = '2026-11-12T06:00:00Z';
    const [queued, accepted, retrying] = [
      await started(await placed(), at),
      await started(await placed(), at),
      await started(await placed(), at),
    ];
    await report(accepted, 'pending', '2026-11-12T07:00:00Z');
    await report(retrying, 'failed', '2026-11-13T07:00:00Z', 'The account is closed');
    const failed = await givenUp(await placed(), at);
    const rows = await Promise.all([queued, accepted, retrying, failed].map((id) => rowOf(id)));
    expect(rows).toMatchObject([
      { state: 'queued', attempts: 1, failed_attempt: null },
      { state: 'accepted', accepted_at: '2026-11-12T07:00:00+00:00', provider_refund_id: `rfnd_${accepted}` },
      { state: 'retrying', attempts: 2, failure: 'The account is closed', next_try_at: '2026-11-14T07:00:00+00:00' },
      { state: 'failed', attempts: 5, failure: 'The account is closed', customer: 'Meera Till' },
    ]);
    const ids = async (state: string) => (await listOpen({ state })).rows.map(({ id }) => id);
    expect(await ids('to-decide')).toContain(failed);
    expect(await ids('to-decide')).not.toContain(retrying);
    expect(await ids('retrying')).toContain(retrying);
  });

  test('sums what is still owed by age, and the work of the day counts the same', async () => {
    const at = '2001-01-02T06:00:00Z';
    const before = (await listOpen({ at })).groups;
    const order = await placed();
    await started(order, '2000-12-01T06:00:00Z', 1000);
    await started(order, '2000-12-01T06:00:00Z', 2000);
    const { groups } = await listOpen({ at });
    expect(groups.overdue).toEqual({ count: before.overdue.count + 2, paise: before.overdue.paise + 3000 });
    const work = await callConsole<Record<string, unknown>>(sql, owner, 'admin_read_work', { at });
    expect(work).toMatchObject({
      refunds_overdue: groups.overdue.count,
      refunds_overdue_paise: groups.overdue.paise,
      refund_due_on: '2000-12-09',
      refund_days_left: -24,
    });
  });

  test('has every refund once, page by page, and refuses a page that is none', async () => {
    const order = await insertPaidOrder(sql, { userId: customer.userId, productId, quantity: 25 });
    for (let n = 0; n < 120; n += 1)
      await started(order, `2089-03-${String((n % 5) + 1).padStart(2, '0')}T06:00:00Z`, 100);
    const seen: string[] = [];
    let after: string | null = null;
    let last = '';
    do {
      const page: Open = await listOpen({ after });
      for (const { id, due_on } of page.rows) {
        expect(due_on >= last).toBe(true);
        last = due_on;
        seen.push(id);
      }
      after = page.next;
    } while (after);
    const { count } = await listOpen();
    expect(seen).toHaveLength(count);
    expect(new Set(seen).size).toBe(seen.length);
    await expect(listOpen({ after: '{"key": "x", "id": "y"}' })).rejects.toMatchObject({ code: 'PT422' });
    await expect(listOpen({ after: 'x' })).rejects.toMatchObject({ code: 'PT422' });
  });

  test('leaves out a failed refund once a later one covers it', async () => {
    const order = await placed();
    const failed = await givenUp(order, '2026-11-12T06:00:00Z');
    expect(await rowOf(failed)).toMatchObject({ state: 'failed', amount_paise: 1000 });
    await sql`update public.orders set status = 'canceled' where id = ${order.id}`;
    expect(await rowOf(failed)).toBeUndefined();
    const [all] = await sql<{ id: string }[]>`
      select id from private.refunds where order_id = ${order.id} and status = 'queued' and amount_paise = ${order.totalPaise}`;
    await report(all?.id ?? '', 'processed', '2026-11-19T06:00:00Z');
    expect((await attempts(failed))[0]?.finished_at).toEqual(new Date('2026-11-19T06:00:00Z'));
  });

  test('is for administrators only', async () => {
    for (const [name, args] of [
      ['admin_list_refunds', {}],
      [
        'admin_record_refund',
        { order_id: null, refund_id: null, amount_paise: 1, method: 'upi', reference: 'x', paid_on: '2026-11-12' },
      ],
    ] as const)
      await expect(callConsole(sql, customer, name, args)).rejects.toMatchObject({ code: 'PT403' });
  });
});

describe('the list of sent refunds', () => {
  test('says when each went back, and how quickly they do', async () => {
    const at = '2020-06-30T06:00:00Z';
    const order = await insertPaidOrder(sql, { userId: customer.userId, productId, quantity: 25 });
    const sent = async (from: string, to: string) => {
      const id = await started(order, from, 100);
      await report(id, 'processed', to);
      return id;
    };
    const quick = await sent('2020-06-01T06:00:00Z', '2020-06-01T08:00:00Z');
    await sent('2020-06-01T06:00:00Z', '2020-06-03T06:00:00Z');
    const late = await sent('2020-06-01T06:00:00Z', '2020-06-10T06:00:00Z');
    // Too long ago: 91 days.
    await sent('2020-03-20T06:00:00Z', '2020-04-01T06:00:00Z');
    const { rows, speed } = await listFinished({ at });
    expect(speed).toEqual({ count: 3, in_time: 2, median_days: 2 });
    expect(rows.find(({ id }) => id === quick)).toMatchObject({
      days: 0,
      is_in_time: true,
      is_by_hand: false,
      reference: '74332745213000012345678',
      amount_paise: 100,
    });
    // Due on Tuesday, 9 June.
    expect(rows.find(({ id }) => id === late)).toMatchObject({
      days: 9,
      due_on: '2020-06-09',
      sent_on: '2020-06-10',
      is_in_time: false,
    });
  });

  test('has a refund of several attempts once, when all of it is back', async () => {
    const first = await started(await placed(), '2026-11-12T06:00:00Z');
    await report(first, 'failed', '2026-11-13T06:00:00Z');
    const second = (await attempts(first))[1]?.id ?? '';
    expect((await listFinished()).rows.some(({ id }) => id === first)).toBe(false);
    await report(second, 'processed', '2026-11-14T06:00:00Z');
    const rows = (await listFinished()).rows.filter(({ id }) => id === first || id === second);
    expect(rows).toMatchObject([{ id: first, attempts: 2, amount_paise: 1000, sent_on: '2026-11-14', days: 2 }]);
    expect(await rowOf(first)).toBeUndefined();
  });
});

describe('a refund by hand', () => {
  const today = async () => (await sql`select private.day_of(now())::text as today`)[0]?.today as string;

  test('of a canceled phone order is due seven business days after it was canceled', async () => {
    const order = await phoneOrder();
    await sql`update public.orders set status = 'canceled' where id = ${order.id}`;
    const [due] = await sql`
      select d.due_on = private.refund_due_on(private.day_of(o.status_since)) as is_right
      from private.offline_refunds_due d join public.orders o on o.id = d.order_id where o.id = ${order.id}`;
    expect(due?.is_right).toBe(true);
    expect(await rowOf(order.id)).toMatchObject({
      state: 'by-hand',
      amount_paise: order.totalPaise,
      failed_attempt: null,
    });

    const args = {
      order_id: order.id,
      refund_id: null,
      amount_paise: order.totalPaise,
      method: 'upi',
      paid_on: await today(),
    };
    await expect(recordByHand({ ...args, reference: ' ' })).rejects.toMatchObject({
      code: 'PT422',
      detail: 'reference',
    });
    await expect(recordByHand({ ...args, reference: 'U1', amount_paise: 100 })).rejects.toMatchObject({
      detail: 'amount_paise',
    });
    await expect(recordByHand({ ...args, reference: 'U1', method: 'barter' })).rejects.toMatchObject({
      detail: 'method',
    });
    await expect(recordByHand({ ...args, reference: 'U1', paid_on: '2099-01-01' })).rejects.toMatchObject({
      detail: 'paid_on',
    });
    await expect(recordByHand({ ...args, reference: 'U1', paid_on: '2001-01-01' })).rejects.toMatchObject({
      detail: 'paid_on',
    });
    await recordByHand({ ...args, reference: '432109876543' });
    expect(await rowOf(order.id)).toBeUndefined();
    const { rows } = await listFinished();
    expect(rows.find((row) => row.order?.id === order.id)).toMatchObject({
      is_by_hand: true,
      method: 'upi',
      reference: '432109876543',
      is_in_time: true,
    });
    const [state] = await sql`select payment_status from public.orders where id = ${order.id}`;
    expect(state?.payment_status).toBe('refunded');
    await expect(recordByHand({ ...args, reference: '432109876543' })).rejects.toMatchObject({ code: 'PT422' });
    const [log] = await sql`select after from public.audit_log where table_name = 'refunds' order by id desc limit 1`;
    expect(log?.after).toMatchObject({ method: 'upi', reference: '432109876543', paid_on: args.paid_on });
  });

  test('takes the place of the attempts that wait, and the customer reads how and with which reference', async () => {
    const order = await placed();
    const first = await started(order, new Date().toISOString(), 1000, 'order canceled');
    await report(first, 'failed', new Date().toISOString(), 'The account is closed');
    await recordByHand({
      order_id: order.id,
      refund_id: first,
      amount_paise: 1000,
      method: 'bank',
      reference: 'HDFCR5202611',
      paid_on: await today(),
    });
    const chain = await attempts(first);
    expect(chain.map(({ status }) => status)).toEqual(['failed', 'failed', 'processed']);
    expect(chain[0]?.finished_at).not.toBeNull();
    const jobs =
      await sql`select from private.outbox where kind = 'refund' and done_at is null and payload ->> 'refund_id' = any (${chain.map(({ id }) => id)})`;
    expect(jobs).toHaveLength(1); // The first attempt's: reported above without its worker.
    const mine = await as(sql, customer, (tx) => tx`select * from public.my_refunds() where order_id = ${order.id}`);
    expect(mine).toMatchObject([
      { status: 'processed', method: 'bank', reference: 'HDFCR5202611', amount_paise: '1000' },
    ]);
    expect((await mails(chain[2]?.id ?? '')).map(({ template }) => template)).toEqual(['refund-processed']);
  });

  test('is refused while the provider may be at work on it', async () => {
    const order = await placed();
    const first = await started(order, new Date().toISOString());
    await report(first, 'failed', new Date().toISOString());
    const second = (await attempts(first))[1]?.id ?? '';
    await sql`update private.outbox set attempts = 1 where key = ${`refund:${second}`}`;
    const args = {
      order_id: order.id,
      refund_id: first,
      amount_paise: 1000,
      method: 'cash',
      reference: '',
      paid_on: await today(),
    };
    await expect(recordByHand(args)).rejects.toMatchObject({ code: 'PT422', detail: 'amount_paise' });
    expect((await attempts(first)).map(({ status }) => status)).toEqual(['failed', 'queued']);
  });

  test('of a payment without an order can be recorded or retried', async () => {
    await sql`insert into private.payments (payment_id, provider_order_id, user_id, amount_paise, status, captured_at, created_at)
      values ('pay_lost', 'order_lost', ${customer.userId}, 5000, 'captured', '2026-11-12T06:00:00Z', '2026-11-12T06:00:00Z')`;
    const [made] = await sql<{ id: string }[]>`
      select private.new_refund('pay_lost', null, 5000, 'sold-out', '2026-11-12T06:00:00Z', '2026-11-12T06:00:00Z') as id`;
    const id = made?.id ?? '';
    await report(id, 'failed', '2026-11-13T06:00:00Z');
    expect(await rowOf(id)).toMatchObject({
      order: null,
      customer: 'Meera Till',
      state: 'retrying',
      reason: 'sold-out',
    });
    const retry = { order_id: null, refund_id: id, seen: null };
    const { refund_id } = await callConsole<{ refund_id: string }>(sql, owner, 'admin_retry_refund', retry);
    await report(refund_id, 'failed', '2026-11-14T06:00:00Z');
    const args = {
      order_id: null,
      refund_id: id,
      amount_paise: 5000,
      method: 'upi',
      reference: 'U77',
      paid_on: '2026-11-14',
    };
    await sql`update private.payments set created_at = '2026-11-15T06:00:00Z' where payment_id = 'pay_lost'`;
    await expect(recordByHand(args)).rejects.toMatchObject({ detail: 'paid_on' });
    await sql`update private.payments set created_at = '2026-11-12T06:00:00Z' where payment_id = 'pay_lost'`;
    await recordByHand(args);
    expect(await rowOf(id)).toBeUndefined();
    expect((await sql`select status from private.payments where payment_id = 'pay_lost'`)[0]?.status).toBe('refunded');
  });
});

describe('emails', () => {
  test('that a refund was started wait half an hour, and are not sent when it was quicker', async () => {
    const order = await placed();
    const slow = await started(order, '2026-11-12T06:00:00Z');
    expect(await mails(slow)).toEqual([{ template: 'refund-started', run_after: new Date('2026-11-12T06:30:00Z') }]);
    const quick = await started(order, '2026-11-12T06:00:00Z');
    await report(quick, 'processed', '2026-11-12T06:00:05Z');
    expect((await mails(quick)).map(({ template }) => template)).toEqual(['refund-processed']);
    // The email about the cancellation says it.
    expect(await mails(await started(order, '2026-11-12T06:00:00Z', 100, 'order canceled'))).toEqual([]);
  });

  test('that a refund is late go out once, from the day after it was due', async () => {
    const first = await started(await placed(), '2026-11-12T06:00:00Z', 1000, 'order canceled');
    const late = async (at: string) => {
      await sql`select public.queue_refund_delays(${at})`;
      return (await mails(first)).map(({ template }) => template);
    };
    expect(await late('2026-11-20T18:29:59Z')).toEqual([]);
    expect(await late('2026-11-20T18:30:00Z')).toEqual(['refund-delayed']);
    expect(await late('2026-11-21T06:00:00Z')).toEqual(['refund-delayed']);
    // Sent and forgotten after a month: not again.
    await sql`delete from private.outbox where payload ->> 'refund_id' = ${first} and kind = 'mail'`;
    expect(await late('2026-12-24T06:00:00Z')).toEqual([]);
  });

  test('that nothing is tried any more go out after the fifth failure, with what is owed', async () => {
    const order = await placed();
    const first = await givenUp(order, '2026-11-12T06:00:00Z');
    expect((await mails(first)).map(({ template }) => template)).toEqual(['refund-delayed']);
    const [mail] = await sql`
      select private.mail_content(payload, 'http://shop.test', now()) as content from private.outbox where key = ${`mail:refund-delayed:${first}`}`;
    expect(mail?.content).toMatchObject({
      facts: {
        template: 'refund-delayed',
        amountPaise: 1000,
        dueOn: '2026-11-20',
        isGivenUp: true,
        reason: 'order-canceled',
      },
    });
  });

  test('about a sent refund have the day and the reference, those about a cancellation the due day', async () => {
    const order = await placed();
    await sql`update public.orders set status = 'canceled' where id = ${order.id}`;
    const [refund] = await sql<
      { id: string; due_on: string }[]
    >`select id, due_on::text from private.refunds where order_id = ${order.id}`;
    const content = async (payload: Record<string, string>) =>
      (await sql`select private.mail_content(${sql.json(payload)}, 'http://shop.test', now()) as content`)[0]?.content
        .facts;
    expect(await content({ template: 'order-canceled', order_id: order.id })).toMatchObject({
      order: { refundDueOn: refund?.due_on },
    });
    await report(refund?.id ?? '', 'processed', '2026-11-19T06:00:00Z');
    expect(await content({ template: 'refund-processed', refund_id: refund?.id ?? '' })).toMatchObject({
      sentOn: '2026-11-19',
      reference: '74332745213000012345678',
      providerRefundId: `rfnd_${refund?.id}`,
      method: null,
    });
  });
});

test('what customers read of a refund: when it is due, and when it is tried again', async () => {
  const order = await placed();
  const first = await started(order, '2026-11-12T06:00:00Z');
  await report(first, 'failed', '2026-11-13T06:00:00Z', 'Internal words of the provider');
  const read = (who: { userId: string }) =>
    as(sql, who, (tx) => tx`select * from public.my_refunds() where order_id = ${order.id}`);
  const mine = await read(customer);
  expect(mine).toMatchObject([
    {
      status: 'queued',
      created_at: new Date('2026-11-12T06:00:00Z'),
      next_try_at: new Date('2026-11-14T06:00:00Z'),
    },
  ]);
  expect(JSON.stringify(mine)).not.toContain('Internal words');
  expect(await read({ userId: await insertUser(sql) })).toEqual([]);
});

test('a customer with more refunds than a page reads each once', async () => {
  const many = { userId: await insertUser(sql) };
  const order = await insertPaidOrder(sql, { userId: many.userId, productId, quantity: 25 });
  // Several of the same moment, also across the end of a page.
  for (let n = 0; n < 210; n += 1)
    await started(order, `2088-05-${String(Math.floor(n / 20) + 1).padStart(2, '0')}T06:00:00Z`, 100);
  type Mine = { id: string; attempted_at: string };
  const page = (last?: Mine) =>
    as(
      sql,
      many,
      (tx) => tx<Mine[]>`
        select id, attempted_at::text from public.my_refunds(${last?.attempted_at ?? null}, ${last?.id ?? null})`,
    );
  const first = await page();
  expect(first).toHaveLength(200);
  const rest = await page(first.at(-1));
  expect(rest).toHaveLength(10);
  expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(210);
});

test('nothing of this breaks what must always be true', async () => {
  expect(await sql`select * from public.check_invariants()`).toEqual([]);
});
