// Many recipients, one payment: what is checked before anyone pays.
import { describe, expect, test } from 'vitest';
import { card, open, opened, quoted, recipient } from '../../tests/support/groups.ts';
import { as, insertProduct } from '../../tests/support/rows.ts';
import { code, groupShop } from './group-shop.ts';

const shop = groupShop();

describe('the dry run', () => {
  test('prices each recipient as a parcel of its own, and all of them in sum', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product();
    const single = await shop.till.quote(customer, shop.box(productId), { source: 'direct' });
    const { total } = single.body as unknown as { total: number };
    const quote = await quoted(shop.till, customer, shop.some(3, productId));
    expect(quote.rows.map((row) => row.total)).toEqual([total, total, total]);
    expect(quote).toMatchObject({ total: 3 * total, short: [], key: expect.stringMatching(/^[0-9a-f]{32}$/) });
  });

  test('names every row that is wrong, the field, and what to do', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product();
    const heavy = await insertProduct(shop.sql, { hasSize: true, stock: 100_000 });
    const shortLived = await shop.product();
    await shop.sql`update public."Products" set shelf_life_days = 1 where "Id" = ${shortLived}`;
    const [past] = ['2020-01-01'];
    const wrong: [Record<string, unknown>, string, string][] = [
      [{ name: ' ' }, 'missing-field', 'name'],
      [{ phone: '12345' }, 'invalid-field', 'phone'],
      [{ street: 'x'.repeat(201) }, 'invalid-field', 'street'],
      [{ city: 'Mum\u0007bai' }, 'invalid-field', 'city'],
      [{ pincode: '4000' }, 'invalid-field', 'pincode'],
      [{ pincode: '999999' }, 'outside-zones', 'pincode'],
      [{ boxes: shop.box(999_999_999) }, 'unknown-product', 'boxes'],
      [
        {
          boxes: [
            { productId: heavy, quantity: 25, size: 1000 },
            { productId: heavy, quantity: 25, size: 500 },
          ],
        },
        'too-heavy',
        'boxes',
      ],
      [{ boxes: shop.box(shortLived) }, 'would-spoil', 'pincode'],
      [{ delivery_on: past }, 'day-past', 'delivery_on'],
      [{ note: 'x'.repeat(301) }, 'invalid-field', 'note'],
      [{ email: 'nobody' }, 'invalid-field', 'email'],
    ];
    const rows = [
      recipient(1, shop.box(productId)),
      ...wrong.map(([change], n) => recipient(n + 2, shop.box(productId), change)),
    ];
    const quote = await quoted(shop.till, customer, rows);
    expect(quote.key).toBeNull();
    expect(quote.rows[0]).toMatchObject({ row: 1, total: expect.any(Number) });
    expect(quote.rows.slice(1).map(({ row, code: reason, field }) => [row, reason, field])).toEqual(
      wrong.map(([, reason, field], n) => [n + 2, reason, field]),
    );
    for (const { message } of quote.rows.slice(1)) expect(message).not.toMatch(/wrong|undefined/);
  });

  test('adds up what all recipients want of a product, and says what is left of it', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product(2);
    const quote = await quoted(shop.till, customer, shop.some(3, productId));
    expect(quote.short).toMatchObject([{ product_id: productId, wanted: 3, left: 2 }]);
    expect(code(await open(shop.till, customer, shop.some(3, productId), quote.key))).toEqual([409, 'group-is-short']);
    expect(await shop.stockOf(productId)).toEqual([2, 0]);
  });

  test('refuses more than five hundred recipients, and visitors', async () => {
    const customer = await shop.till.customer();
    const rows = shop.some(501, await shop.product());
    const { quoteGroup } = await import('../functions/quoteGroup/handler.ts');
    expect(code(await shop.till.call(quoteGroup, customer, { recipients: rows, card }))).toEqual([400, 'invalid-body']);
    expect(code(await shop.till.call(quoteGroup, null, { recipients: rows.slice(0, 1), card }))).toEqual([
      401,
      'sign-in-required',
    ]);
  });
});

