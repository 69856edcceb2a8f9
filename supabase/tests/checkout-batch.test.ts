// A batch of calls has the results and the rows of the same calls made one after the other, refusals included.
import type { Sql, TransactionSql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { newDatabase, type TestDatabase } from '../../tests/support/database.ts';
import { insertProduct, insertZone, moveStock } from '../../tests/support/rows.ts';
import { openTill, type PaidAnswer, type Till } from '../../tests/support/till.ts';

type Args = Record<string, unknown>;
type Answer = Record<string, unknown>;

let database: TestDatabase;
let sql: Sql;
let till: Till;
let laddu: number;
let barfi: number;
let scarce: number;
let at: string;

beforeAll(async () => {
  database = await newDatabase(inject('postgresPath'));
  sql = database.sql;
  till = openTill(database.connection, sql);
  await insertZone(sql, { prefixes: ['400'] });
  await insertZone(sql, { prefixes: ['411'] });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
  await database.drop();
});
beforeEach(async () => {
  laddu = await insertProduct(sql, { price: 180.5, hasSize: true, stock: 500_000 });
  barfi = await insertProduct(sql, { price: 99, hasSize: false, stock: 1_000 });
  scarce = await insertProduct(sql, { price: 120, hasSize: false, stock: 5 });
  at = new Date(till.clock.at).toISOString();
});

/** Does something to the books, looks at them, and takes it back. */
async function tried<T>(work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  let result: T | undefined;
  const takenBack = new Error('taken back');
  await sql
    .begin(async (tx) => {
      result = await work(tx);
      throw takenBack;
    })
    .catch((error) => {
      if (error !== takenBack) throw error;
    });
  return result as T;
}

async function ask(tx: TransactionSql, name: string, args: Args): Promise<unknown> {
  const list = Object.keys(args).map((key, n) => `${key} => $${n + 1}`);
  const [row] = await tx.unsafe(`select public.${name}(${list.join(', ')}) as answer`, Object.values(args) as never[]);
  return row?.answer;
}

const books = [
  'private.quotes',
  'private.checkouts',
  'private.payments',
  'private.outbox',
  'private.rate_limits',
  'private.placed_items',
  'private.order_changes',
  'private.refunds',
  'public.orders',
  'public.order_items',
  'public.order_events',
  'public.stock_movements',
  'public.stock_levels',
];
/** New random ids each time. */
const passing =
  /^(id|number|key|quote_id|checkout_id|order_id|order_item_id|event_id|refund_id|family_id|updated_at|expires_at|queued_at)$/;

function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (passing.test(name) ? [] : [[name, lasting(inner)]])),
  );
}

async function bookRows(tx: TransactionSql): Promise<Record<string, string[]>> {
  await tx`set constraints all immediate`;
  const rows: Record<string, string[]> = {};
  for (const table of books)
    rows[table] = (
      await tx.unsafe(`
        select to_jsonb(t) as row, (select o.payment_id from public.orders o where o.id::text = to_jsonb(t) ->> 'order_id') as paid_with
        from ${table} t`)
    )
      .map(({ row, paid_with }) => JSON.stringify([lasting(row), paid_with]))
      .sort();
  return rows;
}

/** Makes the calls in one batch, takes that back, makes them one after the other, and compares. Returns the results. */
async function askBothWays(one: string, many: string, calls: Args[]): Promise<Answer[]> {
  const together = await tried(async (tx) => {
    const answers = (await ask(tx, many, { calls })) as Answer[];
    return { answers, rows: await bookRows(tx) };
  });
  const alone = await tried(async (tx) => {
    const answers: Answer[] = [];
    for (const call of calls) answers.push((await ask(tx, one, call)) as Answer);
    return { answers, rows: await bookRows(tx) };
  });
  expect(together.answers.map(lasting)).toEqual(alone.answers.map(lasting));
  expect(together.rows).toEqual(alone.rows);
  return together.answers;
}

