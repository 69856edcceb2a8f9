import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectService } from '../../server/functions/functions.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

test('emails wait while customers are buying, not because of the batches of the worker itself', async () => {
  const { db, workersDb, customerPeak, close } = connectService(database.connection);
  const settleMany = (through: typeof db) =>
    Promise.all(
      Array.from({ length: 10 }, async () => {
        const settled = await through.rpc('settle_payment', {
          provider_order_id: `order_${randomUUID()}`,
          payment_id: `pay_${randomUUID()}`,
          amount_paise: 100,
          currency: 'INR',
          is_refunded_by_provider: false,
          at: new Date().toISOString(),
        });
        expect(settled).toEqual({ outcome: 'unknown-order' });
      }),
    );
  await settleMany(workersDb);
  expect(customerPeak()).toBe(0);
  await settleMany(db);
  expect(customerPeak()).toBe(9);
  await close();
});
