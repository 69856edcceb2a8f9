import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser, insertZone, type NewOrder } from '../../tests/support/rows.ts';
import { openTill, type PaidAnswer, type Till } from '../../tests/support/till.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let till: Till;
let asha: OrderConsole;
let bina: OrderConsole;
let sweet: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'] });
  asha = await openConsole(database.sql);
  bina = await openConsole(database.sql, 'Bina Shah');
  sweet = await insertProduct(database.sql, { price: 100, stock: 100_000 });
});
afterEach(() => till.expectCleanBooks());
afterAll(async () => {
  await till.close();
  await database.drop();
});

/** Bought and paid at the provider's: 2 × ₹100 and 5 % tax and ₹40 shipping. */
const total = 25_000;
async function bought(wish: { refundFails?: boolean } = {}): Promise<string> {
  const customer = await till.customer();
  const { orderId } = await till.checkout(customer, [{ productId: sweet, quantity: 2, size: 500 }], { source: 'cart' });
  const placed = await till.place(customer, (await till.pay(orderId, { outcome: 'pay', ...wish })) as PaidAnswer);
  return (placed.body as unknown as { order_id: string }).order_id;
}
async function delivered(wish: { refundFails?: boolean } = {}): Promise<string> {
  const id = await bought(wish);
  for (const to_status of ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'])
    await asha.act('admin_move_order', id, { to_status });
  return id;
}
async function byPhone(order: Partial<NewOrder> = {}, payment_status = 'paid_offline'): Promise<string> {
  const placed = await insertPaidOrder(database.sql, { userId: null, productId: sweet, paid: false, ...order });
  // Inserted as a phone order: a guard prevents changing the source.
  await database.sql`alter table public.orders disable trigger orders_guard`;
  await database.sql`update public.orders set source = 'manual', payment_status = ${payment_status} where id = ${placed.id}`;
  await database.sql`alter table public.orders enable trigger orders_guard`;
  return placed.id;
}
/** The jobs requested a moment ago are due now. */
const work = () => {
  till.clock.at = Math.max(till.clock.at, Date.now() + 1000);
  return till.work();
};
const refund = (id: string, amount_paise: number, reason = 'Box crushed', who = asha) =>
  who.act('admin_refund_order', id, { amount_paise, reason });
const standing = async (id: string) => {
  const { status, payment_status, money } = await asha.read(id);
  return [status, payment_status, money.refunded_paise, money.under_way_paise, money.refundable_paise];
};

describe('part of the money', () => {
  test('is refunded through the provider, with who requested it and why, and keeps the status', async () => {
    const id = await delivered();
    await refund(id, 5_000, 'One box crushed');
    expect(await standing(id)).toEqual(['Delivered', 'refund_pending', 0, 5_000, total - 5_000]);
    await work();
    expect(await standing(id)).toEqual(['Delivered', 'partially_refunded', 5_000, 0, total - 5_000]);
    const { refunds, payment } = await asha.read(id);
    expect(refunds).toMatchObject([
      { amount_paise: 5_000, status: 'processed', note: 'One box crushed', asked_by: 'Asha Rao', is_by_hand: false },
    ]);
    expect((await till.provider.payment(payment?.payment_id as string))?.refundedPaise).toBe(5_000);
  });

  test('and then the rest makes a delivered order Refunded', async () => {
    const id = await delivered();
    await refund(id, 5_000);
    await work();
    await refund(id, total - 5_000);
    expect(await standing(id)).toEqual(['Refunded', 'refund_pending', 5_000, total - 5_000, 0]);
    await work();
    expect(await standing(id)).toEqual(['Refunded', 'refunded', total, 0, 0]);
    const { refunds, payment } = await asha.read(id);
    expect(refunds.map(({ amount_paise }) => amount_paise)).toEqual([total - 5_000, 5_000]);
    expect((await till.provider.payment(payment?.payment_id as string))?.refundedPaise).toBe(total);
  });

  test('in two simultaneous parts adds up to what was refunded', async () => {
    const id = await bought();
    await refund(id, 1_000);
    await refund(id, 2_000);
    await work();
    expect(await standing(id)).toEqual(['Pending', 'partially_refunded', 3_000, 0, total - 3_000]);
  });

  test('is counted when the order is cancelled: only the rest is refunded', async () => {
    const id = await bought();
    await refund(id, 5_000);
    await asha.act('admin_cancel_order', id, { reason: 'Kitchen is closed', goods: 'stock' });
    expect(await standing(id)).toEqual(['canceled', 'refund_pending', 0, total, 0]);
    await work();
    expect(await standing(id)).toEqual(['canceled', 'refunded', total, 0, 0]);
  });

  test('of an order on its way leaves it on its way, all of it too', async () => {
    const id = await bought();
    await refund(id, total);
    await work();
    expect(await standing(id)).toEqual(['Pending', 'refunded', total, 0, 0]);
  });
});

describe('refuses', () => {
  test.each([
    ['more than was paid', total + 1, 'At most ₹250 can be refunded.'],
    ['nothing', 0, 'Type an amount above zero.'],
    ['less than nothing', -100, 'Type an amount above zero.'],
  ])('%s', async (_what, amount, message) => {
    const id = await bought();
    const refusal = await refusalOf(refund(id, amount));
    expect(refusal).toEqual({ code: 'PT422', message, detail: 'amount_paise' });
    expect(await standing(id)).toEqual(['Pending', 'paid', 0, 0, total]);
  });

  test('more than is left', async () => {
    const id = await bought();
    await refund(id, 20_000.0);
    expect((await refusalOf(refund(id, 5_001))).message).toBe('At most ₹50 can be refunded.');
    await refund(id, 5_000);
    expect((await refusalOf(refund(id, 1))).message).toBe('All that was paid is refunded or on its way back.');
  });

  test('to refund an unpaid order, and a refund without a reason', async () => {
    const unpaid = await byPhone({}, 'unpaid');
    expect((await refusalOf(refund(unpaid, 100))).message).toBe('Nothing was paid for this order.');
    expect(await refusalOf(refund(await bought(), 100, ' \n '))).toMatchObject({ code: 'PT422', detail: 'reason' });
  });

  test('to call an order Refunded while money is with us', async () => {
    const id = await delivered();
    const refusal = await refusalOf(asha.act('admin_move_order', id, { to_status: 'Refunded' }));
    expect(refusal.message).toContain('Refund the whole amount instead');
  });
});

describe('two administrators', () => {
  test('who refund at the same time: one succeeds, the other is asked to check again', async () => {
    for (let n = 0; n < 6; n += 1) {
      const id = await bought();
      const seen = await asha.seen(id);
      const ask = (who: OrderConsole) =>
        who.ask('admin_refund_order', { order_id: id, amount_paise: 15_000, reason: 'Late', seen });
      const race = await Promise.allSettled([ask(asha), ask(bina)]);
      expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = race.find((result) => result.status === 'rejected') as PromiseRejectedResult;
      expect(lost.reason).toMatchObject({ code: 'PT409', detail: 'stale' });
      expect(await standing(id)).toEqual(['Pending', 'refund_pending', 0, 15_000, 10_000]);
    }
  });

  test('a double click refunds once', async () => {
    const id = await bought();
    const seen = await asha.seen(id);
    const clicks = Array.from({ length: 5 }, () =>
      asha.ask('admin_refund_order', { order_id: id, amount_paise: 1_000, reason: 'Late', seen }),
    );
    const done = (await Promise.allSettled(clicks)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    expect((await asha.read(id)).refunds).toHaveLength(1);
  });

  test('refunding while the customer cancels: never more than was paid', async () => {
    for (let n = 0; n < 6; n += 1) {
      const id = await bought();
      const [{ user_id: userId } = { user_id: '' }] = await database.sql<{ user_id: string }[]>`
        select user_id from public.orders where id = ${id}`;
      await Promise.allSettled([
        refund(id, 10_000),
        as(database.sql, { userId }, (tx) => tx`update public.orders set status = 'canceled' where id = ${id}`),
      ]);
      await work();
      expect(await standing(id)).toEqual(['canceled', 'refunded', total, 0, 0]);
    }
  });

  test.each(['processed', 'failed'])(
    'refunding after an earlier refund has %s in between: not reported as a change by another administrator',
    async (became) => {
      const id = await bought();
      await refund(id, 1_000);
      const [first] = (await asha.read(id)).refunds;
      const seen = await asha.seen(id);
      await database.sql`select public.record_refund(${first?.id ?? ''}, ${`rfnd_${became}`}, ${became})`;
      await asha.ask('admin_refund_order', { order_id: id, amount_paise: 2_000, reason: 'Late', seen });
      expect((await standing(id)).slice(2)).toEqual(
        became === 'processed' ? [1_000, 2_000, 22_000] : [0, 3_000, 22_000],
      );
      const again = asha.ask('admin_refund_order', { order_id: id, amount_paise: 2_000, reason: 'Late', seen });
      expect(await refusalOf(again)).toMatchObject({ code: 'PT409', detail: 'stale' });
    },
  );

  test('refunding while an earlier refund arrives: the order says that another is under way', async () => {
    const id = await bought();
    await refund(id, 1_000);
    const [first] = (await asha.read(id)).refunds;
    const seen = await asha.seen(id);
    let arrived: Promise<unknown> = Promise.resolve();
    await as(database.sql, { userId: asha.userId }, async (tx) => {
      await tx`select public.admin_refund_order(${id}, 2000, 'Late', ${seen}::text::timestamptz)`;
      arrived = database.sql`select public.record_refund(${first?.id ?? ''}, 'rfnd_first', 'processed')`.execute();
      await somebodyWaits();
    });
    await arrived;
    expect(await standing(id)).toEqual(['Pending', 'refund_pending', 1_000, 2_000, total - 3_000]);
    await work();
    expect(await standing(id)).toEqual(['Pending', 'partially_refunded', 3_000, 0, total - 3_000]);
  });
});

/** Until a session waits for a lock that this test holds. */
async function somebodyWaits(): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const waiting = await database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (waiting.length > 0) return;
  }
  throw new Error('no session waits');
}

