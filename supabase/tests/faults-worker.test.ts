// A worker that dies in the middle of a job: before a step reaches the database, while the database does it, or when it is
// done and not reported. Another worker takes over.
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { Mail } from '../../adapters/mail/mail.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import type { DatabasePort, WorkerContext } from '../functions/_shared/context.ts';
import { doDueWork, tidyUp } from '../functions/_shared/run-jobs.ts';

let database: TestDatabase;
let till: Till;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  await insertZone(database.sql, { prefixes: ['400'] });
});
afterAll(async () => {
  await till.close();
  await database.drop();
});

type Moment = 'before' | 'during' | 'after';
type Step = Parameters<DatabasePort['rpc']>[0];

/** A context that dies at a step: from then on no call of it arrives. `mails` stands for the mail service. */
function mortal(step: Step, moment: Moment, mails: Mail[]): WorkerContext & { isDead(): boolean } {
  let isDead = false;
  const { context } = till;
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    isDead ? Promise.reject(new Error('the worker is dead')) : work();
  const rpc = async (name: Step, args: never): Promise<unknown> => {
    if (isDead) throw new Error('the worker is dead');
    if (name !== step) return context.db.rpc(name, args);
    if (moment === 'after') await context.db.rpc(name, args);
    isDead = true;
    if (moment === 'during') await killWhileItWaits(name, args);
    throw new Error('the worker died');
  };
  return {
    ...context,
    isDead: () => isDead,
    db: { rpc: rpc as DatabasePort['rpc'] },
    mailer: { send: (mail) => alive(async () => void mails.push(mail)) },
    payments: new Proxy(till.provider, {
      get: (provider, name) => {
        const value = provider[name as keyof typeof provider];
        if (typeof value !== 'function') return value;
        return (...args: never[]) => alive(async () => (value as (...given: never[]) => unknown)(...args));
      },
    }),
    report: () => {},
  };
}