/** What became of each of the named calls. */
async function outcomesOf(one: string, many: string, calls: Record<string, Args>): Promise<Record<string, unknown>> {
  const answers = await askBothWays(one, many, Object.values(calls));
  const outcome = ({ ok, outcome, reason }: Answer) => reason ?? (ok ? 'ok' : outcome);
  return Object.fromEntries(Object.keys(calls).map((name, place) => [name, outcome(answers[place] as Answer)]));
}

const line = (product_id: number, quantity = 1, size = 500) => ({ product_id, quantity, size });

async function quoteCall(lines: object[], more: Args = {}): Promise<Args> {
  const customer_id = more.customer_id ?? (await till.customer());
  return { customer_id, lines, pincode: '400001', source: 'cart', fulfilment: 'delivery', at, ...more };
}

test('quotes', async () => {
  const holder = await till.customer();
  await till.checkout(holder, [{ productId: laddu, quantity: 1, size: 500 }]);
  const busy = await till.customer();
  const gone = await insertProduct(sql, { price: 10, stock: 5 });
  await sql`update public."Products" set is_listed = false where "Id" = ${gone}`;
  const stale = await insertProduct(sql, { price: 10, stock: 5 });
  await sql`update public."Products" set shelf_life_days = 1 where "Id" = ${stale}`;
  const calls = {
    plain: await quoteCall([line(laddu)]),
    'by zone, with two sizes': await quoteCall([line(laddu), line(laddu, 2, 1000), line(barfi, 25)], {
      source: 'direct',
    }),
    'elsewhere, the same line twice': await quoteCall([line(laddu, 1), line(laddu, 3)], { pincode: '411001' }),
    'the last of it': await quoteCall([line(scarce, 5)]),
    'more than there is': await quoteCall([line(scarce, 6)]),
    'unknown product': await quoteCall([line(laddu), line(999_999)]),
    'no longer sold': await quoteCall([line(gone)]),
    'would spoil': await quoteCall([line(stale)]),
    'size not offered': await quoteCall([line(barfi, 1, 1000)]),
    'too many': await quoteCall([line(barfi, 20), line(barfi, 20)]),
    'too heavy': await quoteCall([line(laddu, 25, 1000), line(laddu, 25, 500)]),
    'outside every zone': await quoteCall([line(laddu)], { pincode: '999999' }),
    'to be picked up': await quoteCall([line(laddu)], { fulfilment: 'pickup', pincode: '' }),
    'of a customer with an open checkout': await quoteCall([line(laddu)], { customer_id: holder }),
    'the first of two': await quoteCall([line(laddu)], { customer_id: busy }),
    'the second of two': await quoteCall([line(barfi)], { customer_id: busy }),
  };
  expect(await outcomesOf('quote_order', 'quote_orders', calls)).toEqual({
    plain: 'ok',
    'by zone, with two sizes': 'ok',
    'elsewhere, the same line twice': 'ok',
    'the last of it': 'ok',
    'more than there is': 'not-enough-stock',
    'unknown product': 'unknown-product',
    'no longer sold': 'not-available',
    'would spoil': 'would-spoil',
    'size not offered': 'size-not-offered',
    'too many': 'too-many',
    'too heavy': 'too-heavy',
    'outside every zone': 'outside-zones',
    'to be picked up': 'pickup-not-offered',
    'of a customer with an open checkout': 'ok',
    'the first of two': 'ok',
    'the second of two': 'ok',
  });
});

async function openCall(product: number, quantity = 1, more: Args = {}): Promise<Args> {
  const customer_id = (more.customer_id as string | undefined) ?? (await till.customer());
  const { status, body } = await till.quote(customer_id, [{ productId: product, quantity, size: 500 }]);
  expect(status).toBe(200);
  const { total, quote_id } = body as unknown as { total: number; quote_id: string };
  return { customer_id, amount_paise: Math.round(total * 100), quote_id, at, ...more };
}

