import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { contractKeys, contractTimes, describeProvider } from '../../adapters/payments/provider.contract.ts';
import { createRazorpay } from '../../adapters/payments/razorpay.ts';
import { createSimulator, SIMULATOR_URL } from '../../adapters/payments/simulator.ts';
import type { WebhookDelivery } from '../../adapters/payments/simulator-webhooks.ts';
import { createSimulatorStore, prepareSimulatorStore } from '../../server/demo/simulator-store.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

describeProvider('the simulator over Postgres', async () => {
  const database = await newDatabase(inject('postgresPath'));
  await prepareSimulatorStore(database.sql);
  const delivered: WebhookDelivery[] = [];
  const simulator = createSimulator({
    ...contractKeys,
    ...contractTimes,
    store: createSimulatorStore(database.sql),
    now: Date.now,
    deliver: async (event) => {
      delivered.push(event);
    },
  });
  const provider = createRazorpay({
    ...contractKeys,
    kind: 'test',
    baseUrl: SIMULATOR_URL,
    fetch: simulator.fetch,
    timeoutMs: contractTimes.timeoutMs,
  });
  return {
    provider,
    simulator,
    delivered,
    async close() {
      simulator.stop();
      await simulator.settled();
      await database.drop();
    },
  };
});

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

test('can be prepared repeatedly, also by several processes at the same time', async () => {
  await Promise.all(Array.from({ length: 4 }, () => prepareSimulatorStore(database.sql)));
  await prepareSimulatorStore(database.sql);
});

test('is out of reach for browsers', async () => {
  await prepareSimulatorStore(database.sql);
  for (const role of ['anon', 'authenticated'])
    for (const table of ['provider_orders', 'provider_payments', 'provider_refunds']) {
      const read = database.sql.begin(async (tx) => {
        await tx.unsafe(`set local role ${role}`);
        await tx.unsafe(`select from demo.${table}`);
      });
      await expect(read, `${role} reading ${table}`).rejects.toMatchObject({ code: '42501' });
    }
});

test('waits for the disk with a payment, not with an order', async () => {
  await prepareSimulatorStore(database.sql);
  await database.sql.unsafe(`
    create table public.commits (what text, synchronous text);
    create function public.note_commit() returns trigger language plpgsql as
      $$ begin insert into public.commits values (tg_table_name, current_setting('synchronous_commit')); return null; end $$;
    create constraint trigger note after insert on demo.provider_orders deferrable initially deferred
      for each row execute function public.note_commit();
    create constraint trigger note after insert or update on demo.provider_payments deferrable initially deferred
      for each row execute function public.note_commit();
  `);
  const careless = postgres({ ...database.connection, connection: { synchronous_commit: 'off' } as never });
  const store = createSimulatorStore(careless);
  await createSimulatorStore(database.sql).addOrder({ id: 'order_1', receipt: 'one', amountPaise: 500, createdAt: 1 });
  await store.addPayment({
    id: 'pay_1',
    orderId: 'order_1',
    status: 'authorized',
    refundedPaise: 0,
    createdAt: 1,
    webhook: 'never',
    refundFails: false,
  });
  expect(await store.capturePayment('pay_1', 'authorized')).toBe(true);
  await careless.end();
  expect([...(await database.sql`select what, synchronous from public.commits`)]).toEqual([
    { what: 'provider_orders', synchronous: 'off' },
    { what: 'provider_payments', synchronous: 'on' },
    { what: 'provider_payments', synchronous: 'on' },
  ]);
});

test('gives every concurrent caller their own response, and an order one captured payment', async () => {
  const crowded = await newDatabase(inject('postgresPath'));
  await prepareSimulatorStore(crowded.sql);
  const statements: string[] = [];
  const watched = postgres({ ...crowded.connection, debug: (_connection, query) => void statements.push(query) });
  const store = createSimulatorStore(watched);
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  const payment = (n: number, attempt: string) => ({
    id: `pay_${n}${attempt}`,
    orderId: `order_${n}`,
    status: 'captured' as const,
    refundedPaise: 0,
    createdAt: 1,
    webhook: 'never' as const,
    refundFails: false,
  });
  await Promise.all(
    numbers.map((n) => store.addOrder({ id: `order_${n}`, receipt: `r${n}`, amountPaise: 500 + n, createdAt: 1 })),
  );
  const paid = await Promise.all([
    ...numbers.map((n) => store.addPayment(payment(n, 'a'))),
    ...numbers.map((n) => store.addPayment(payment(n, 'b'))),
    store.addPayment(payment(99, 'a')),
  ]);
  expect(paid.pop()).toBeNull();
  for (const [place, answer] of paid.entries())
    expect(answer?.order).toMatchObject({ id: `order_${place % 30}`, amountPaise: 500 + (place % 30) });
  for (const n of numbers) expect([paid[n]?.added, paid[n + 30]?.added].filter(Boolean)).toHaveLength(1);
  expect(await Promise.all(numbers.map((n) => store.payment(`pay_${n}a`).then((found) => found?.amountPaise)))).toEqual(
    numbers.map((n) => (paid[n]?.added ? 500 + n : undefined)),
  );
  expect(statements.filter((text) => text.includes('insert into demo.provider_orders')).length).toBeLessThan(5);
  await watched.end();
  await crowded.drop();
});
