import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectService } from '../../server/functions/functions.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
});
afterAll(() => database.drop());

test('the crowd for which letters wait is one of shoppers: what the worker itself does together is none', async () => {
  const { db, workersDb, crowdSize, close } = connectService(database.connection);
  const settleMany = (through: typeof db) =>
    Promise.all(
      Array.from({ length: 10 }, async () => {
        const settled = await through.rpc('settle_payment', {
          provider_order_id: `order_${randomUUID()}`,
          payment_id: `pay_${randomUUID()}`,
          amount_paise: 100,
          currency: 'INR',
          given_back: false,
          at: new Date().toISOString(),
        });
        expect(settled).toEqual({ outcome: 'unknown-order' });
      }),
    );
  await settleMany(workersDb);
  expect(crowdSize()).toBe(0);
  await settleMany(db);
  expect(crowdSize()).toBe(9);
  await close();
});
