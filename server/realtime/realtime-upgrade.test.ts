import { expect, test } from 'vitest';
import {
  connect,
  goodPath,
  newProduct,
  openRaw,
  origin,
  refusal,
  setUpRealtime,
  sql,
  startHost,
  until,
  watch,
} from './realtime-harness.ts';

setUpRealtime();

test('what cannot be watched is refused with the reason', async () => {
  const { client } = await connect();
  expect((await watch(client, { table: 'order_items' })).outcome).toContain('table order_items is not published');
  expect((await watch(client, { table: 'users', schema: 'auth' })).outcome).toContain('only schema public');
  expect((await watch(client, { table: 'Products', filter: 'secret=eq.1' })).outcome).toContain('no column secret');
  expect((await watch(client, { table: 'Products', filter: 'Id=eq.one' })).outcome).toContain('wrong type');
  expect((await watch(client, { table: 'Products', select: ['secret'] })).outcome).toContain('no column secret');
  const raw = await openRaw();
  const entry = { event: '*', schema: 'public', table: 'Products' };
  expect(await raw.joinWith('realtime:x', { config: { postgres_changes: Array(11).fill(entry) } })).toMatchObject({
    status: 'error',
  });
  expect(await raw.joinWith('other:x', {})).toMatchObject({ status: 'error', response: { reason: 'unknown topic' } });
  for (let i = 0; i < 20; i++) expect(await raw.joinWith(`realtime:${i}`, {})).toMatchObject({ status: 'ok' });
  expect(await raw.joinWith('realtime:20', {})).toMatchObject({
    status: 'error',
    response: { reason: 'too many channels' },
  });
  raw.socket.close();
});

test('a channel without postgres_changes is accepted, and its broadcasts and presence go nowhere', async () => {
  const { client } = await connect();
  const listening = await watch(client);
  expect(listening.outcome).toBe('SUBSCRIBED');
  expect(await listening.channel.send({ type: 'broadcast', event: 'hello', payload: { a: 1 } })).toBe('ok');
  const everything = await watch(client, {});
  await newProduct();
  await until(() => everything.received.length === 2); // the product, and that pages changed
  await client.removeChannel(listening.channel);
});

test('malformed frames are answered or ignored, and repeated ones end the socket', async () => {
  const raw = await openRaw();
  const bad = [
    null,
    7,
    'text',
    [],
    {},
    ['1', '1', 'realtime:x'],
    [1, 2, 3, 4, 5],
    ['1', '1', 'realtime:x', 'no_such_event', {}],
  ];
  for (const frame of bad) raw.say(frame);
  raw.say(['1', '5', 'phoenix', 'heartbeat', {}]);
  await until(() => raw.frames.length === bad.length + 1);
  expect(raw.frames.slice(0, bad.length).every((frame) => frame[4].status === 'error')).toBe(true);
  expect(raw.frames.at(-1)).toEqual(['1', '5', 'phoenix', 'phx_reply', { status: 'ok', response: {} }]);
  raw.socket.send('{not json');
  raw.socket.send(Buffer.from([9, 9, 9]));
  expect(await raw.closed).toBe(1008);

  const joins: unknown[] = [
    null,
    1,
    [],
    { config: 1 },
    { config: { postgres_changes: 'x' } },
    { config: { postgres_changes: [{}] } },
    { access_token: 5 },
  ];
  const second = await openRaw();
  for (const payload of joins) expect(await second.joinWith('realtime:x', payload)).toMatchObject({ status: 'error' });
  expect(
    await second.joinWith('realtime:__proto__', JSON.parse('{"config":{"__proto__":{"postgres_changes":[]}}}')),
  ).toMatchObject({ status: 'ok' });
  second.socket.close();
});

test('frames over 16 KiB and floods end the socket, and no other is affected', async () => {
  const large = await openRaw();
  large.say(['1', '1', 'realtime:x', 'phx_join', { filler: 'x'.repeat(17 * 1024) }]);
  expect(await large.closed).toBe(1009);
  const flood = await openRaw();
  for (let i = 0; i < 600; i++) flood.say([null, String(i), 'phoenix', 'heartbeat', {}]);
  expect(await flood.closed).toBe(1008);

  const visitors = await watch((await connect()).client, { table: 'Products' });
  await newProduct();
  await until(() => visitors.received.length === 1);
});

