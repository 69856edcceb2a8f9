import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser } from '../../tests/support/rows.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let asha: OrderConsole;
let ravi: OrderConsole;

type Row = { id: number; updated_at: string };
type Settings = {
  cutoff_time: string;
  weekly_off: number[];
  updated_at: string;
  zones: (Row & { name: string; pincode_prefixes: string[] })[];
  closures: (Row & {
    starts_on: string;
    reason: string;
    promised: { count: number; orders: { id: string; number: number }[] } | null;
  })[];
};

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  asha = await openConsole(database.sql);
  ravi = await openConsole(database.sql, 'Ravi Kulkarni');
});
beforeEach(async () => {
  await database.sql`delete from public.closures`;
  await database.sql`delete from public.delivery_zones`;
});
afterAll(() => database.drop());

const read = () => asha.ask<Settings>('admin_read_delivery', {});
const mumbai = {
  zone_id: null,
  name: 'Mumbai',
  pincode_prefixes: ['400'],
  first_kg_paise: 4000,
  extra_kg_paise: 1550,
  min_days: 1,
  max_days: 1,
  is_published: true,
};
const saveZone = (change: Record<string, unknown> = {}, console = asha) =>
  console.ask<Row>('admin_save_zone', { ...mumbai, ...change });
const saveClosure = (change: Record<string, unknown> = {}, console = asha) =>
  console.ask<Row>('admin_save_closure', {
    closure_id: null,
    starts_on: '2026-11-17',
    ends_on: '2026-11-18',
    reason: 'Diwali',
    ...change,
  });
const logged = async (table: string) =>
  (
    await database.sql`select action, before, after from public.audit_log where table_name = ${table} order by id desc limit 1`
  )[0];

describe('working days', () => {
  const save = async (change: Record<string, unknown> = {}, console = asha) =>
    console.ask('admin_save_working_days', {
      cutoff_time: '16:30',
      weekly_off: [6, 0, 0],
      seen: (await read()).updated_at,
      ...change,
    });

  test('are saved, and read in the log', async () => {
    await save();
    expect(await read()).toMatchObject({ cutoff_time: '16:30', weekly_off: [0, 6] });
    expect(await logged('shop_settings')).toMatchObject({ action: 'update', after: { weekly_off: [0, 6] } });
    await save({ cutoff_time: '14:00', weekly_off: [0] });
  });

  test.each([
    [{ cutoff_time: '24:00' }, 'cutoff_time'],
    [{ cutoff_time: '' }, 'cutoff_time'],
    [{ cutoff_time: null }, 'cutoff_time'],
    [{ cutoff_time: '2 pm' }, 'cutoff_time'],
    [{ weekly_off: [0, 1, 2, 3, 4, 5, 6] }, 'weekly_off'],
    [{ weekly_off: [7] }, 'weekly_off'],
    [{ weekly_off: null }, 'weekly_off'],
  ])('%j is refused at its field', async (change, detail) => {
    expect(await refusalOf(save(change))).toMatchObject({ code: 'PT422', detail });
  });

  test('two administrators: the second gets a conflict', async () => {
    const { updated_at: seen } = await read();
    await save({ cutoff_time: '15:00', seen });
    expect(await refusalOf(save({ cutoff_time: '16:00', seen }, ravi))).toMatchObject({
      code: 'PT409',
      detail: 'stale',
    });
    expect((await read()).cutoff_time).toBe('15:00');
  });
});