test('checkouts', async () => {
  const holder = await till.customer();
  await till.checkout(holder, [{ productId: laddu, quantity: 1, size: 500 }]);
  const blocked = await openCall(laddu);
  await sql`insert into private.customer_records (user_id, blocked_at) values (${blocked.customer_id as string}, now())`;
  const unreachable = await openCall(laddu);
  await sql`update public.user_profiles set phone = '' where user_id = ${unreachable.customer_id as string}`;
  const moved = await openCall(laddu);
  await sql`update public.user_profiles set zip = '411001' where user_id = ${moved.customer_id as string}`;
  const late = await openCall(laddu);
  await sql`update private.quotes set expires_at = ${at} where id = ${late.quote_id as string}`;
  const postponed = await openCall(laddu);
  await sql`update private.quotes set delivery_by = delivery_by - 1 where id = ${postponed.quote_id as string}`;
  const opened = await openCall(laddu);
  await till.create(opened.customer_id as string, Number(opened.amount_paise) / 100, opened.quote_id as string);
  const hasty = await openCall(laddu);
  const unpaid = await till.customer();
  await leaveUnpaid(unpaid);
  await leaveUnpaid(unpaid);
  const victim = await openCall(laddu);
  const calls = {
    plain: await openCall(laddu, 3),
    another: await openCall(laddu, 2),
    'of pieces': await openCall(barfi, 7),
    'of an account that no longer holds': await openCall(laddu, 2, { customer_id: unpaid }),
    'too much to hold for a new account': await openCall(laddu, 11),
    'some of what is scarce': await openCall(scarce, 3),
    'some more of it': await openCall(scarce, 3),
    'without a quote': await openCall(laddu, 1, { quote_id: null }),
    'wrong amount': await openCall(laddu, 1, { amount_paise: 100 }),
    'of a customer with an open checkout': await openCall(laddu, 1, { customer_id: holder }),
    blocked,
    unreachable,
    moved,
    late,
    postponed,
    'opened already': opened,
    'the first of two': hasty,
    'the second of two': hasty,
    'their own': victim,
    'the quote of another customer': { ...victim, customer_id: await till.customer() },
  };
  expect(await outcomesOf('open_checkout', 'open_checkouts', calls)).toEqual({
    plain: 'ok',
    another: 'ok',
    'of pieces': 'ok',
    'of an account that no longer holds': 'ok',
    'too much to hold for a new account': 'ok',
    'some of what is scarce': 'ok',
    'some more of it': 'not-enough-stock',
    'without a quote': 'ok',
    'wrong amount': 'amount-mismatch',
    'of a customer with an open checkout': 'ok',
    blocked: 'blocked',
    unreachable: 'address-incomplete',
    moved: 'address-changed',
    late: 'quote-expired',
    postponed: 'quote-expired',
    'opened already': 'ok',
    'the first of two': 'ok',
    'the second of two': 'ok',
    'their own': 'ok',
    'the quote of another customer': 'no-quote',
  });
});

/** A checkout of nothing else, whose hold has expired. */
async function leaveUnpaid(customer: string, ip_hash: string | null = null): Promise<void> {
  await till.checkout(customer, [{ productId: laddu, quantity: 1, size: 500 }]);
  await sql`update private.checkouts set reserved_until = ${at}, ip_hash = ${ip_hash}
    where user_id = ${customer} and state = 'open'`;
  await sql`select private.release_expired_holds(${at})`;
}

test('the last holds of an address go to the first customers', async () => {
  for (let n = 0; n < 18; n += 1) await leaveUnpaid(await till.customer(), 'a mobile network');
  const wish = (ip_hash: string) => openCall(laddu, 1, { ip_hash });
  const calls = [
    await wish('a mobile network'),
    await openCall(laddu, 11, { ip_hash: 'a mobile network' }),
    await wish('another'),
    await wish('a mobile network'),
    await wish('a mobile network'),
    await openCall(laddu),
  ];
  const answers = await askBothWays('open_checkout', 'open_checkouts', calls);
  expect(answers.every((answer) => answer?.ok)).toBe(true);
  const held = await tried(async (tx) => {
    await ask(tx, 'open_checkouts', { calls });
    const rows = await tx`select quote_id, held <> '{}' as holds from private.checkouts`;
    return calls.map(({ quote_id }) => rows.find((row) => row.quote_id === quote_id)?.holds);
  });
  expect(held).toEqual([true, false, true, true, false, true]);
});