test('an address has a budget of frames for all its sockets, another address has its own', async () => {
  const shared = await startHost({
    limits: { framesAtOncePerAddress: 5, framesPerSecondPerAddress: 0.01 },
    addressOf: ({ headers }) => String(headers['x-address']),
  });
  const openFrom = (address: string) => openRaw({ on: shared, headers: { 'x-address': address } });
  const [first, second, other] = [await openFrom('a'), await openFrom('a'), await openFrom('b')];
  for (let n = 0; n < 4; n += 1) first.say([null, '1', 'phoenix', 'heartbeat', {}]);
  await until(() => first.frames.length === 4);
  second.say([null, '2', 'phoenix', 'heartbeat', {}]);
  await until(() => second.frames.length === 1);
  second.say([null, '3', 'phoenix', 'heartbeat', {}]);
  expect(await second.closed).toBe(1008);
  other.say([null, '1', 'phoenix', 'heartbeat', {}]);
  await until(() => other.frames.length === 1);
});

test('the door: path, origin, key, version and numbers are checked before the upgrade', async () => {
  expect(await refusal('/realtime/v1/other')).toEqual({ status: 404, code: 'not-found' });
  expect(await refusal('/realtime/v1/websocket?vsn=2.0.0')).toEqual({ status: 401, code: 'invalid-api-key' });
  expect(await refusal('/realtime/v1/websocket?apikey=wrong')).toEqual({ status: 401, code: 'invalid-api-key' });
  expect(await refusal(goodPath, { origin: 'http://evil.test' })).toEqual({ status: 403, code: 'origin-not-allowed' });
  expect(await refusal(goodPath, { origin: 'null' })).toEqual({ status: 403, code: 'origin-not-allowed' });
  expect(await refusal(goodPath.replace('2.0.0', '1.0.0'))).toEqual({ status: 400, code: 'unsupported-version' });
  const raw = await openRaw({ origin });
  raw.socket.close();

  const small = await startHost({ limits: { sockets: 2 } });
  const one = await openRaw({ on: small });
  await openRaw({ on: small });
  expect(await refusal(goodPath, {}, small)).toEqual({ status: 503, code: 'full' });
  one.socket.close();
  await one.closed;
  await openRaw({ on: small });
  const narrow = await startHost({ limits: { socketsPerAddress: 1 } });
  await openRaw({ on: narrow });
  expect(await refusal(goodPath, {}, narrow)).toEqual({ status: 429, code: 'too-many-connections' });
});

test('silent sockets are closed', async () => {
  const impatient = await startHost({ limits: { silenceMs: 3000, silenceCheckMs: 100 } });
  const raw = await openRaw({ on: impatient });
  const talking = await openRaw({ on: impatient });
  const beat = setInterval(() => talking.say([null, '1', 'phoenix', 'heartbeat', {}]), 100);
  expect(await raw.closed).toBe(1001);
  expect(talking.socket.readyState).toBe(WebSocket.OPEN);
  clearInterval(beat);
});

test('a reader who does not read is cut off', async () => {
  const impatient = await startHost({ limits: { unreadBytes: 64 * 1024 } });
  const raw = await openRaw({ on: impatient });
  await raw.joinWith('realtime:x', {
    config: { postgres_changes: [{ event: 'UPDATE', schema: 'public', table: 'Products' }] },
  });
  raw.socket.pause();
  const ids = await Promise.all(Array.from({ length: 100 }, () => newProduct()));
  for (let i = 0; i < 60 && !impatient.logged.some((line) => line.includes('slow_reader')); i++) {
    await sql`update "Products" set "Description" = ${String(i % 10).repeat(4000)} where "Id" in ${sql(ids)}`;
  }
  await until(() => impatient.logged.some((line) => line.includes('realtime.slow_reader_closed')));
  raw.socket.resume();
  expect(await raw.closed).toBe(1006);
});