describe('a closure', () => {
  test('is added, moved and removed; upcoming ones come first', async () => {
    await saveClosure({ starts_on: '2026-01-01', ends_on: '2026-01-01', reason: 'New Year' });
    const { id } = await saveClosure({ starts_on: '2099-01-02', ends_on: '2099-01-03', reason: ' Far\nahead ' });
    await saveClosure({ starts_on: '2098-01-02', ends_on: '2098-01-03', reason: 'Less far' });
    const { closures } = await read();
    expect(closures.map(({ reason }) => reason)).toEqual(['Less far', 'Far ahead', 'New Year']);
    const seen = closures.find((one) => one.id === id)?.updated_at;
    const moved = await saveClosure({
      closure_id: id,
      starts_on: '2097-01-01',
      ends_on: '2097-01-01',
      reason: 'Far ahead',
      seen,
    });
    expect((await read()).closures[0]).toMatchObject({ id, starts_on: '2097-01-01' });
    await asha.ask('admin_delete_closure', { closure_id: id, seen: moved.updated_at });
    expect((await read()).closures).toHaveLength(2);
    expect(await logged('closures')).toMatchObject({ action: 'delete', before: { reason: 'Far ahead' } });
  });

  test('says which open orders are promised for its days, the first ten of them', async () => {
    const userId = await insertUser(database.sql);
    const productId = await insertProduct(database.sql, { price: 240, hasSize: true, stock: 100_000 });
    const numbers: number[] = [];
    for (let made = 0; made < 12; made += 1) {
      const { id } = await insertPaidOrder(database.sql, { userId, productId });
      const [order] = await database.sql<{ number: number }[]>`
        update public.orders set delivery_by = ${made === 11 ? '2098-03-04' : '2098-03-03'} where id = ${id}
        returning number::int`;
      numbers.push(order?.number ?? 0);
    }
    await saveClosure({ starts_on: '2098-03-02', ends_on: '2098-03-03', reason: 'Holi' });
    const promised = async () => (await read()).closures[0]?.promised;
    expect((await promised())?.count).toBe(11);
    expect((await promised())?.orders.map(({ number }) => number)).toEqual(numbers.slice(0, 10));
    await database.sql`update public.orders set status = 'canceled' where number = ${numbers[0] as number}`;
    expect(await promised()).toMatchObject({ count: 10, orders: numbers.slice(1, 11).map((number) => ({ number })) });
    await saveClosure({ starts_on: '2026-01-01', ends_on: '2026-01-01', reason: 'New Year' });
    expect((await read()).closures.find(({ reason }) => reason === 'New Year')?.promised).toBeNull();
  });

  test.each([
    [{ starts_on: null }, 'starts_on'],
    [{ starts_on: '1999-12-31' }, 'starts_on'],
    [{ ends_on: '2026-11-16' }, 'ends_on'],
    [{ ends_on: '2028-11-16' }, 'ends_on'],
    [{ ends_on: null }, 'ends_on'],
    [{ reason: ' ' }, 'reason'],
    [{ reason: 'x'.repeat(81) }, 'reason'],
  ])('%j is refused at its field', async (change, detail) => {
    expect(await refusalOf(saveClosure(change))).toMatchObject({ code: 'PT422', detail });
    expect((await read()).closures).toEqual([]);
  });

  test('two administrators: neither overwrites nor deletes the changes of the other', async () => {
    const { id, updated_at: seen } = await saveClosure();
    const mine = await saveClosure({ closure_id: id, reason: 'Diwali week', seen });
    expect(await refusalOf(saveClosure({ closure_id: id, reason: 'Holi', seen }, ravi))).toMatchObject({
      detail: 'stale',
    });
    expect(await refusalOf(ravi.ask('admin_delete_closure', { closure_id: id, seen }))).toMatchObject({
      detail: 'stale',
    });
    await asha.ask('admin_delete_closure', { closure_id: id, seen: mine.updated_at });
    expect(await refusalOf(saveClosure({ closure_id: id, seen: mine.updated_at }, ravi))).toMatchObject({
      detail: 'stale',
    });
  });
});