test('a customer over the rate limit is refused within a batch', async () => {
  const quick = await openCall(laddu);
  await sql`insert into private.rate_limits (action, subject, window_start, taken)
    values ('checkout', ${quick.customer_id as string}, date_bin('1 minute', ${at}, '2000-01-01 00:00+00'), 5)`;
  const calls = [quick, await openCall(laddu)];
  const answers = await tried(async (tx) => (await ask(tx, 'open_checkouts', { calls })) as Answer[]);
  expect(answers.map(({ ok, reason }) => reason ?? ok)).toEqual(['too-many-checkouts', true]);
});

async function payCall(product: number, quantity = 1, more: Args = {}): Promise<Args> {
  const customer = await till.customer();
  const { orderId, total } = await till.checkout(customer, [{ productId: product, quantity, size: 500 }]);
  const paid = (await till.pay(orderId)) as PaidAnswer;
  const amount_paise = Math.round(total * 100);
  return {
    provider_order_id: orderId,
    payment_id: paid.razorpay_payment_id,
    amount_paise,
    currency: 'INR',
    method: 'upi',
    fee_paise: 236,
    is_refunded_by_provider: false,
    at,
    ...more,
  };
}

test('payments', async () => {
  const known = await payCall(laddu);
  await tryToSettle(known);
  const lapsed = await payCall(barfi, 2);
  await sql`update private.checkouts set reserved_until = ${at} where provider_order_id = ${lapsed.provider_order_id as string}`;
  await sql`select private.release_expired_holds(${at})`;
  const twice = await payCall(laddu);
  const partly = await payCall(laddu, 3);
  await sql`update private.checkouts set held = '{500}' where provider_order_id = ${partly.provider_order_id as string}`;
  await sql`update public.stock_levels set reserved = reserved - 1000 where product_id = ${laddu}`;
  const calls = {
    plain: await payCall(laddu, 4),
    'that holds nothing': await payCall(laddu, 12),
    'that holds a part': partly,
    another: await payCall(laddu, 2),
    'of pieces': await payCall(barfi, 3),
    'the last of it': await payCall(scarce, 5),
    'wrong amount': await payCall(laddu, 1, { amount_paise: 100 }),
    'other money': await payCall(laddu, 1, { currency: 'USD' }),
    'given back': await payCall(laddu, 1, { is_refunded_by_provider: true }),
    'of no checkout': await payCall(laddu, 1, { provider_order_id: 'order_unknown' }),
    'settled already': known,
    'after the stock was released': lapsed,
    'the first of two': twice,
    'the second of two': { ...twice, payment_id: 'pay_second' },
  };
  expect(await outcomesOf('settle_payment', 'settle_payments', calls)).toEqual({
    plain: 'ordered',
    'that holds nothing': 'ordered',
    'that holds a part': 'ordered',
    another: 'ordered',
    'of pieces': 'ordered',
    'the last of it': 'ordered',
    'wrong amount': 'wrong-amount',
    'other money': 'wrong-amount',
    'given back': 'given-back',
    'of no checkout': 'unknown-order',
    'settled already': 'ordered',
    'after the stock was released': 'ordered',
    'the first of two': 'ordered',
    'the second of two': 'second-payment',
  });
});

test('of payments whose checkouts hold nothing, the first ones become orders while there is enough', async () => {
  const rare = await insertProduct(sql, { price: 120, hasSize: false, stock: 20 });
  const calls = [await payCall(rare, 11), await payCall(rare, 11), await payCall(laddu)];
  const answers = await askBothWays('settle_payment', 'settle_payments', calls);
  expect(answers.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['ordered', 'sold-out', 'ordered']);
});

const tryToSettle = (call: Args) => sql.begin((tx) => ask(tx, 'settle_payment', call));