describe('a refund that failed', () => {
  async function failed(amount = 5_000): Promise<string> {
    const id = await bought({ refundFails: true });
    await refund(id, amount);
    await work();
    till.later(61);
    await work();
    expect((await asha.read(id)).payment_status).toBe('refund_failed');
    return id;
  }
  const retry = async (id: string) => {
    const again = (await asha.read(id)).refunds.find(({ can_retry }) => can_retry);
    return asha.act('admin_retry_refund', id, { refund_id: again?.id });
  };

  test('can be retried now instead of tomorrow, and is one refund', async () => {
    const id = await failed();
    expect((await asha.read(id)).refunds.map(({ status, can_retry }) => [status, can_retry])).toEqual([
      ['queued', false],
      ['failed', true],
    ]);
    await retry(id);
    await work();
    till.later(61);
    await work();
    const { refunds, money } = await asha.read(id);
    expect(refunds.map(({ status }) => status)).toEqual(['queued', 'failed', 'failed']);
    expect(money).toMatchObject({ under_way_paise: 5_000, refunded_paise: 0 });
  });

  test('finally can be retried any number of times, never beyond the amount paid', async () => {
    const id = await failed(total);
    for (let day = 0; day < 6; day += 1) {
      till.later(24 * 60 + 61);
      await work();
      till.later(61);
      await work();
    }
    expect((await asha.read(id)).refunds.map(({ status }) => status)).toEqual(Array(5).fill('failed'));
    await retry(id);
    expect(await standing(id)).toEqual(['Pending', 'refund_failed', 0, total, 0]);
    expect((await asha.read(id)).refunds.filter(({ can_retry }) => can_retry)).toEqual([]);
    await database.sql`select public.record_refund(id, 'rfnd_hand', 'processed') from private.refunds
      where order_id = ${id} and status = 'queued'`;
    expect(await standing(id)).toEqual(['Pending', 'refunded', total, 0, 0]);
  });

  const lost = async (id: string) => {
    await database.sql`select public.record_refund(id, null, 'failed') from private.refunds
      where order_id = ${id} and status = 'queued'`;
    await database.sql`update private.refunds set status = 'failed' where order_id = ${id}`;
  };
  const arrives = (id: string) => database.sql`
    select public.record_refund(id, 'rfnd_' || id, 'processed') from private.refunds
    where order_id = ${id} and status = 'queued'`;

  test('for good is settled by other money that is given back in its place, not before all of it is', async () => {
    const id = await bought();
    await refund(id, 3_000);
    await lost(id);
    await refund(id, 2_000, 'To another account');
    await arrives(id);
    expect(await standing(id)).toEqual(['Pending', 'refund_failed', 2_000, 0, total - 2_000]);
    await refund(id, 1_000, 'To another account');
    await arrives(id);
    expect(await standing(id)).toEqual(['Pending', 'partially_refunded', 3_000, 0, total - 3_000]);
  });

  test('is not hidden by a refund of one rupee; a retry refunds the missing amount', async () => {
    const id = await bought();
    await asha.act('admin_cancel_order', id, { reason: 'Kitchen is closed', goods: 'stock' });
    await lost(id);
    await database.sql`update public.orders set payment_status = 'refund_failed' where id = ${id}`;
    await refund(id, 100, 'a rupee');
    expect(await standing(id)).toEqual(['canceled', 'refund_failed', 0, 100, total - 100]);
    await arrives(id);
    expect(await standing(id)).toEqual(['canceled', 'refund_failed', 100, 0, total - 100]);
    await retry(id);
    expect(await standing(id)).toEqual(['canceled', 'refund_failed', 100, total - 100, 0]);
    expect((await asha.read(id)).refunds.filter(({ can_retry }) => can_retry)).toEqual([]);
    await arrives(id);
    expect(await standing(id)).toEqual(['canceled', 'refunded', total, 0, 0]);
  });

  test('in part, and again in its replacement, requests both', async () => {
    const id = await bought();
    await refund(id, 3_000);
    await lost(id);
    await refund(id, 1_000, 'To another account');
    await arrives(id);
    await refund(id, 2_500, 'The rest, and five rupees for the trouble');
    await database.sql`select public.record_refund(id, null, 'failed') from private.refunds
      where order_id = ${id} and status = 'queued'`;
    await database.sql`update private.refunds set status = 'failed' where order_id = ${id} and status = 'queued'`;
    await retry(id);
    expect(await standing(id)).toEqual(['Pending', 'refund_failed', 1_000, 2_500, total - 3_500]);
    await arrives(id);
    expect(await standing(id)).toEqual(['Pending', 'partially_refunded', 3_500, 0, total - 3_500]);
  });

  test('that is under way, worked, or belongs to another order cannot be tried again', async () => {
    const [id, other] = [await bought(), await bought()];
    await refund(id, 1_000);
    const [mine] = (await asha.read(id)).refunds;
    const ask = (order: string) => refusalOf(asha.act('admin_retry_refund', order, { refund_id: mine?.id }));
    expect((await ask(id)).code).toBe('PT404');
    expect((await ask(other)).code).toBe('PT404');
  });
});

