import { expect, test } from 'vitest';
import type { Caller } from '../backends/auth/verify-token.ts';
import type { PublishedTable } from './change-feed.ts';
import { createDelivery } from './delivery.ts';
import { keyOf, type ReadRequest, type Row, type RowReader, type Rows } from './row-reader.ts';
import { type Channel, subscribe } from './subscriptions.ts';

const orderEvents: PublishedTable = {
  schema: 'public',
  name: 'order_events',
  columns: [
    { name: 'id', type: 'bigint' },
    { name: 'user_id', type: 'uuid' },
  ],
  key: [{ name: 'id', type: 'bigint' }],
};
const customers = Array.from({ length: 50 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);

/** A customer on the order history page: one channel, filtered as app/features/account/watch-orders.ts does. */
function watching(userId: string, filtered: boolean): Channel & { sent: string[] } {
  const filter = filtered ? { filter: `user_id=eq.${userId}` } : {};
  const joined = subscribe({ event: 'INSERT', schema: 'public', table: 'order_events', ...filter }, [orderEvents]);
  if (!joined.ok) throw new Error(joined.reason);
  const sent: string[] = [];
  const caller: Caller = { role: 'authenticated', userId, claims: {}, expiresAt: 4_102_444_800 };
  return {
    ...{ topic: 'realtime:x', joinRef: '1', subscriptions: [joined.subscription], sent },
    reader: { caller, identity: userId },
    send: (frame) => void sent.push(frame),
  };
}

/** Fifty customers watch, the event belongs to the eighth: who is asked under their own policies, and who hears of it. */
async function deliverOne(filtered: boolean) {
  const row: Row = { json: '{}', record: { id: 1, user_id: customers[7] } };
  const rows: Rows = new Map([[keyOf(['1']), row]]);
  const checked: string[] = [];
  const reader: RowReader = {
    readAs: async (_table, requests: ReadRequest[]) =>
      requests.map(({ caller }) => {
        checked.push(caller.userId ?? '');
        return caller.userId === customers[7] ? rows : new Map();
      }),
    readAsOwner: async () => rows,
  };
  const delivery = createDelivery({ tables: [orderEvents], reader, now: () => 0, log: () => {} });
  const channels = customers.map((id) => watching(id, filtered));
  for (const channel of channels) delivery.add(channel);
  delivery.push({ schema: 'public', table: 'order_events', type: 'INSERT', at: '2026-11-18', keys: [['1']] });
  await expect.poll(() => channels.filter(({ sent }) => sent.length > 0).length).toBe(1);
  await delivery.stop();
  return { checked, told: channels.flatMap(({ sent }, n) => (sent.length > 0 ? [customers[n]] : [])) };
}

test('the policies of a subscriber are checked for rows that pass the filter, and for no others', async () => {
  expect(await deliverOne(true)).toEqual({ checked: [customers[7]], told: [customers[7]] });
});

test('without a filter everybody’s policies would be checked for everybody’s events', async () => {
  const { checked, told } = await deliverOne(false);
  expect([checked.length, told]).toEqual([customers.length, [customers[7]]]);
});