test('a second payment for a paid checkout makes no order', async () => {
  const customer = await till.customer();
  const wish = [{ productId: laddu, quantity: 1, size: 500 as const }];
  const first = await till.checkout(customer, wish);
  const again = await till.checkout(customer, wish);
  const call = (orderId: string, payment_id: string, total: number): Args => ({
    provider_order_id: orderId,
    payment_id,
    amount_paise: Math.round(total * 100),
    currency: 'INR',
    method: null,
    fee_paise: null,
    is_refunded_by_provider: false,
    at,
  });
  await tryToSettle(call(first.orderId, 'pay_of_the_first', first.total));
  const calls = [call(again.orderId, 'pay_of_the_again', again.total), await payCall(laddu)];
  const answers = await askBothWays('settle_payment', 'settle_payments', calls);
  expect(answers.map(({ outcome, reason }) => reason ?? outcome)).toEqual(['second-payment', 'ordered']);
  await tryToSettle(calls[0] as Args);
});

test('the provider’s orders, and jobs that are done', async () => {
  const checkouts: Args[] = [];
  for (const place of [1, 2]) {
    const [opened] = await askAndKeep('open_checkouts', [await openCall(laddu), await openCall(laddu)]);
    checkouts.push({ checkout_id: opened?.checkout_id, provider_order_id: `order_new_${place}` });
  }
  const unknown = { checkout_id: crypto.randomUUID(), provider_order_id: 'order_nowhere' };
  const answers = await askBothWays('attach_provider_order', 'attach_provider_orders', [...checkouts, unknown]);
  expect(answers).toEqual(['order_new_1', 'order_new_2', null]);

  await tryToSettle(await payCall(laddu));
  await sql`select private.derive_from_changes()`;
  const jobs = await sql<{ id: string }[]>`select id from private.outbox where done_at is null`;
  const finished = [...jobs.map(({ id }, n) => ({ job_id: Number(id), note: n === 0 ? 'why not' : null, at }))];
  await tried(async (tx) => {
    expect(await ask(tx, 'finish_jobs', { calls: finished })).toHaveLength(jobs.length);
    const left = await tx`select count(*)::int as left, count(*) filter (where last_error = 'why not')::int as noted
      from private.outbox where done_at is null or last_error = 'why not'`;
    expect(left[0]).toEqual({ left: 1, noted: 1 });
  });
});

const askAndKeep = (many: string, calls: Args[]) => sql.begin((tx) => ask(tx, many, { calls })) as Promise<Answer[]>;

test('stock that is released between two requests of a batch is sold to the last piece, and no further', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, () => till.customer()));
  const buyOne = async (customer: string) => {
    const quoted = await till.quote(customer, [{ productId: scarce, quantity: 1, size: 500 }]);
    if (quoted.status !== 200) return 'refused';
    const { total, quote_id } = quoted.body as unknown as { total: number; quote_id: string };
    const created = await till.create(customer, total, quote_id);
    if (created.status !== 201) return 'refused';
    const placed = await till.place(customer, await till.pay((created.body as unknown as { id: string }).id));
    return placed.status === 201 ? 'ordered' : 'lost';
  };
  const first = Promise.all(people.slice(0, 20).map(buyOne));
  await moveStock(sql, scarce, 7, 'production');
  const outcomes = [...(await first), ...(await Promise.all(people.slice(20).map(buyOne)))];
  expect(outcomes.filter((outcome) => outcome === 'lost')).toEqual([]);
  expect(outcomes.filter((outcome) => outcome === 'ordered')).toHaveLength(12);
});

/** Locks a row, starts a call that needs it, runs `between`, and releases the lock. */
async function whileHeld<T>(
  hold: (tx: TransactionSql) => Promise<unknown>,
  work: () => Promise<T>,
  between: () => Promise<unknown>,
) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHeld = () => {};
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const holder = sql.begin(async (tx) => {
    await hold(tx);
    isHeld();
    await held;
  });
  await holding;
  const started = work();
  await waitsForLock();
  await between();
  letGo();
  await holder;
  return started;
}