describe('money that was paid offline', () => {
  test('is refunded offline: recorded immediately, nothing is sent to the provider', async () => {
    const id = await byPhone({ status: 'Delivered' });
    await refund(id, 5_000, 'Gave it back in cash');
    expect(await standing(id)).toEqual(['Delivered', 'partially_refunded', 5_000, 0, total - 5_000]);
    await refund(id, total - 5_000);
    expect(await standing(id)).toEqual(['Refunded', 'refunded', total, 0, 0]);
    const jobs = await database.sql`select from private.outbox where kind = 'refund' and payload ->> 'refund_id' in
      (select id::text from private.refunds where order_id = ${id})`;
    expect(jobs).toHaveLength(0);
    expect((await asha.read(id)).refunds.every(({ is_by_hand }) => is_by_hand)).toBe(true);
  });

  test('waits to be given back when the order is canceled, also after a part of it was', async () => {
    const id = await byPhone();
    await refund(id, 1_000);
    await asha.act('admin_cancel_order', id, { reason: 'Called off', goods: 'stock' });
    expect(await standing(id)).toEqual(['canceled', 'partially_refunded', 1_000, 0, total - 1_000]);
    await refund(id, total - 1_000);
    expect(await standing(id)).toEqual(['canceled', 'refunded', total, 0, 0]);
  });

  test('an unpaid phone order is marked as paid once, and only that', async () => {
    const id = await byPhone({}, 'unpaid');
    const seen = await asha.seen(id);
    await asha.act('admin_mark_order_paid', id, { method: 'upi' });
    expect(await standing(id)).toEqual(['Pending', 'paid_offline', 0, 0, total]);
    const again = asha.ask('admin_mark_order_paid', { order_id: id, method: 'cash', seen });
    expect(await refusalOf(again)).toMatchObject({ code: 'PT409', detail: 'stale' });
    expect(await refusalOf(asha.act('admin_mark_order_paid', id, { method: 'cash' }))).toMatchObject({ code: 'PT422' });
    expect(await refusalOf(asha.act('admin_mark_order_paid', await bought(), { method: 'cash' }))).toMatchObject({
      code: 'PT422',
    });
    const { changes } = await asha.read(id);
    expect(changes.map(({ by, after }) => [by, after])).toEqual([
      ['Asha Rao', { payment_status: 'paid_offline', offline_method: 'upi' }],
    ]);
  });
});

