import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { cachedFigures, shopFigures } from '../../server/operations/metrics/shop-figures.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

test('orders that cannot be counted in time hide nothing else, and end where they are counted', async () => {
  const { sql } = database;
  await sql.begin(async (holder) => {
    await holder`lock table public.orders in access exclusive mode`;
    const metrics = await shopFigures(sql, 300);
    const values = new Map(metrics.map(({ name, value }) => [name, value]));
    expect(values.get('mithaas_database_up')).toBe(1);
    expect(values.get('mithaas_queue_depth')).toMatchObject({ label: 'queue', values: { mail: 0, refund: 0 } });
    expect(values.get('mithaas_orders')).toEqual({ label: 'status', values: {} });
    const waiting = () => sql`select from pg_stat_activity where query like '%count_orders()%'
      and state = 'active' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await waiting()).length).toBe(0);
  });
});

type Queues = { depth: Counts; overdue: Counts; troubled: Counts; failed_refunds: number };
type Counts = Record<string, number>;

async function queues(): Promise<Queues> {
  const [row] = await database.sql<
    { figures: Queues }[]
  >`select public.queue_metrics(${'2026-11-17T06:00:00Z'}) as figures`;
  return row?.figures as Queues;
}

test('waiting jobs, their age and failed attempts are counted by queue', async () => {
  const { sql } = database;
  const nothing = { mail: 0, message: 0, refund: 0, 'order-change': 0, 'payment-check': 0, 'refund-check': 0 };
  expect(await queues()).toEqual({ depth: nothing, overdue: nothing, troubled: nothing, failed_refunds: 0 });
  const jobs = [
    { kind: 'mail', key: 'due', attempts: 0, run_after: '2026-11-17T05:58:00Z', done_at: null },
    { kind: 'mail', key: 'failing', attempts: 3, run_after: '2026-11-17T06:30:00Z', done_at: null },
    { kind: 'mail', key: 'twice', attempts: 2, run_after: '2026-11-17T06:30:00Z', done_at: null },
    { kind: 'refund', key: 'failing too', attempts: 40, run_after: '2026-11-17T11:00:00Z', done_at: null },
    { kind: 'mail', key: 'done', attempts: 9, run_after: '2026-11-16T06:00:00Z', done_at: '2026-11-16T06:00:00Z' },
  ];
  await sql`insert into private.outbox ${sql(jobs.map((job) => ({ ...job, payload: {} })) as never)}`;
  expect(await queues()).toEqual({
    depth: { ...nothing, mail: 3, refund: 1 },
    overdue: { ...nothing, mail: 120 },
    troubled: { ...nothing, mail: 1, refund: 1 },
    failed_refunds: 0,
  });
});

test('a refund has failed until its money is back, whichever try brings it', async () => {
  const { sql } = database;
  const paid = (id: string) => ({
    payment_id: id,
    provider_order_id: `order_${id}`,
    amount_paise: 90_000,
    status: 'captured',
  });
  const payments = ['a', 'b', 'c', 'd'].map((id) => ({ ...paid(id), captured_at: '2026-11-16T06:00:00Z' }));
  await sql`insert into private.payments ${sql(payments)}`;
  const tried = async (payment: string, status: string, amount = 50_000, retry_of: string | null = null) => {
    const [row] = await sql<{ id: string }[]>`insert into private.refunds ${sql({
      payment_id: payment,
      amount_paise: amount,
      reason: 'order canceled',
      status,
      processed_at: status === 'processed' ? '2026-11-17T05:00:00Z' : null,
      retry_of,
    })} returning id`;
    return row?.id ?? '';
  };
  const failed = async () => (await queues()).failed_refunds;

  await tried('a', 'processed');
  expect(await failed()).toBe(0);
  const first = await tried('b', 'failed');
  expect(await failed()).toBe(1);
  await tried('b', 'failed', 50_000, first);
  await tried('b', 'queued', 50_000, first);
  expect(await failed()).toBe(1);
  await tried('b', 'processed', 20_000, first);
  expect(await failed()).toBe(1);
  await tried('b', 'processed', 30_000, first);
  expect(await failed()).toBe(0);

  // 40 of 50 were refunded, then another 40 were requested instead, of which 10 were refunded.
  const other = await tried('d', 'failed', 50_000);
  await tried('d', 'processed', 40_000, other);
  await tried('d', 'failed', 40_000, other);
  await tried('d', 'processed', 10_000, other);
  expect(await failed()).toBe(1);
  await tried('d', 'processed', 30_000, other);
  expect(await failed()).toBe(0);

  await tried('c', 'failed');
  await tried('c', 'failed');
  expect(await failed()).toBe(2);
  await sql`update private.payments set status = 'refunded' where payment_id = 'c'`;
  expect(await failed()).toBe(0);
});

test('however many ask, it is asked every five seconds, also after the clock was set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    let asked = 0;
    const figures = cachedFigures(async () => {
      asked += 1;
      return [];
    });
    await Promise.all(Array.from({ length: 50 }, figures));
    expect(asked).toBe(1);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(5_001);
    await figures();
    expect(asked).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
