import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { unitShare } from '../../domain/claims/refund-share.ts';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertOrder, type OrderWish } from '../../tests/support/random-orders.ts';
import { as, insertProduct, insertUser } from '../../tests/support/rows.ts';
import {
  addClaimPhoto,
  answerClaim,
  type OrderClaims,
  openClaim,
  readClaimPhoto,
  readClaims,
} from '../contracts/claims.ts';
import type { Claim } from '../contracts/console/claims.ts';
import { call, type ResultOf } from '../contracts/contract.ts';
import { type OrderConsole, openConsole, refusalOf } from './order-console.ts';

let database: TestDatabase;
let sql: Sql;
let asha: OrderConsole;
let meera: string;
let laddu: number;
let box: number;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  asha = await openConsole(sql);
  meera = await insertUser(sql, { name: 'Meera Till' });
  laddu = await insertProduct(sql, { name: 'Besan Laddu', hasSize: true, stock: 900_000 });
  box = await insertProduct(sql, { name: 'Diwali Box', stock: 9_000 });
  await sql`insert into private.product_costs (product_id, valid_from, unit_cost)
    values (${laddu}, '2026-01-01', 60), (${box}, '2026-01-01', 80)`;
  await sql`update public.shop_settings set state = 'Maharashtra', gstin = '27AAAAA0000A1Z5', weekly_off = '{0}',
    grievance_officer = 'Sunita Rao', grievance_email = 'grievance@mithaas.example'`;
});
beforeEach(async () => {
  await sql`delete from private.rate_limits where true`;
});
afterAll(() => database.drop());

const rpc = (name: string, args: Record<string, unknown>) =>
  as(sql, 'service', async (tx) => {
    const given = Object.entries(args).filter(([, value]) => value !== undefined);
    const list = given.map(([key], n) => `${key} => $${n + 1}${key === 'items' ? '::text::jsonb' : ''}`);
    const values = given.map(([, value]) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    );
    const [row] = await tx.unsafe(`select to_jsonb(public.${name}(${list.join(', ')})) as answer`, values as never[]);
    return row?.answer;
  });

const lines = (quantity = 4): OrderWish['lines'] => [
  { productId: laddu, name: 'Besan Laddu', quantity, size: 500, hasSize: true, price: 100.05, gst: 5, hsn: '2106' },
  { productId: box, name: 'Diwali Box', quantity: 1, size: 500, hasSize: false, price: 333.33, gst: 18, hsn: '1806' },
];

/** An order that went the whole way and arrived at a moment. */
async function delivered(at: string, wish: Partial<OrderWish> = {}) {
  const order = await insertOrder(sql, { lines: lines(), userId: meera, ...wish });
  const last = wish.fulfilment === 'pickup' ? ['Packed', 'Ready', 'Collected'] : ['Packed', 'Shipped', 'Delivered'];
  await sql.begin(async (tx) => {
    await tx`select set_config('shop.event_at', ${at}, true)`;
    for (const status of last) await tx`update public.orders set status = ${status} where id = ${order.id}`;
  });
  const items = await sql<
    { id: number }[]
  >`select id::int as id from public.order_items where order_id = ${order.id} order by id`;
  return { ...order, laddu: items[0]?.id as number, box: items[1]?.id as number };
}
type Delivered = Awaited<ReturnType<typeof delivered>>;

const arrived = '2026-11-18 15:45:10+05:30';
const soon = '2026-11-18T12:00:00Z';
const open = (
  order: Pick<Delivered, 'id'>,
  items: { order_item_id: number; quantity: number; problem?: string }[],
  {
    at = soon,
    asker = meera as string | null,
    entry = randomUUID(),
    link = null as string | null,
    words = 'The box was crushed.',
  } = {},
) =>
  call(rpc, openClaim, {
    asker,
    order_id: order.id,
    items: items.map((item) => ({ problem: 'damaged', ...item })) as never,
    words,
    entry_id: entry,
    link,
    at,
  });