/** Holds what the step needs until it waits for it, then ends its connection: the database takes the step back. */
async function killWhileItWaits(name: Step, args: never): Promise<void> {
  const holder = await database.sql.reserve();
  try {
    await holder`begin`;
    await holder`lock table private.checkouts, private.quotes, private.refunds, private.outbox, private.sales_steps,
      public.orders in access exclusive mode`;
    let outcome: string | undefined;
    const step = till.context.db.rpc(name, args).then(
      () => 'done',
      (error: { code?: string }) => error.code ?? 'failed',
    );
    void step.then((code) => {
      outcome = code;
    });
    // On a very busy machine it may have waited for so long that the database broke it off itself.
    const end = () => database.sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${`%"${name}"%`}`;
    while (!outcome && (await end()).length === 0) await new Promise((soon) => setTimeout(soon, 20));
    expect(await step).not.toBe('done');
  } finally {
    await holder`rollback`;
    holder.release();
  }
}

/** One of everything a worker has to do. */
async function workToDo() {
  const sweet = await insertProduct(database.sql, { price: 100, stock: 100 });
  const line = (quantity: number) => [{ productId: sweet, quantity, size: 500 as const }];
  const [forgetful, silent, returning] = [await till.customer(), await till.customer(), await till.customer()];
  await till.checkout(forgetful, line(3));
  const returned = await till.checkout(returning, line(1));
  await till.place(returning, await till.pay(returned.orderId));
  await till.work();
  const [order] = await database.sql<{ id: string; payment_id: string }[]>`
    select id, payment_id from public.orders where user_id = ${returning}`;
  await as(
    database.sql,
    { userId: returning },
    (sql) => sql`update public.orders set status = 'canceled' where id = ${order?.id ?? ''}`,
  );
  // Long enough that the reservation expires; the unreported payment is younger.
  till.later(31);
  const unheard = await till.checkout(silent, line(2));
  await till.pay(unheard.orderId);
  await database.sql`insert into private.outbox (kind, key, payload, run_after, created_at)
    values ('mail', ${`mail:broken:${sweet}`}, '{"template": "order-placed", "order_id": "no uuid"}',
            ${new Date(till.clock.at)}, ${new Date(till.clock.at)})`;
  till.later(1);
  return { sweet, silent, returning, paymentId: order?.payment_id ?? '' };
}

async function expectDoneOnce(
  { sweet, silent, returning, paymentId }: Awaited<ReturnType<typeof workToDo>>,
  mails: Mail[],
) {
  await till.expectCleanBooks();
  const orders = await database.sql`select status from public.orders where user_id = ${silent}`;
  expect(orders).toEqual([{ status: 'Pending' }]);
  const refunds = await database.sql`select status from private.refunds where payment_id = ${paymentId}`;
  expect(refunds).toEqual([{ status: 'processed' }]);
  expect(await till.provider.payment(paymentId)).toMatchObject({ status: 'refunded' });
  // 100, less the two that were bought: the three that were held back and the one that came back are there again.
  const [stock] = await database.sql`select on_hand, reserved from public.stock_levels where product_id = ${sweet}`;
  expect(stock).toEqual({ on_hand: 98, reserved: 0 });
  // A mail that was sent when the worker died is sent again under the same key, by which it is known for the same mail.
  const keysTo = (customer: string) =>
    [...new Map(mails.filter(({ to }) => to.address === `${customer}@example.com`).map((mail) => [mail.key, mail]))]
      .map(([, { subject }]) => subject.replace(/\d+/g, 'N'))
      .sort();
  expect({ silent: keysTo(silent).length, returning: keysTo(returning).length }).toEqual({ silent: 1, returning: 2 });
  const [left] = await database.sql`
    select count(*)::int as jobs from private.outbox where done_at is null and key not like 'mail:broken:%'`;
  expect(left).toEqual({ jobs: 0 });
}

const moments: Moment[] = process.env.SOAK ? ['before', 'during', 'after'] : ['during'];
const steps: Step[] = ['claim_jobs', 'settle_payment', 'finish_check', 'record_refund', 'finish_job', 'postpone_job'];

describe.each(steps)('the customer gets one order, one refund and one mail for each when the worker dies', (step) => {
  test.each(moments)(`%s ${step}`, async (moment) => {
    const todo = await workToDo();
    const mails: Mail[] = [];
    const dying = mortal(step, moment, mails);
    await doDueWork(dying).catch(() => {});
    expect(dying.isDead()).toBe(true);
    const after: WorkerContext = { ...till.context, mailer: { send: async (mail) => void mails.push(mail) } };
    for (let n = 0; n < 4; n += 1) {
      till.later(3);
      await doDueWork(after);
    }
    await expectDoneOnce(todo, mails);
  });
});

describe('what a killed worker had taken on is done within a minute of the kill', () => {
  const aMinuteLater = async () => {
    for (let half = 0; half < 2; half += 1) {
      till.later(0.5);
      await till.work();
    }
  };

  test.each<[Step, Moment]>([
    ['claim_jobs', 'after'],
    ['record_refund', 'before'],
  ])('a refund, killed at %s (%s): once', async (step, moment) => {
    const todo = await workToDo();
    const dying = mortal(step, moment, []);
    await doDueWork(dying).catch(() => {});
    expect(dying.isDead()).toBe(true);
    await aMinuteLater();
    const refunds =
      await database.sql`select status, amount_paise from private.refunds where payment_id = ${todo.paymentId}`;
    expect(refunds).toMatchObject([{ status: 'processed' }]);
    const payment = await till.provider.payment(todo.paymentId);
    expect(payment?.refundedPaise).toBe(Number(refunds[0]?.amount_paise));
  });

  test('a payment that arrived hours after its checkout', async () => {
    const customer = await till.customer();
    const sweet = await insertProduct(database.sql, { price: 100, stock: 5 });
    const { orderId } = await till.checkout(customer, [{ productId: sweet, quantity: 1, size: 500 }]);
    till.later(120);
    await till.work();
    await till.pay(orderId, { outcome: 'pay', webhook: 'normal' });
    await till.simulator.settled();
    await doDueWork(mortal('claim_jobs', 'after', [])).catch(() => {});
    await aMinuteLater();
    expect(await database.sql`select status from public.orders where user_id = ${customer}`).toHaveLength(1);
  });
});

test('a worker that takes long over an email keeps its lease: no other worker sends it too', async () => {
  const customer = await till.customer();
  const sweet = await insertProduct(database.sql, { price: 100, stock: 5 });
  const { orderId } = await till.checkout(customer, [{ productId: sweet, quantity: 1, size: 500 }]);
  await till.place(customer, await till.pay(orderId));
  await database.sql`update private.outbox set done_at = now() where done_at is null and key not in (
    select 'mail:event:' || e.id from public.order_events e join public.orders o on o.id = e.order_id where o.user_id = ${customer})`;
  const sent: string[] = [];
  let begun = () => {};
  const isUnderWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  let finish = () => {};
  const slow: WorkerContext = {
    ...till.context,
    mailer: {
      send: (mail) =>
        new Promise((resolve) => {
          begun();
          finish = () => {
            sent.push(mail.key);
            resolve();
          };
        }),
    },
  };
  const other: WorkerContext = {
    ...till.context,
    mailer: { send: async (mail) => void sent.push(`again ${mail.key}`) },
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const working = doDueWork(slow);
    await isUnderWay;
    for (let n = 0; n < 12; n += 1) {
      till.later(10 / 60);
      vi.advanceTimersByTime(10_000);
      await renewed();
      await doDueWork(other);
    }
    expect(sent).toEqual([]);
    finish();
    await working;
    till.later(5);
    await doDueWork(other);
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }

  /** The lease ends half a minute from now. */
  async function renewed(): Promise<void> {
    const end = new Date(till.clock.at + 30_000);
    while ((await database.sql`select from private.outbox where done_at is null and run_after >= ${end}`).length === 0)
      await new Promise((soon) => setTimeout(soon, 5));
  }
});

describe.each<Step>(['sweep', 'refresh_figures'])(
  'the owner’s figures are right and old things are gone when the worker dies',
  (step) => {
    test.each(moments)(`%s ${step}`, async (moment) => {
      const figures = () => database.sql`
      select step, starts_at, to_jsonb(s) - 'id' as sums from private.sales_steps s order by 1, 2`;
      await tidyUp(till.context);
      const right = await figures();
      await database.sql`delete from private.sales_steps`;
      const customer = await till.customer();
      const sweet = await insertProduct(database.sql, { price: 100, stock: 5 });
      const quoted = await till.quote(customer, [{ productId: sweet, quantity: 1, size: 500 }]);
      const { quote_id } = quoted.body as unknown as { quote_id: string };
      await database.sql`update private.quotes set expires_at = now() - interval '1 day' where id = ${quote_id}`;
      const dying = mortal(step, moment, []);
      await tidyUp(dying).catch(() => {});
      expect(dying.isDead()).toBe(true);
      await tidyUp(till.context);
      expect(await database.sql`select id from private.quotes where id = ${quote_id}`).toEqual([]);
      expect(await figures()).toEqual(right);
    });
  },
);
