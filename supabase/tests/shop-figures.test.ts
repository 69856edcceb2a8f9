import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { shopFigures } from '../../server/metrics/shop-figures.ts';
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
    const metrics = await shopFigures(sql, { mostMs: 300 })();
    const told = new Map(metrics.map(({ name, samples }) => [name, samples]));
    expect(told.get('mithaas_database_up')).toEqual([{ value: 1 }]);
    expect(told.get('mithaas_queue_depth')).toHaveLength(4);
    expect(told.get('mithaas_orders')).toEqual([]);
    const waiting = () => sql`select from pg_stat_activity where query like '%from public.orders group by status%'
      and state = 'active' and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await waiting()).length).toBe(0);
  });
});
