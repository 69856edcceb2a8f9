import { expect, test } from 'vitest';
import {
  advanceClock,
  connect,
  newOrder,
  newProduct,
  newUser,
  openRaw,
  setUpRealtime,
  sql,
  tokenFor,
  touchProduct,
  until,
  watch,
} from './realtime-harness.ts';

setUpRealtime();

test('customers see their own order and its history as they happen, and strangers see nothing', async () => {
  const [asha, stranger] = [await newUser(), await newUser()];
  const product = await newProduct();
  const mine = await watch((await connect(asha)).client, { table: 'orders' }, { table: 'order_events' });
  const theirs = await watch(
    (await connect(stranger)).client,
    { table: 'orders' },
    { table: 'order_events' },
    { table: 'Products' },
  );
  const visitors = await watch(
    (await connect()).client,
    { table: 'orders' },
    { table: 'order_events' },
    { table: 'Products' },
  );
  expect([mine.outcome, theirs.outcome, visitors.outcome]).toEqual(['SUBSCRIBED', 'SUBSCRIBED', 'SUBSCRIBED']);

  const order = await newOrder(asha);
  await sql`update orders set status = 'Confirmed' where id = ${order}`;
  await until(() => mine.received.length === 4);
  expect(mine.tables().sort()).toEqual([
    'INSERT order_events',
    'INSERT order_events',
    'INSERT orders',
    'UPDATE orders',
  ]);
  const [row] = await sql<{ json: object }[]>`select to_jsonb(o) as json from orders o where id = ${order}`;
  const update = mine.received.find(({ eventType }) => eventType === 'UPDATE');
  expect(update?.new).toEqual(row?.json);
  expect(update?.new).toMatchObject({ id: order, status: 'Confirmed', total_amount: 323.03 });
  expect(update?.old).toEqual({});
  expect(Math.abs(Date.now() - Date.parse(update?.commit_timestamp ?? ''))).toBeLessThan(60_000);

  // Changes come in the order of their commits, so the product's arrival proves that nothing else was on its way.
  await touchProduct(product);
  await until(() => theirs.received.length > 0 && visitors.received.length > 0);
  expect(theirs.tables()).toEqual(['UPDATE Products']);
  expect(visitors.tables()).toEqual(['UPDATE Products']);
});

test('everybody sees public products being added and changed, but not once they are unlisted', async () => {
  const visitors = await watch((await connect()).client, { table: 'Products' });
  const id = await newProduct(199.5);
  await until(() => visitors.received.length === 1);
  expect(visitors.received[0]).toMatchObject({
    eventType: 'INSERT',
    new: { Id: id, Price: 199.5, hasSize: false, Rating: null },
  });

  await sql`update "Products" set is_listed = false where "Id" = ${id}`;
  const next = await newProduct();
  await until(() => visitors.received.length === 2);
  expect(visitors.received[1]).toMatchObject({ eventType: 'INSERT', new: { Id: next } });
});

test('an expired token brings nothing more, a refreshed one resumes', async () => {
  const asha = await newUser();
  const order = await newOrder(asha);
  const { client, setToken } = await connect(asha);
  const mine = await watch(client, { table: 'orders' });
  const visitors = await watch((await connect()).client, { table: 'Products' });
  await sql`update orders set courier = 'first' where id = ${order}`;
  await until(() => mine.received.length === 1);

  advanceClock(2 * 3600 * 1000);
  await sql`update orders set courier = 'second' where id = ${order}`;
  await newProduct();
  await until(() => visitors.received.length === 1);

  await setToken(await tokenFor(asha));
  // The frame with the token has no answer; a join behind it on the same socket has.
  await watch(client, { table: 'orders', filter: 'status=eq.Refunded' });
  await sql`update orders set courier = 'third' where id = ${order}`;
  await until(() => mine.received.length === 2);
  expect(mine.received.map((change) => change.new.courier)).toEqual(['first', 'third']);
});

test('after signing out the same channel is a visitor’s', async () => {
  const asha = await newUser();
  const order = await newOrder(asha);
  const { client, setToken } = await connect(asha);
  const mine = await watch(client, { table: 'orders' }, { table: 'Products' });
  await setToken(null);
  await watch(client, { table: 'Products', event: 'DELETE' });
  await sql`update orders set courier = 'x' where id = ${order}`;
  await newProduct();
  await until(() => mine.received.length === 1);
  expect(mine.tables()).toEqual(['INSERT Products']);
});

test('a token that is not valid is refused at the join, and silences a channel later', async () => {
  const raw = await openRaw();
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'Products' }] };
  expect(await raw.joinWith('realtime:a', { config, access_token: 'nonsense' })).toMatchObject({
    status: 'error',
    response: { reason: 'the access token is not valid' },
  });
  const expired = await tokenFor(await newUser(), -10);
  expect(await raw.joinWith('realtime:a', { config, access_token: expired })).toMatchObject({ status: 'error' });

  expect(await raw.joinWith('realtime:a', { config })).toMatchObject({ status: 'ok' });
  raw.say([null, '9', 'realtime:a', 'access_token', { access_token: 'nonsense' }]);
  expect(await raw.joinWith('realtime:b', { config })).toMatchObject({ status: 'ok' });
  await newProduct();
  await until(() => raw.frames.some((frame) => frame[3] === 'postgres_changes'));
  expect(raw.frames.filter((frame) => frame[3] === 'postgres_changes').map((frame) => frame[2])).toEqual([
    'realtime:b',
  ]);
  raw.socket.close();
});

test('filters choose rows, events choose kinds, select chooses columns', async () => {
  const asha = await newUser();
  const [first, second] = [await newOrder(asha), await newOrder(asha)];
  const { client } = await connect(asha);
  const one = await watch(client, {
    table: 'orders',
    filter: `id=eq.${second}`,
    event: 'UPDATE',
    select: ['id', 'courier'],
  });
  const several = await watch(client, {
    table: 'orders',
    filter: `id=in.(${first},${second}),total_amount=gt.300`,
    event: 'UPDATE',
  });
  const added = await watch(client, { table: 'orders', event: 'INSERT' });
  // Another customer with a filter that matches: still not theirs to see.
  const nosy = await watch(
    (await connect(await newUser())).client,
    { table: 'orders', filter: `id=eq.${second}` },
    { table: 'Products' },
  );

  await sql`update orders set courier = 'a' where id = ${first}`;
  await sql`update orders set courier = 'b' where id = ${second}`;
  await newOrder(asha);
  await newProduct();
  await until(() => added.received.length === 1 && nosy.received.length === 1);
  expect(one.received.map((change) => change.new)).toEqual([{ id: second, courier: 'b' }]);
  expect(several.received.map((change) => change.new.courier)).toEqual(['a', 'b']);
  expect(added.tables()).toEqual(['INSERT orders']);
  expect(nosy.tables()).toEqual(['INSERT Products']);
});