async function waitsForLock(): Promise<void> {
  const waiting = () =>
    sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await waiting()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Groups do not wait long for locks; here they may, however busy the machine is. */
async function patiently<T>(many: string, work: () => Promise<T>): Promise<T> {
  await sql.unsafe(`alter function public.${many}(jsonb) set lock_timeout = '30s'`);
  const result = await work();
  await sql.unsafe(`alter function public.${many}(jsonb) set lock_timeout = '250ms'`);
  return result;
}

const holdStock = (product: number) => (tx: TransactionSql) =>
  tx`select from public.stock_levels where product_id = ${product} for update`;

test.each(['alone', 'together'])(
  'a parcel goes to the address it was priced for, also when the address changes in between: %s',
  async (way) => {
    const calls = [await openCall(laddu), await openCall(laddu)];
    const customers = calls.map(({ customer_id }) => customer_id as string);
    const answers = await patiently('open_checkouts', () =>
      whileHeld(
        holdStock(laddu),
        () =>
          sql.begin(async (tx) => {
            if (way === 'alone') return [(await ask(tx, 'open_checkout', calls[0] as Args)) as Answer];
            return (await ask(tx, 'open_checkouts', { calls })) as Answer[];
          }),
        () => sql`update public.user_profiles set zip = '411001' where user_id = any (${customers})`,
      ),
    );
    // The address was read before the stock was locked: the one that the price was for.
    const opened = way === 'alone' ? [true] : [true, true];
    expect(answers.map(({ ok, reason }) => reason ?? ok)).toEqual(opened);
    const rows = await sql`select delivery_zip from private.checkouts where user_id = any (${customers})`;
    expect(rows.map(({ delivery_zip }) => delivery_zip)).toEqual(opened.map(() => '400001'));
  },
);

test('a payment whose order is attached while the batch waits for a lock is settled with the others', async () => {
  const [first, second] = [await payCall(laddu), await payCall(laddu)];
  const order = second.provider_order_id as string;
  await sql`update private.checkouts set provider_order_id = null where provider_order_id = ${order}`;
  const [detached] =
    await sql`select id from private.checkouts where provider_order_id is null order by created_at desc limit 1`;
  const answers = await patiently('settle_payments', () =>
    whileHeld(
      (tx) =>
        tx`select from private.checkouts where provider_order_id = ${first.provider_order_id as string} for update`,
      () => sql.begin((tx) => ask(tx, 'settle_payments', { calls: [first, second] })) as Promise<Answer[]>,
      () => sql`update private.checkouts set provider_order_id = ${order} where id = ${detached?.id}`,
    ),
  );
  expect(answers.map(({ outcome }) => outcome)).toEqual(['ordered', 'ordered']);
});

test('an unexpected error fails the whole batch: nothing of it is written', async () => {
  const good = await payCall(laddu);
  const calls = [await payCall(laddu, 1, { payment_id: null }), good];
  await expect(sql.begin((tx) => ask(tx, 'settle_payments', { calls }))).rejects.toThrow(/null value/);
  expect(await sql`select from private.payments where payment_id = ${good.payment_id as string}`).toHaveLength(0);
  expect(await tryToSettle(good)).toMatchObject({ outcome: 'ordered' });
});

test('a purchase of available stock does not wait for purchases of reserved stock', async () => {
  const wish = (productId: number) => [{ productId, quantity: 1, size: 500 as const }];
  const buyers = await Promise.all(
    [barfi, laddu, barfi, laddu, laddu].map(async (product) => {
      const customer = await till.customer();
      const { orderId } = await till.checkout(customer, wish(product));
      return { product, customer, paid: await till.pay(orderId) };
    }),
  );
  const placed: string[] = [];
  const place = async ({ product, customer, paid }: (typeof buyers)[number]) => {
    const { status } = await till.place(customer, paid);
    placed.push(`${product === laddu ? 'free' : 'held'} ${status}`);
  };
  const free = buyers.filter(({ product }) => product === laddu);
  const held = buyers.filter(({ product }) => product === barfi);
  let freed: Promise<unknown> = Promise.resolve();
  await whileHeld(
    holdStock(barfi),
    () => {
      freed = Promise.all(free.map(place));
      return Promise.all([...held.map(place), freed]);
    },
    () => freed,
  );
  expect(placed).toEqual(['free 201', 'free 201', 'free 201', 'held 201', 'held 201']);
});