describe('opening', () => {
  test('twice for the same recipients is one group', async () => {
    const customer = await shop.till.customer();
    const recipients = shop.some(3, await shop.product());
    const { key } = await quoted(shop.till, customer, recipients);
    const answers = await Promise.all(Array.from({ length: 4 }, () => open(shop.till, customer, recipients, key)));
    expect(new Set(answers.map(({ body }) => (body as unknown as { group_id: string }).group_id)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => (body as unknown as { id: string }).id)).size).toBe(1);
  });

  test('with a price that changed since is refused', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product();
    const { key } = await quoted(shop.till, customer, shop.some(2, productId));
    await shop.sql`update public."Products" set "Price" = 120 where "Id" = ${productId}`;
    expect(code(await open(shop.till, customer, shop.some(2, productId), key))).toEqual([409, 'prices-changed']);
  });

  test('with a row that became wrong names the row', async () => {
    const customer = await shop.till.customer();
    const recipients = shop.some(2, await shop.product());
    const { key } = await quoted(shop.till, customer, recipients);
    const answer = await open(shop.till, customer, [recipients[0], { ...recipients[1], phone: '' }], key);
    expect(answer.body.error).toMatchObject({ code: 'wrong-rows', rows: [{ row: 2, field: 'phone' }] });
  });

  test('of a blocked customer is refused', async () => {
    const customer = await shop.till.customer();
    const recipients = shop.some(1, await shop.product());
    const { key } = await quoted(shop.till, customer, recipients);
    await shop.sql`insert into private.customer_records (user_id, blocked_at) values (${customer}, now())`;
    expect(code(await open(shop.till, customer, recipients, key))).toEqual([403, 'blocked']);
  });

  test('a new one takes over what the one before held', async () => {
    const customer = await shop.till.customer();
    const productId = await shop.product(3);
    await opened(shop.till, customer, shop.some(3, productId));
    expect(await shop.stockOf(productId)).toEqual([3, 3]);
    const second = await opened(shop.till, customer, shop.some(2, productId));
    expect(await shop.stockOf(productId)).toEqual([3, 2]);
    expect((await shop.till.place(customer, await shop.till.pay(second.id))).status).toBe(201);
    shop.till.later(11);
    await shop.till.work();
    expect(await shop.stockOf(productId)).toEqual([1, 0]);
  });

  test('cannot be continued as a single order', async () => {
    const customer = await shop.till.customer();
    const group = await opened(shop.till, customer, shop.some(1, await shop.product()));
    expect(code(await shop.till.create(customer, group.amount / 100))).toEqual([409, 'no-quote']);
    const [member] = await shop.sql`select quote_id from private.checkouts where group_id = ${group.group_id}`;
    expect(code(await shop.till.create(customer, group.amount / 100, member?.quote_id))).toEqual([
      409,
      'quote-expired',
    ]);
  });
});

test('a customer reads their own groups, and no others', async () => {
  const [customer, stranger] = [await shop.till.customer(), await shop.till.customer()];
  const group = await opened(shop.till, customer, shop.some(2, await shop.product()));
  const read = (userId: string, reference: string) =>
    as(shop.sql, { userId }, async (tx) => (await tx`select public.my_group(${reference}) as told`)[0]?.told);
  expect(await read(customer, group.id)).toMatchObject({ id: group.group_id, state: 'confirming', orders: [] });
  await shop.till.place(customer, await shop.till.pay(group.id));
  const told = await read(customer, group.group_id);
  expect(told).toMatchObject({ state: 'ordered', recipients: 2, total_paise: group.amount });
  expect(told.orders).toMatchObject([
    { place: 1, name: 'Recipient 1' },
    { place: 2, name: 'Recipient 2' },
  ]);
  expect(told.items).toMatchObject([{ quantity: 2, size: null, line_paise: 20_000 }]);
  expect(told.documents).toEqual([]);
  for (const status of ['Confirmed', 'Preparing', 'Packed'])
    await shop.sql`update public.orders set status = ${status} where group_id = ${group.group_id} and group_place = 2`;
  expect((await read(customer, group.group_id)).documents).toMatchObject([
    { kind: 'invoice', order_id: told.orders[1].order_id },
  ]);
  expect(await read(stranger, group.group_id)).toBeNull();
  const many = (userId: string) =>
    as(shop.sql, { userId }, async (tx) => (await tx`select public.my_groups(${[group.group_id]}) as told`)[0]?.told);
  expect(await many(customer)).toEqual([
    { id: group.group_id, recipients: 2, total_paise: group.amount, statuses: { Pending: 1, Packed: 1 } },
  ]);
  expect(await many(stranger)).toEqual([]);
});