describe('a zone', () => {
  test('is added, changed and deleted, to the paisa', async () => {
    const { id, updated_at } = await saveZone({ pincode_prefixes: ['401', '400', '400'] });
    expect((await read()).zones).toMatchObject([{ id, pincode_prefixes: ['400', '401'], extra_kg_paise: 1550 }]);
    const changed = await saveZone({ zone_id: id, max_days: 3, seen: updated_at });
    expect((await read()).zones).toMatchObject([{ max_days: 3 }]);
    await asha.ask('admin_delete_zone', { zone_id: id, seen: changed.updated_at });
    expect((await read()).zones).toEqual([]);
    expect(await logged('delivery_zones')).toMatchObject({ action: 'delete' });
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ pincode_prefixes: [] }, 'pincode_prefixes'],
    [{ pincode_prefixes: null }, 'pincode_prefixes'],
    [{ pincode_prefixes: ['0'] }, 'pincode_prefixes'],
    [{ pincode_prefixes: ['४'] }, 'pincode_prefixes'],
    [{ pincode_prefixes: [null] }, 'pincode_prefixes'],
    [{ pincode_prefixes: ['4000281'] }, 'pincode_prefixes'],
    [{ first_kg_paise: -1 }, 'first_kg_charge'],
    [{ extra_kg_paise: 1_000_001 }, 'extra_kg_charge'],
    [{ extra_kg_paise: null }, 'extra_kg_charge'],
    [{ min_days: -1 }, 'min_days'],
    [{ max_days: 0 }, 'max_days'],
    [{ min_days: 8, max_days: 8 }, 'min_days'],
    [{ max_days: 8 }, 'max_days'],
  ])('%j is refused at its field', async (change, detail) => {
    expect(await refusalOf(saveZone(change))).toMatchObject({ code: 'PT422', detail });
    expect((await read()).zones).toEqual([]);
  });

  test('cannot take the prefixes of another published zone; a longer prefix wins', async () => {
    await saveZone();
    expect(await refusalOf(saveZone({ name: 'Other', pincode_prefixes: ['41', '400'] }))).toEqual({
      code: 'PT422',
      message: 'Mumbai already has 400.',
      detail: 'pincode_prefixes',
    });
    await saveZone({ name: 'Hidden', is_published: false });
    await saveZone({ name: 'Dadar', pincode_prefixes: ['40002'], first_kg_paise: 2000 });
    const tried = await asha.ask<{ zone: string; charge_paise: number }>('admin_try_delivery', { pincode: '400028' });
    expect(tried).toMatchObject({ zone: 'Dadar', charge_paise: 2000 });
  });

  test('two administrators: the second gets a conflict', async () => {
    const { id, updated_at: seen } = await saveZone();
    await saveZone({ zone_id: id, first_kg_paise: 5000, seen });
    expect(await refusalOf(saveZone({ zone_id: id, first_kg_paise: 6000, seen }, ravi))).toMatchObject({
      detail: 'stale',
    });
    expect(await refusalOf(ravi.ask('admin_delete_zone', { zone_id: id, seen }))).toMatchObject({ detail: 'stale' });
    expect((await read()).zones).toMatchObject([{ first_kg_paise: 5000 }]);
  });
});

test('the preview shows what customers will read at any moment, and which sweets cannot be sent', async () => {
  await saveZone({ max_days: 2 });
  const id = await insertProduct(database.sql, { name: 'Rasmalai' });
  await database.sql`update public."Products" set shelf_life_days = 2 where "Id" = ${id}`;
  const at = (moment: string) => asha.ask('admin_try_delivery', { pincode: '400028', at: moment });
  expect(await at('2026-11-16T09:00:00+05:30')).toMatchObject({
    leaves_on: '2026-11-16',
    arrives_on: '2026-11-18',
    spoiled: [{ product: 'Rasmalai' }],
  });
  await saveClosure();
  expect(await at('2026-11-16T09:00:00+05:30')).toMatchObject({ arrives_on: '2026-11-20' });
  for (const [args, detail] of [
    [{ pincode: '4000' }, 'pincode'],
    [{ pincode: '400028', at: '1999-01-01T00:00:00Z' }, 'at'],
    [{ pincode: '400028', grams: 0 }, 'grams'],
  ] as const)
    expect(await refusalOf(asha.ask('admin_try_delivery', args))).toMatchObject({ code: 'PT422', detail });
});

test('only administrators change the calendar, not even others through the tables', async () => {
  const { sql } = database;
  const { id } = await saveClosure();
  const customer = { userId: await insertUser(sql) };
  for (const caller of ['anon', customer] as const)
    await as(sql, caller, (tx) => tx`delete from public.closures`).catch(() => {});
  expect((await read()).closures).toMatchObject([{ id }]);
});