describe('the log of administrators', () => {
  const logged = (id: string) => database.sql`
    select l.actor_id, l.action, l.after, (private.log_subject('refunds', l.row_id, l.after)).id as subject
    from public.audit_log l
    where l.table_name = 'refunds' and l.row_id in (select id::text from private.refunds where order_id = ${id})
    order by l.id`;

  test('has the refunds, with who requested them and why', async () => {
    const id = await bought();
    await refund(id, 1_000, 'Late', bina);
    expect(await logged(id)).toMatchObject([
      { actor_id: bina.userId, after: { amount_paise: 1_000, note: 'Late', asked_by: bina.userId } },
    ]);
  });

  test('has that they did not wait for the next try', async () => {
    const id = await bought();
    await refund(id, 1_000);
    await database.sql`select public.record_refund(id, null, 'failed') from private.refunds where order_id = ${id}`;
    const [failed] = (await asha.read(id)).refunds.filter(({ can_retry }) => can_retry);
    await bina.act('admin_retry_refund', id, { refund_id: failed?.id });
    expect((await logged(id)).slice(1)).toMatchObject([
      {
        actor_id: bina.userId,
        action: 'update',
        after: { asked_by: bina.userId, hurried_at: expect.any(String) },
        subject: id,
      },
    ]);
    await bina.act('admin_retry_refund', id, { refund_id: failed?.id });
    expect(await logged(id)).toHaveLength(3);
  });
});

test('customers never read what administrators wrote about a refund', async () => {
  const userId = await insertUser(database.sql);
  const { id } = await insertPaidOrder(database.sql, { userId, productId: sweet });
  await refund(id, 1_000, 'Will complain whatever we do');
  const seen = await as(database.sql, { userId }, (tx) => tx`select * from public.my_refunds()`);
  expect(JSON.stringify(seen)).not.toContain('complain');
  expect(seen).toHaveLength(1);
});