const read = (
  order: Pick<Delivered, 'id'>,
  { asker = meera as string | null, at = soon, link = null as string | null } = {},
) => call(rpc, readClaims, { asker, order_id: order.id, link, at });
const opened = async (order: Delivered, items = [{ order_item_id: order.laddu, quantity: 1 }]) => {
  const outcome = await open(order, items);
  if (!outcome.ok) throw new Error(outcome.reason);
  return outcome.id;
};
const claimAs = (claimId: string) => asha.ask<Claim>('admin_read_claim', { claim_id: claimId });
const act = async (name: string, claimId: string, args: Record<string, unknown> = {}) => {
  const [row] = await sql`select to_jsonb(updated_at) #>> '{}' as seen from private.claims where id = ${claimId}`;
  const given = Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, key === 'items' ? sql.json(value as never) : value]),
  );
  return asha.ask<{ refund_paise: number }>(name, { claim_id: claimId, ...given, seen: row?.seen });
};
const clean = async () => expect(await sql`select * from public.check_invariants()`).toEqual([]);

describe('a claim is possible', () => {
  test.each([
    ['a second before 24 hours are over', '2026-11-19T15:45:09+05:30', true],
    ['exactly 24 hours after delivery', '2026-11-19T15:45:10+05:30', true],
    ['a second later', '2026-11-19T15:45:11+05:30', false],
  ])('%s: %s → %s', async (_when, at, isPossible) => {
    const order = await delivered(arrived);
    const outcome = await open(order, [{ order_item_id: order.laddu, quantity: 1 }], { at });
    expect(outcome.ok).toBe(isPossible);
    expect((await read(order, { at }))?.window).toMatchObject({ state: isPossible ? 'open' : 'ended' });
    if (!outcome.ok)
      expect(outcome).toMatchObject({
        reason: 'too-late',
        ended_at: expect.stringContaining('2026-11-19T10:15:10'),
        contact: { name: 'Sunita Rao', email: 'grievance@mithaas.example' },
      });
  });

  test('after the order was collected, and not before it is there', async () => {
    const order = await delivered(arrived, { fulfilment: 'pickup' });
    expect((await read(order))?.window.state).toBe('open');
    const early = await insertOrder(sql, { lines: lines(), userId: meera });
    expect(await open(early, [{ order_item_id: order.laddu, quantity: 1 }])).toMatchObject({ reason: 'too-early' });
  });

  test('from a delivery on that was not undone', async () => {
    const order = await delivered(arrived);
    const [event] =
      await sql`select id from public.order_events where order_id = ${order.id} and to_status = 'Delivered'`;
    await sql.begin(async (tx) => {
      await tx`select set_config('shop.undoes', ${String(event?.id)}, true)`;
      await tx`update public.orders set status = 'Shipped' where id = ${order.id}`;
    });
    expect((await read(order))?.window.state).toBe('early');
  });

  test('when it is late, and then only as not delivered', async () => {
    const order = await insertOrder(sql, { lines: lines(), userId: meera });
    for (const status of ['Packed', 'Shipped'])
      await sql`update public.orders set status = ${status}, delivery_by = '2026-11-17' where id = ${order.id}`;
    const [item] = await sql`select id::int as id from public.order_items where order_id = ${order.id} order by id`;
    expect((await read(order, { at: '2026-11-17T18:29:59Z' }))?.window.state).toBe('early');
    expect((await read(order, { at: '2026-11-17T18:30:00Z' }))?.window.state).toBe('late');
    expect(await open(order, [{ order_item_id: item?.id, quantity: 1 }])).toMatchObject({
      reason: 'only-not-delivered',
    });
    const outcome = await open(order, [{ order_item_id: item?.id, quantity: 1, problem: 'not-delivered' }]);
    expect(outcome.ok).toBe(true);
  });
});

