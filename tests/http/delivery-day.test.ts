// The day of delivery over HTTP: what is refused changes nothing, and what the calendar offers is accepted.
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { deliveryCalendar } from '../../supabase/contracts/delivery.ts';
import { address } from '../support/buying.ts';
import { newClient, newCustomer, publicEnvironment, type ShopClient, tokenOf, userIdOf } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
/** Keeps for weeks; its quotes are not held. */
const laddu = 9;
let customer: ShopClient;
let token: string;
let days: { day: string; reason?: string | undefined }[];

beforeAll(async () => {
  customer = await newCustomer(shopUrl);
  token = await tokenOf(customer);
  await customer.from('user_profiles').upsert({ user_id: await userIdOf(customer), ...address });
  const visitor = newClient(await publicEnvironment(shopUrl));
  const { data } = await visitor.rpc('delivery_calendar', { pincode: address.zip, product_ids: [laddu] });
  const calendar = deliveryCalendar.result.parse(data);
  if (!calendar.ok) throw new Error(calendar.reason);
  days = calendar.days;
});

async function quote(delivery_on: unknown, fulfilment = 'delivery') {
  const response = await fetch(`${backendUrl}/functions/v1/getShippingPrice`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      orders: [{ productId: laddu, quantity: 1, size: 500 }],
      delivery: { pincode: address.zip },
      fulfilment,
      delivery_on,
    }),
  });
  return { status: response.status, body: await response.json() };
}

const dayFromToday = (ahead: number) =>
  new Date(Date.parse(days[0]?.day ?? '') + ahead * 86_400_000).toISOString().slice(0, 10);

describe('a delivery day', () => {
  test('that the calendar offers is quoted, to the last one', async () => {
    const possible = days.filter(({ reason }) => !reason);
    expect(possible.length).toBeGreaterThan(30);
    for (const { day } of [possible[0], possible.at(-1)].flatMap((one) => one ?? [])) {
      const { status, body } = await quote(day);
      expect([status, body.delivery_by]).toEqual([200, day]);
    }
  });

  test('that the calendar refuses is refused by the same reason', async () => {
    const refused = new Map(days.flatMap(({ day, reason }) => (reason ? [[reason, day] as const] : [])));
    expect(refused.size).toBeGreaterThan(0);
    for (const [reason, day] of refused) {
      const { status, body } = await quote(day);
      expect([status, body.error.code, body.quote_id]).toEqual([409, reason, undefined]);
      expect(body.error.message).not.toBe('');
    }
  });

  test.each([
    ['yesterday', () => dayFromToday(-1), 409, 'day-past'],
    ['61 days ahead', () => dayFromToday(61), 409, 'day-too-far'],
    ['a day that is not there', () => '2027-02-30', 400, 'invalid-body'],
    ['the year 0', () => '0000-01-01', 400, 'invalid-body'],
    ['no date', () => 'tomorrow', 400, 'invalid-body'],
    ['infinity', () => 'infinity', 400, 'invalid-body'],
    ['a moment', () => '2026-12-01T00:00:00Z', 400, 'invalid-body'],
    ['a number', () => 20261201, 400, 'invalid-body'],
    ['a list', () => ['2026-12-01'], 400, 'invalid-body'],
    ['SQL', () => "2026-12-01'; drop table orders; --", 400, 'invalid-body'],
  ])('that is %s is refused, and nothing is quoted', async (_name, day, status, code) => {
    const answer = await quote(day());
    expect([answer.status, answer.body.error.code, answer.body.quote_id]).toEqual([status, code, undefined]);
    expect((await customer.from('orders').select('id')).data).toEqual([]);
  });

  test('of a pick-up is refused', async () => {
    const { status, body } = await quote(dayFromToday(10), 'pickup');
    expect([status, body.error.code]).toEqual([400, 'day-of-pickup']);
  });

  test('left out is the earliest, as ever', async () => {
    const { status, body } = await quote(undefined);
    expect([status, body.delivery_by]).toEqual([200, days.find(({ reason }) => !reason)?.day]);
  });
});
