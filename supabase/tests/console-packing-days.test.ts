// Orders for a chosen day in the console: on the sheet and in the lists of their packing day, and festival cut-offs.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { dayAfter } from '../../domain/delivery/promise.ts';
import { calendarDay } from '../../domain/time.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { as, insertPaidOrder, insertProduct, insertUser, insertZone } from '../../tests/support/rows.ts';
import { type Args, callConsole } from './call-console.ts';

type Sheet = { orders: number; later: { day: string; orders: number }[] };
type List = { rows: { id: string }[] };

let database: TestDatabase;
let owner: { userId: string };
let laddu: number;
let usual: string;
let soon: string;
let far: string;
const today = calendarDay(new Date());
const day = (ahead: number) => dayAfter(today, ahead);
const ask = <T>(name: string, args: Args = {}) => callConsole<T>(database.sql, owner, name, args);

async function orderFor(packOn: number, deliverOn: number): Promise<string> {
  const { id } = await insertPaidOrder(database.sql, { userId: owner.userId, productId: laddu, status: 'Confirmed' });
  await database.sql`update public.orders set deliver_on = ${day(deliverOn)}, delivery_by = ${day(deliverOn)}, pack_on = ${day(packOn)}
    where id = ${id}`;
  return id;
}

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  owner = { userId: await insertUser(database.sql, { administrator: true }) };
  await insertZone(database.sql, { prefixes: ['400'], maxDays: 2 });
  await insertZone(database.sql, { prefixes: ['7'], maxDays: 7 });
  await database.sql`update public.shop_settings set weekly_off = '{}', cutoff_time = '23:59'`;
  laddu = await insertProduct(database.sql, { name: 'Besan Laddu', stock: 1000 });
  usual = (await insertPaidOrder(database.sql, { userId: owner.userId, productId: laddu, status: 'Confirmed' })).id;
  soon = await orderFor(3, 5);
  far = await orderFor(20, 22);
});
afterAll(() => database.drop());

describe('an order for a chosen day', () => {
  test('is on the kitchen sheet of its packing day, and not on today’s', async () => {
    const sheet = await ask<Sheet>('admin_read_kitchen');
    expect([sheet.orders, sheet.later]).toEqual([
      1,
      [
        { day: day(3), orders: 1 },
        { day: day(20), orders: 1 },
      ],
    ]);
    expect((await ask<Sheet>('admin_read_kitchen', { packed_on: day(20) })).orders).toBe(1);
    expect((await ask<Sheet>('admin_read_kitchen', { packed_on: day(4) })).orders).toBe(0);
    const at = `${day(3)}T08:00+05:30`;
    expect((await ask<Sheet>('admin_read_kitchen', { only_due: true, at })).orders).toBe(2);
  });

  test('is to be packed from its packing day on', async () => {
    const toPack = async (ahead: number) =>
      (await ask<{ pack_today: number }>('admin_read_todo', { at: `${day(ahead)}T08:00+05:30` })).pack_today;
    expect([await toPack(2), await toPack(3), await toPack(20)]).toEqual([1, 2, 3]);
  });

  test('is listed for a later day, in the order of packing, and found by its packing day', async () => {
    const list = async (filter: Record<string, string | number>, sort = '-placed', at = new Date().toISOString()) => {
      const [row] = await as(
        database.sql,
        owner,
        (tx) => tx<{ list: List }[]>`
          select public.admin_list_orders(${tx.json(filter)}, ${sort}, null, ${at}::timestamptz) as list`,
      );
      return row?.list.rows.map(({ id }) => id);
    };
    expect(await list({ todo: 'pack-later' }, 'pack')).toEqual([soon, far]);
    expect(await list({}, '-pack')).toEqual([far, soon]);
    expect(await list({ pack_from: day(4) })).toEqual([far]);
    expect(await list({ pack_to: day(4) })).toEqual([soon]);
    // It does not wait before it is to be packed.
    expect(await list({ waiting_hours: 0 }, '-placed', `${day(2)}T08:00+05:30`)).toEqual([usual]);
  });

  test('keeps its day at another address if it can be there, packed in time; otherwise it gets the next possible one', async () => {
    const delivery = {
      name: 'Meera Joshi',
      phone: '9820012345',
      building_no: '4B',
      street: 'Ranade Road',
      city: 'Kolkata',
      state: 'West Bengal',
      zip: '700001',
    };
    const change = async (id: string) => {
      const [order] = await database.sql`select updated_at::text as seen from public.orders where id = ${id}`;
      await as(
        database.sql,
        owner,
        (tx) => tx`select public.admin_change_address(${id}, ${tx.json(delivery)}, ${order?.seen}::text::timestamptz)`,
      );
      const [row] = await database.sql`
        select deliver_on::text, pack_on::text, missed_day::text from public.orders where id = ${id}`;
      return row;
    };
    expect(await change(far)).toEqual({ deliver_on: day(22), pack_on: day(15), missed_day: null });
    expect(await change(soon)).toEqual({ deliver_on: day(7), pack_on: today, missed_day: null });
  });
});

describe('festival cut-offs', () => {
  const diwali = { cutoff_id: null, name: 'Diwali', starts_on: day(20), ends_on: day(22), order_by: day(10) };
  type Saved = { id: number; updated_at: string };
  const cutoffs = async () => (await ask<{ cutoffs: Record<string, unknown>[] }>('admin_read_delivery')).cutoffs;
  const seenOf = async (id: number) =>
    (await database.sql`select updated_at::text as seen from private.festival_cutoffs where id = ${id}`)[0]?.seen;

  test('are added, changed and deleted, shown with the calendar and written down', async () => {
    const { id } = await ask<Saved>('admin_save_cutoff', diwali);
    expect(await cutoffs()).toMatchObject([{ id, name: 'Diwali', order_by: day(10), zone_id: null }]);
    const [row] = await database.sql`select public.delivery_calendar('400001') as calendar`;
    expect(row?.calendar.days.filter(({ festival }: { festival?: string }) => festival)).toHaveLength(3);
    const seen = await seenOf(id);
    await ask('admin_save_cutoff', { ...diwali, cutoff_id: id, order_by: day(12), seen });
    await expect(ask('admin_save_cutoff', { ...diwali, cutoff_id: id, seen })).rejects.toThrow();
    await ask('admin_delete_cutoff', { cutoff_id: id, seen: await seenOf(id) });
    expect(await cutoffs()).toEqual([]);
    const log =
      await database.sql`select action from public.audit_log where table_name = 'festival_cutoffs' order by id`;
    expect(log.map(({ action }) => action)).toEqual(['insert', 'update', 'delete']);
  });

  test.each([
    ['a festival without a name', { name: ' ' }],
    ['days that end before they begin', { ends_on: day(19) }],
    ['a cut-off after the last day', { order_by: day(23) }],
    ['a zone that is not there', { zone_id: 999_999 }],
  ])('are refused for %s', async (_name, change) => {
    await expect(ask('admin_save_cutoff', { ...diwali, ...change })).rejects.toThrow();
    expect(await cutoffs()).toEqual([]);
  });

  test('are the owner’s: customers can neither read nor write them', async () => {
    const customer = { userId: await insertUser(database.sql) };
    for (const caller of ['anon' as const, customer]) {
      await expect(as(database.sql, caller, (tx) => tx`select * from private.festival_cutoffs`)).rejects.toThrow();
      await expect(
        as(database.sql, caller, (tx) => tx`select public.admin_save_cutoff(null, 'x', ${today}, ${today}, ${today})`),
      ).rejects.toThrow();
    }
  });
});
