import fc, { type Arbitrary } from 'fast-check';
import { badJson, jsonText } from './bad-values.ts';

const change = fc.record({
  event: fc.constantFrom<unknown>('*', 'INSERT', 'x', 1),
  schema: fc.constantFrom('public', 'private', 'auth', ''),
  table: fc.constantFrom<unknown>('orders', 'nope', 'Products', null, 5, 'a\u0000b'),
  filter: fc.constantFrom<unknown>('Id=eq.x', 'Id=eq.1', 'a=b', 'Id=in.(', null, '\u0000'),
});
const payload = fc.oneof(
  fc.array(change, { maxLength: 3 }).map((changes) => ({ config: { postgres_changes: changes } })),
  fc.constantFrom<unknown>({}, null, { access_token: 5 }, { access_token: 'a.b.c' }),
  badJson,
);
const topic = fc.constantFrom<unknown>('realtime:a', 'realtime:b', 'phoenix', '', null, 't'.repeat(300));
const event = fc.constantFrom<unknown>(
  'phx_join',
  'phx_join',
  'heartbeat',
  'access_token',
  'phx_leave',
  'broadcast',
  null,
  5,
);

/** A frame for the websocket: mostly not one. */
export const frame: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('1'), fc.constant('1'), topic, event, payload).map(jsonText) },
  { weight: 1, arbitrary: badJson.map(jsonText) },
  { weight: 1, arbitrary: fc.constantFrom('{', '', '["1","1"]') },
);