describe('a claim', () => {
  test('has a ticket, its due times, and an email with it', async () => {
    const order = await delivered(arrived);
    const entry = randomUUID();
    const items = [
      { order_item_id: order.laddu, quantity: 2 },
      { order_item_id: order.box, quantity: 1, problem: 'missing' },
    ];
    const made = await open(order, items, { entry });
    expect(made).toMatchObject({ ok: true, ticket: expect.stringMatching(/^C-\d+$/) });
    expect(await open(order, items, { entry })).toEqual(made);
    const claims = (await read(order))?.claims as OrderClaims['claims'];
    expect(claims).toMatchObject([
      {
        state: 'received',
        acknowledge_by: expect.stringContaining('2026-11-20T12:00:00'),
        // Wednesday, and three working days: Saturday.
        decide_by: '2026-11-21',
        items: [
          { name: 'Besan Laddu', quantity: 2, problem: 'damaged' },
          { name: 'Diwali Box', quantity: 1, problem: 'missing' },
        ],
        messages: [{ from_shop: false, words: 'The box was crushed.' }],
      },
    ]);
    const mails =
      await sql`select key, payload from private.outbox where payload ->> 'claim_id' = ${claims[0]?.id ?? ''}`;
    expect(mails).toMatchObject([{ payload: { template: 'claim-received' } }]);
    const [content] = await sql`select private.mail_content(${mails[0]?.payload}, 'http://shop.test', ${soon}) as mail`;
    expect(content?.mail.facts).toMatchObject({
      template: 'claim-received',
      claim: { orderNumber: expect.any(Number) },
    });
  });

  test('claims nothing twice, whatever became of it, also of two requests at once', async () => {
    const order = await delivered(arrived);
    const both = await Promise.all([1, 2].map(() => open(order, [{ order_item_id: order.laddu, quantity: 3 }])));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({ reason: 'already-claimed', name: 'Besan Laddu', left: 1 });
    const rest = await opened(order);
    await act('admin_refuse_claim', rest, { words: 'Not ours.' });
    expect(await open(order, [{ order_item_id: order.laddu, quantity: 1 }])).toMatchObject({
      reason: 'already-claimed',
      left: 0,
    });
    await clean();
  });

  test.each<[string, (order: Delivered, other: Delivered) => Parameters<typeof open>[1], string]>([
    ['an item of another order', (_order, other) => [{ order_item_id: other.laddu, quantity: 1 }], 'items'],
    [
      'the same item twice',
      (order) => [
        { order_item_id: order.laddu, quantity: 1 },
        { order_item_id: order.laddu, quantity: 1 },
      ],
      'items',
    ],
    ['more than was ordered', (order) => [{ order_item_id: order.laddu, quantity: 5 }], 'already-claimed'],
  ])('refuses %s', async (_what, items, reason) => {
    const [order, other] = [await delivered(arrived), await delivered(arrived)];
    expect(await open(order, items(order, other))).toMatchObject({ ok: false, reason });
    expect((await read(order))?.claims).toEqual([]);
  });

  test('is limited to ten requests an hour for an order', async () => {
    const order = await delivered(arrived);
    const item = [{ order_item_id: order.laddu, quantity: 25 }];
    for (let n = 0; n < 10; n += 1) await open(order, item);
    expect(await open(order, item)).toMatchObject({ reason: 'too-many' });
  });

  test('is nothing to others: not another customer, not a visitor, not with a forged or revoked link', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    const [{ token }] = (await sql`select private.order_link(${order.id}, ${soon}) as token`) as unknown as [
      { token: string },
    ];
    const stranger = await insertUser(sql);
    const callers = [
      { asker: stranger, link: null },
      { asker: null, link: null },
      { asker: meera, link: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` },
      { asker: asha.userId, link: null },
    ];
    for (const caller of callers) {
      expect(await read(order, caller)).toBeNull();
      expect(await open(order, [{ order_item_id: order.box, quantity: 1 }], caller)).toMatchObject({
        reason: 'unknown-order',
      });
      const said = await call(rpc, answerClaim, {
        ...caller,
        claim_id: id,
        words: 'x',
        entry_id: randomUUID(),
        at: soon,
      });
      expect(said).toEqual({ ok: false, reason: 'unknown-claim' });
      const shown = await call(rpc, addClaimPhoto, {
        ...caller,
        claim_id: id,
        entry_id: randomUUID(),
        ...photo(),
        at: soon,
      });
      expect(shown).toEqual({ ok: false, reason: 'unknown-claim' });
    }
    expect(await read(order, { asker: null, link: token })).toMatchObject({ number: expect.any(Number) });
    const other = await delivered(arrived);
    const foreign = await opened(other);
    const said = { asker: null, link: token, claim_id: foreign, words: 'x', entry_id: randomUUID(), at: soon };
    expect(await call(rpc, answerClaim, said)).toEqual({ ok: false, reason: 'unknown-claim' });
    expect(await read(order, { asker: null, link: token, at: '2027-11-18T12:00:00Z' })).toBeNull();
    await sql`select private.revoke_order_links(${order.id})`;
    expect(await read(order, { asker: null, link: token })).toBeNull();
  });

  test('tells its customer no names, addresses or emails', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    await act('admin_acknowledge_claim', id);
    await asha.ask('admin_answer_claim', { claim_id: id, words: 'We are looking into it.', entry_id: randomUUID() });
    const told = JSON.stringify(await read(order));
    for (const secret of ['Asha Rao', asha.userId, meera, '@example.com', '9000000001', 'Ranade Road'])
      expect(told).not.toContain(secret);
    expect(told).toContain('We are looking into it.');
  });
});

const webp = (size = 200) => {
  const bytes = Buffer.alloc(size);
  bytes.write('RIFF', 0);
  bytes.write('WEBPVP8 ', 8);
  return bytes.toString('base64');
};
const photo = (content = webp()) => ({
  type: 'image/webp' as 'image/webp' | 'image/jpeg',
  width: 800,
  height: 600,
  content,
});
const addPhoto = (claim_id: string, entry_id = randomUUID(), wish = photo()) =>
  call(rpc, addClaimPhoto, { asker: meera, link: null, claim_id, entry_id, ...wish, at: soon });
const readPhoto = (photo_id: string, asker: string | null) => call(rpc, readClaimPhoto, { asker, photo_id, at: soon });

describe('photos', () => {
  test('are at most four, each once, and seen by their customer and administrators alone', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    const entry = randomUUID();
    const first = await addPhoto(id, entry);
    expect(await addPhoto(id, entry)).toEqual(first);
    for (let n = 0; n < 3; n += 1) expect(await addPhoto(id)).toMatchObject({ ok: true });
    expect(await addPhoto(id)).toEqual({ ok: false, reason: 'enough-photos' });
    const photoId = (first as { id: string }).id;
    expect(await readPhoto(photoId, meera)).toEqual({ type: 'image/webp', content: webp() });
    expect(await readPhoto(photoId, asha.userId)).not.toBeNull();
    expect(await readPhoto(photoId, await insertUser(sql))).toBeNull();
    expect(await readPhoto(photoId, null)).toBeNull();
    expect((await claimAs(id)).photo_list).toHaveLength(4);
  });

  test('are none after the decision, and never change', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    await addPhoto(id);
    await act('admin_refuse_claim', id, { words: 'Not ours.' });
    expect(await addPhoto(id)).toEqual({ ok: false, reason: 'decided' });
    await expect(sql`update private.claim_photos set width = 1 where claim_id = ${id}`).rejects.toThrow(
      'never changed',
    );
    await expect(sql`delete from private.claim_photos where claim_id = ${id}`).rejects.toThrow('never changed');
  });

  test.each([
    ['another type than they say', { ...photo(), type: 'image/jpeg' as const }],
    ['more than 600 KB', photo(webp(600 * 1024 + 1))],
    ['more than 4096 pixels', { ...photo(), width: 4097 }],
  ])('with %s are refused by the table itself', async (_what, wish) => {
    const order = await delivered(arrived);
    const id = await opened(order);
    await expect(addPhoto(id, randomUUID(), wish)).rejects.toThrow(/check constraint/);
  });
});

describe('the clock', () => {
  test('of the refund is seven working days over a closure and a Sunday, and stays as it was made', async () => {
    await sql`insert into public.closures (starts_on, ends_on, reason) values ('2026-11-24', '2026-11-25', 'Wedding')`;
    const by = async (decision: string, at: string) =>
      (await sql`select private.settle_by(${decision}, ${at})::text as day`)[0]?.day;
    // Wednesday 18: 19, 20, 21, (22 Sunday), 23, (24 and 25 closed), 26, 27, 28.
    expect(await by('refund', '2026-11-18T18:29:59Z')).toBe('2026-11-28');
    // In India it is Thursday: one working day later, over the next Sunday.
    expect(await by('refund', '2026-11-18T18:30:00Z')).toBe('2026-11-30');
    expect(await by('replacement', '2026-11-21T06:00:00Z')).toBe('2026-11-26');
    expect(await by('refusal', '2026-11-21T06:00:00Z')).toBeNull();
    await sql`delete from public.closures where true`;
    const order = await delivered(arrived);
    const id = await opened(order);
    await sql`insert into public.closures (starts_on, ends_on, reason) values ('2026-11-19', '2026-12-05', 'Renovation')`;
    expect((await claimAs(id)).decide_by).toBe('2026-11-21');
    // Never later than the month that the law allows.
    const [clocks] = await sql`select decide_by::text as day from private.claim_clocks(${soon})`;
    expect(clocks?.day).toBe('2026-12-09');
    await sql`delete from public.closures where true`;
  });

  test('orders the list: overdue first, and says so', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    const rowAt = async (at: string) =>
      (await asha.ask<{ rows: Claim[] }>('admin_list_claims', { at })).rows.find((row) => row.id === id);
    expect(await rowAt('2026-11-20T11:59:59Z')).toMatchObject({ step: 'acknowledge', is_overdue: false });
    expect(await rowAt('2026-11-20T12:00:00Z')).toMatchObject({ step: 'acknowledge', is_overdue: true });
    await act('admin_acknowledge_claim', id);
    expect(await rowAt('2026-11-21T18:29:59Z')).toMatchObject({ step: 'decide', is_overdue: false });
    expect(await rowAt('2026-11-21T18:30:00Z')).toMatchObject({ step: 'decide', is_overdue: true });
    const { rows } = await asha.ask<{ rows: { due_at: string }[] }>('admin_list_claims', {});
    expect(rows.map(({ due_at }) => due_at)).toEqual(rows.map(({ due_at }) => due_at).sort());
    const work = await asha.ask<{ claims: number; claims_overdue: number }>('admin_read_work', {
      at: '2026-11-21T18:30:00Z',
    });
    expect(work.claims).toBe(rows.length);
    expect(work.claims_overdue).toBeGreaterThan(0);
  });
});

describe('a decision', () => {
  test('refunds items by quantity with their tax, and shipping alone, each with its credit note', async () => {
    const order = await delivered(arrived);
    const id = await opened(order, [{ order_item_id: order.laddu, quantity: 3 }]);
    const { claimed, shipping_left_paise } = await claimAs(id);
    expect(shipping_left_paise).toBe(4_000);
    const line = claimed[0]?.line_paise ?? 0;
    const { refund_paise } = await act('admin_refund_claim', id, {
      items: [{ order_item_id: order.laddu, quantity: 3 }],
      shipping_paise: 1_001,
      words: 'We are sorry.',
    });
    expect(refund_paise).toBe(Math.round((line * 3) / 4) + 1_001);
    for (const { id: refund } of await sql`select id from private.refunds where order_id = ${order.id}`)
      await sql`select public.record_refund(${refund}, ${`rfnd_${refund}`}, 'processed')`;
    const notes = await sql`
      select n.total_paise::int as total, n.lines from private.credit_notes n
      join private.invoices i on i.id = n.invoice_id where i.order_id = ${order.id} order by n.total_paise desc`;
    expect(notes.map(({ total }) => total)).toEqual([refund_paise - 1_001, 1_001]);
    expect(notes[0]?.lines.map((one: { place: number }) => one.place)).toEqual([1]);
    // Two lines of delivery, one for each rate, and no sweets.
    expect(notes[1]?.lines.map((one: { description: string }) => one.description)).toEqual(['Delivery', 'Delivery']);
    const claim = await claimAs(id);
    expect(claim).toMatchObject({ state: 'decided', decision: 'refund', step: null, shipping_left_paise: 2_999 });
    expect((await read(order))?.claims[0]).toMatchObject({ is_refunded: true, refund_paise });
    await clean();
  });

  test('refunds every unit of a line exactly, in whatever steps', async () => {
    const order = await delivered(arrived, { lines: [{ ...lines()[0], quantity: 7, price: 33.33 } as never] });
    const [{ paise }] =
      (await sql`select paise::int as paise from private.order_line_totals(${order.id})`) as unknown as [
        { paise: number },
      ];
    let total = 0;
    for (const quantity of [2, 1, 4]) {
      const id = await opened(order, [{ order_item_id: order.laddu, quantity }]);
      const items = [{ order_item_id: order.laddu, quantity }];
      total += (await act('admin_refund_claim', id, { items, shipping_paise: 0, words: 'Sorry.' })).refund_paise;
    }
    expect(total).toBe(paise);
    await clean();
  });

  test('of everything makes the order Refunded; of an order paid offline it is recorded as paid back', async () => {
    const order = await delivered(arrived, { paid: false });
    await asha.act('admin_mark_order_paid', order.id, { method: 'cash' });
    const all = [
      { order_item_id: order.laddu, quantity: 4 },
      { order_item_id: order.box, quantity: 1 },
    ];
    const id = await opened(order, all);
    const { refund_paise } = await act('admin_refund_claim', id, {
      items: all,
      shipping_paise: 4_000,
      words: 'Sorry.',
    });
    expect(refund_paise).toBe(order.totalPaise);
    expect(await asha.read(order.id)).toMatchObject({ status: 'Refunded', payment_status: 'refunded' });
    await clean();
  });

  test('of more than was claimed, twice, or of more shipping than there is, is refused', async () => {
    const order = await delivered(arrived);
    const id = await opened(order, [{ order_item_id: order.laddu, quantity: 2 }]);
    const refund = (quantity: number, shipping_paise = 0, item = order.laddu) =>
      act('admin_refund_claim', id, { items: [{ order_item_id: item, quantity }], shipping_paise, words: 'Sorry.' });
    expect((await refusalOf(refund(3))).message).toContain('At most 2 of Besan Laddu');
    expect((await refusalOf(refund(1, 0, order.box))).message).toBe('This item is not in the claim.');
    expect((await refusalOf(refund(1, 4_001))).message).toBe('At most ₹40 of the shipping can be refunded.');
    expect(await sql`select from private.refunds where order_id = ${order.id}`).toHaveLength(0);
    await refund(2);
    expect((await refusalOf(refund(1))).message).toMatch(/already decided/);
    expect((await refusalOf(act('admin_refuse_claim', id, { words: 'No.' }))).message).toMatch(/already decided/);
  });

  test('replaces at no charge: stock goes out, profit has the cost, sales stay as they are', async () => {
    const order = await delivered(arrived);
    const id = await opened(order, [
      { order_item_id: order.laddu, quantity: 2 },
      { order_item_id: order.box, quantity: 1 },
    ]);
    const today = (await sql`select private.day_of(now())::text as day`)[0]?.day;
    const figures = async () => (await sql`select * from private.day_figures(${today}, ${today})`)[0];
    const onHand = async (product: number) =>
      (await sql`select on_hand from public.stock_levels where product_id = ${product}`)[0]?.on_hand;
    const before = { figures: await figures(), laddu: await onHand(laddu), box: await onHand(box) };
    await act('admin_replace_claim', id, {
      items: [
        { order_item_id: order.laddu, quantity: 2 },
        { order_item_id: order.box, quantity: 1 },
      ],
      words: 'A fresh box is coming.',
    });
    expect(await onHand(laddu)).toBe(before.laddu - 1000);
    expect(await onHand(box)).toBe(before.box - 1);
    const after = await figures();
    // 2 × 500 g at 60 for 500 g, and one box at 80.
    expect(Number(after?.wastage_paise) - Number(before.figures?.wastage_paise)).toBe(20_000);
    for (const name of ['orders', 'goods_paise', 'tax_paise', 'shipping_paise', 'cost_paise', 'refunded_goods_paise'])
      expect(after?.[name]).toEqual(before.figures?.[name]);
    expect(await claimAs(id)).toMatchObject({
      step: 'send',
      decision: 'replacement',
      replacement: { state: 'to-send' },
    });
    await act('admin_send_replacement', id, { courier: 'Blue Dart', tracking_number: 'BD1', tracking_url: '' });
    expect(await claimAs(id)).toMatchObject({ step: null, replacement: { state: 'sent' } });
    await act('admin_deliver_replacement', id);
    expect((await read(order))?.claims[0]?.replacement).toMatchObject({ state: 'delivered', courier: 'Blue Dart' });
    await clean();
  });

  test('replaces only what is in stock', async () => {
    const rare = await insertProduct(sql, { name: 'Rare Barfi', stock: 2 });
    const line = { ...lines()[1], productId: rare, name: 'Rare Barfi', quantity: 2 } as never;
    const order = await delivered(arrived, { lines: [line] });
    const id = await opened(order, [{ order_item_id: order.laddu, quantity: 1 }]);
    const refusal = await refusalOf(
      act('admin_replace_claim', id, { items: [{ order_item_id: order.laddu, quantity: 1 }], words: 'x' }),
    );
    expect(refusal.message).toBe(
      'There is not enough Rare Barfi for a replacement: 0 pieces left. Refund it instead, or add stock first.',
    );
    await clean();
  });

  test('replaces nothing of an order whose item was refunded or that was cancelled', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    const items = [{ order_item_id: order.laddu, quantity: 1 }];
    const [row] = await sql`select updated_at::text as seen from public.orders where id = ${order.id}`;
    const [line] =
      await sql`select paise from private.refundable_lines(${order.id}) where order_item_id = ${order.laddu}`;
    await asha.ask('admin_refund_order', {
      order_id: order.id,
      amount_paise: Number(line?.paise),
      reason: 'By phone',
      seen: row?.seen,
      order_item_id: order.laddu,
    });
    const late = await refusalOf(act('admin_replace_claim', id, { items, words: 'A new box.' }));
    expect(late.message).toContain('already refunded');
    await sql`update public.orders set status = 'Refunded' where id = ${order.id}`;
    const over = await refusalOf(act('admin_replace_claim', id, { items, words: 'A new box.' }));
    expect(over.message).toContain('nothing is left to replace');
  });

  test('refuses with a reason that the customer reads, and can be revised', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    expect((await refusalOf(act('admin_refuse_claim', id, { words: ' ' }))).message).toBe('The reason is missing.');
    const unfinished = await refusalOf(act('admin_refuse_claim', id, { words: 'We can’t refund it, because ' }));
    expect(unfinished.message).toBe('Finish the sentence: say why.');
    await act('admin_refuse_claim', id, { words: 'The photos show other sweets.' });
    expect((await read(order))?.claims[0]).toMatchObject({
      decision: 'refusal',
      messages: [{}, { from_shop: true, words: 'The photos show other sweets.' }],
    });
    const said = await call(rpc, answerClaim, {
      asker: meera,
      link: null,
      claim_id: id,
      words: 'Please look again.',
      entry_id: randomUUID(),
      at: soon,
    });
    expect(said).toEqual({ ok: true });
    await act('admin_refund_claim', id, {
      items: [{ order_item_id: order.laddu, quantity: 1 }],
      shipping_paise: 0,
      words: 'You are right.',
    });
    expect(await claimAs(id)).toMatchObject({ decision: 'refund', step: 'refund' });
  });

  test('is one of two made at once: the second is told that the claim changed', async () => {
    const order = await delivered(arrived);
    const id = await opened(order);
    const [row] = await sql`select to_jsonb(updated_at) #>> '{}' as seen from private.claims where id = ${id}`;
    await act('admin_acknowledge_claim', id);
    const late = asha.ask('admin_refuse_claim', { claim_id: id, words: 'No.', seen: row?.seen });
    expect(await refusalOf(late)).toMatchObject({ code: 'PT409', detail: 'stale' });
  });
});

test('every step is in the history of the order and in the activity log', async () => {
  const order = await delivered(arrived);
  const id = await opened(order);
  await addPhoto(id);
  const entry = randomUUID();
  for (let n = 0; n < 2; n += 1)
    await asha.ask('admin_answer_claim', { claim_id: id, words: 'Could you send a photo?', entry_id: entry });
  await act('admin_replace_claim', id, { items: [{ order_item_id: order.laddu, quantity: 1 }], words: 'Coming.' });
  await act('admin_send_replacement', id, { courier: '', tracking_number: '', tracking_url: '' });
  const { claims } = (await asha.read(order.id)) as unknown as { claims: { kind: string; by: string | null }[] };
  expect(claims.map(({ kind, by }) => [kind, by])).toEqual([
    ['received', null],
    ['photo', null],
    ['acknowledged', 'Asha Rao'],
    ['answered', 'Asha Rao'],
    ['replaced', 'Asha Rao'],
    ['sent', 'Asha Rao'],
  ]);
  const log =
    await sql`select table_name from public.audit_log where row_id = ${id} or after ->> 'claim_id' = ${id} order by id`;
  expect(log.map(({ table_name }) => table_name)).toEqual([
    'claims',
    'claim_messages',
    'replacements',
    'claims',
    'claim_messages',
    'replacements',
  ]);
  expect(JSON.stringify(await asha.ask('admin_read_log', { table_name: 'claims' }))).toContain('"subject":"C-');
  const templates = (await asha.read(order.id)).mails.map(({ template }) => template);
  expect(templates).toEqual(
    expect.arrayContaining(['claim-received', 'claim-answered', 'claim-decided', 'claim-sent']),
  );
});

test('nobody but administrators works on claims, and no browser reaches the tables', async () => {
  const order = await delivered(arrived);
  const id = await opened(order);
  for (const name of ['admin_read_claim', 'admin_list_claims']) {
    const args = name === 'admin_read_claim' ? `'${id}'::uuid` : '';
    await expect(as(sql, { userId: meera }, (tx) => tx.unsafe(`select public.${name}(${args})`))).rejects.toThrow(
      'administrators only',
    );
  }
  for (const caller of ['anon', { userId: meera }, { userId: asha.userId }] as const)
    for (const table of [
      'claims',
      'claim_items',
      'claim_messages',
      'claim_photos',
      'claim_events',
      'claim_refunds',
      'replacements',
      'replacement_items',
    ])
      await expect(as(sql, caller, (tx) => tx.unsafe(`select from private.${table}`))).rejects.toThrow(
        'permission denied',
      );
  for (const caller of ['anon', { userId: meera }] as const)
    await expect(as(sql, caller, (tx) => tx`select public.read_claims(${meera}, ${order.id})`)).rejects.toThrow(
      'permission denied',
    );
});

test('erasing a customer erases what was said and shown, once nothing is left to do', async () => {
  const customer = await insertUser(sql, { name: 'Kamala Devi' });
  const order = await delivered(arrived, { userId: customer });
  const made = await open(order, [{ order_item_id: order.laddu, quantity: 1 }], {
    asker: customer,
    words: 'Kamala says hello.',
  });
  const id = (made as Extract<ResultOf<typeof openClaim>, { ok: true }>).id;
  await call(rpc, addClaimPhoto, {
    asker: customer,
    link: null,
    claim_id: id,
    entry_id: randomUUID(),
    ...photo(),
    at: soon,
  });
  const blocker = async () => (await sql`select private.erasure_blocker(${customer}) as words`)[0]?.words;
  expect(await blocker()).toMatch(/^Claim C-\d+ is still open/);
  await act('admin_replace_claim', id, {
    items: [{ order_item_id: order.laddu, quantity: 1 }],
    words: 'Dear Kamala, it comes.',
  });
  await act('admin_send_replacement', id, { courier: 'Blue Dart', tracking_number: 'BD-SECRET', tracking_url: '' });
  expect(await blocker()).toBeNull();
  await sql`insert into private.erasures (customer_id, orders, erased_by) values (${customer}, 1, ${asha.userId})`;
  expect(await sql`select from private.claim_messages where claim_id = ${id}`).toHaveLength(0);
  expect(await sql`select from private.claim_photos where claim_id = ${id}`).toHaveLength(0);
  expect(
    await sql`select user_id, tracking_number from private.claims c join private.replacements r on r.claim_id = c.id where c.id = ${id}`,
  ).toMatchObject([{ user_id: null, tracking_number: null }]);
  const log = JSON.stringify(
    await sql`select before, after from public.audit_log where at > now() - interval '1 hour'`,
  );
  for (const secret of ['Kamala', 'BD-SECRET']) expect(log).not.toContain(secret);
  await clean();
});

test('the share of some units is the same in the console’s preview', async () => {
  for (const [line, quantity, before, units] of [
    [100, 3, 1, 1],
    [13_013, 7, 2, 3],
    [5, 2, 0, 1],
    [99_999, 25, 24, 1],
  ] as const) {
    const [row] = await sql`select private.unit_share(${line}, ${quantity}, ${before}, ${units})::int as paise`;
    expect(unitShare(line, quantity, before, units)).toBe(row?.paise);
  }
});
