import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type CartShipping, shippingCharge } from '../../domain/delivery/shipping-charge.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertProduct, insertZone } from '../../tests/support/rows.ts';
import { openTill, type Till } from '../../tests/support/till.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let till: Till;
let asha: OrderConsole;
let customer: string;
let laddu: number;

const pincode = '560034';
const standard: CartShipping = { kind: 'flat', flat_paise: 4_000, zone_from_grams: null };
const byZone: CartShipping = { ...standard, kind: 'zone' };
const from3kg: CartShipping = { kind: 'flat', flat_paise: 2_550, zone_from_grams: 3_000 };

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  till = openTill(database.connection, database.sql);
  asha = await openConsole(database.sql);
  await insertZone(database.sql, { prefixes: ['56'], firstKg: 90, extraKg: 40, maxDays: 5 });
  customer = await till.customer(pincode);
  laddu = await insertProduct(database.sql, { name: 'Besan Laddu', price: 100, hasSize: true, stock: 500_000 });
});
afterEach(() => set(standard));
afterAll(async () => {
  await till.close();
  await database.drop();
});

type Read = { cart_shipping: CartShipping; updated_at: string };
const read = () => asha.ask<Read>('admin_read_delivery', {});
const save = async (change: object) =>
  asha.ask('admin_save_cart_shipping', { ...standard, seen: (await read()).updated_at, ...change });
const set = (rule: CartShipping) => save(rule);
const quoted = async (kilograms: number, source: 'cart' | 'direct') => {
  const { body } = await till.quote(customer, [{ productId: laddu, quantity: kilograms, size: 1000 }], {
    pincode,
    source,
  });
  return Math.round(Number(body.shipping_rate) * 100);
};

test('a new shop takes the ₹40 of the specification for a cart, whatever it weighs', async () => {
  expect((await read()).cart_shipping).toEqual(standard);
  expect(await Promise.all([1, 3, 25].map((kg) => quoted(kg, 'cart')))).toEqual([4_000, 4_000, 4_000]);
});

test('SQL charges what the domain rule says', async () => {
  const parcels = fc.sample(fc.tuple(fc.nat({ max: 30_000 }), fc.constantFrom('cart', 'direct', 'manual')), 60);
  for (const rule of [standard, byZone, from3kg, { ...from3kg, zone_from_grams: 1 }] as CartShipping[]) {
    await set(rule);
    const rows = await database.sql`
      select private.shipping_paise(z, p.grams, p.source)::int as charge
      from public.delivery_zones z, unnest(${parcels.map(([grams]) => grams)}::bigint[], ${parcels.map(([, source]) => source)}::text[])
        with ordinality as p (grams, source, n) order by p.n`;
    expect(rows.map(({ charge }) => charge)).toEqual(
      parcels.map(([grams, source]) =>
        shippingCharge({ first_kg_paise: 9_000, extra_kg_paise: 4_000 }, grams, source as 'cart', rule),
      ),
    );
  }
});

test.each([
  [byZone, [9_000, 17_000]],
  [from3kg, [2_550, 17_000]],
])('with %j the quote, the delivery check and the phone order say the same', async (rule, charges) => {
  await set(rule);
  for (const [index, kilograms] of [1, 3].entries()) {
    const charge = charges[index];
    const zoneRate = 9_000 + (kilograms - 1) * 4_000;
    expect([await quoted(kilograms, 'cart'), await quoted(kilograms, 'direct')]).toEqual([charge, zoneRate]);
    const [check] = await as(
      database.sql,
      'anon',
      (tx) => tx`select public.check_delivery(${pincode}, array[${laddu}::bigint], ${kilograms * 1000}) as said`,
    );
    expect(check?.said).toMatchObject({
      charge_paise: zoneRate,
      cart_charge_paise: charge,
      cart_flat_below_grams: rule.kind === 'flat' ? rule.zone_from_grams : null,
    });
    const lines = [{ product_id: laddu, quantity: kilograms, size: 1000 }];
    expect(await asha.ask('admin_price_order', { lines, fulfilment: 'delivery', pincode })).toMatchObject({
      shipping_paise: zoneRate,
      zone_shipping_paise: zoneRate,
      cart_shipping_paise: charge,
    });
  }
});

test('orders for pick-up have no cart charge either', async () => {
  const lines = [{ product_id: laddu, quantity: 1, size: 500 }];
  expect(await asha.ask('admin_price_order', { lines, fulfilment: 'pickup', pincode: '' })).toMatchObject({
    shipping_paise: 0,
    cart_shipping_paise: null,
  });
});

test.each([
  [{ kind: 'free' }, 'kind'],
  [{ kind: null }, 'kind'],
  [{ flat_paise: -1 }, 'flat_paise'],
  [{ flat_paise: null }, 'flat_paise'],
  [{ flat_paise: 1_000_001 }, 'flat_paise'],
  [{ zone_from_grams: 0 }, 'zone_from_grams'],
  [{ zone_from_grams: 30_001 }, 'zone_from_grams'],
])('%j is refused at its field', async (change, detail) => {
  expect(await refusalOf(save(change))).toMatchObject({ code: 'PT422', detail });
  expect((await read()).cart_shipping).toEqual(standard);
});

test('a setting that another administrator saved in the meantime is not overwritten', async () => {
  const { updated_at } = await read();
  await set(byZone);
  expect(await refusalOf(save({ seen: updated_at }))).toMatchObject({ detail: 'stale' });
  expect((await read()).cart_shipping).toEqual(byZone);
});
