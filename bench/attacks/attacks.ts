// Every way in which one address attacks, by the name it has in docs/security.md.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileRequest, LoadGenerator } from './load-generator.ts';

type Attack = (tools: LoadGenerator, secrets: { apikey: string; token: string }) => Promise<void>;

const json = { 'content-type': 'application/json' };
const random = () => randomBytes(6).toString('hex');
const get = (path: string): HostileRequest => ({ path });
const searchWith = (body: string) => ({ method: 'POST', path: '/rest/v1/rpc/search_products', headers: json, body });

const deepSelect = 'select=*,comments(*,Products(*,comments(*)))';
const allowedSelect = 'select=*,comments(*,Products(*))';
const numbers = JSON.stringify(Array.from({ length: 70_000 }, (_, n) => n));
const wrongJson = JSON.stringify({ query: Array.from({ length: 24_000 }, (_, n) => `word${n}`) }).slice(0, 255_000);
const price = JSON.stringify({ orders: [{ productId: 1, quantity: 1, size: 500 }], delivery: { pincode: '400001' } });
const challenge = 'a'.repeat(43);
/** Within the limits for expressions (server/lite/data-gate/limits.ts), and as costly as they allow. */
const costlyExpression = encodeURIComponent('(([a-z ]+)+[a-z ]+)+!');
const costlyPattern = encodeURIComponent(`*${'a*e*i*'.repeat(300)}!`);
const pollutions = [
  '/rest/v1/Products?select=Id&limit=1&__proto__=eq.1',
  '/rest/v1/Products?select=Id&"__proto__"=eq.1',
  '/rest/v1/Products?select=Id,comments(id)&comments.__proto__=eq.1',
  '/rest/v1/rpc/search_products?__proto__=eq.1',
];
const dotSegments = [
  `/storage/v1/object/public/../../../../rest/v1/Products?${allowedSelect}`,
  `/assets/%2e%2e/rest/v1/Products?${allowedSelect}`,
  '/x/../shop?q=laddu',
  '/./assets/.%2E/env.json',
];
const oneOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** A text frame as clients send it: masked, here with zeros. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
const heartbeat = frame('[null,"1","phoenix","heartbeat",{}]');

const handshake = (apikey: string): HostileRequest => ({
  path: `/realtime/v1/websocket?apikey=${apikey}&vsn=2.0.0`,
  headers: {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  },
});

const requests = {
  'three-deep embedding, 20 connections': ({ flood }) => flood(20, () => get(`/rest/v1/Products?${deepSelect}`)),
  'two-deep embedding, which is allowed, 20 connections': ({ flood }) =>
    flood(20, () => get(`/rest/v1/Products?${allowedSelect}`)),
  'random searches (`/shop?q=`), 20 connections': ({ flood }) => flood(20, () => get(`/shop?q=${random()}`)),
  'random searches (`/shop?q=`), 400 connections': ({ flood }) => flood(400, () => get(`/shop?q=${random()}`)),
  'searches abandoned after 5 ms, 50 at once': ({ flood }) => flood(50, () => get(`/shop?q=${random()}`), 5),
  'costly regular expressions, 20 connections': ({ flood }) =>
    flood(20, () => get(`/rest/v1/Products?select=Id&Description=imatch.${costlyExpression}`)),
  'costly `LIKE` patterns, 20 connections': ({ flood }) =>
    flood(20, () => get(`/rest/v1/Products?select=Id&Description=ilike.${costlyPattern}`)),
  '`__proto__` as a name, 20 connections': ({ flood }) => flood(20, () => get(oneOf(pollutions))),
  'paths with dot segments, 20 connections': ({ flood }) => flood(20, () => get(oneOf(dotSegments))),
  '255 KB of JSON that ends as a 400, 20 connections': ({ flood }) => flood(20, () => searchWith(wrongJson)),
  'arrays of 70,000 numbers, 16 connections': ({ flood }) => flood(16, () => searchWith(numbers)),
  'sign-in, 20 connections': ({ flood }) =>
    flood(20, () => get(`/auth/v1/authorize?provider=github&code_challenge=${challenge}&code_challenge_method=s256`)),
  'invalid refresh tokens, 20 connections': ({ flood }) =>
    flood(20, () => ({
      method: 'POST',
      path: '/auth/v1/token?grant_type=refresh_token',
      headers: json,
      body: JSON.stringify({ refresh_token: random() }),
    })),
  '`getShippingPrice` by one customer, 20 connections': ({ flood }, { token }) =>
    flood(20, () => ({
      method: 'POST',
      path: '/functions/v1/getShippingPrice',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: price,
    })),
  'the cached home page, 20 connections': ({ flood }) => flood(20, () => get('/')),
  'the cached home page, 400 connections': ({ flood }) => flood(400, () => get('/')),
  'the largest file, 20 connections': ({ flood }) => flood(20, () => get(largestFile())),
  'a small file, 20 connections': ({ flood }) => flood(20, () => get('/favicon.svg')),
  'files that do not exist, 20 connections': ({ flood }) => flood(20, () => get(`/${random()}.png`)),
  'a small file, 400 connections': ({ flood }) => flood(400, () => get('/favicon.svg')),
  '`/env.json`, 20 connections': ({ flood }) => flood(20, () => get('/env.json')),
  'the cached home page, 8 requests pipelined on one connection': ({ pipeline }) => pipeline(8, () => get('/')),
  'searches, 8 requests pipelined on one connection': ({ pipeline }) => pipeline(8, () => get(`/shop?q=${random()}`)),
  'searches, 1,000 requests pipelined on one connection': ({ pipeline }) =>
    pipeline(1_000, () => get(`/shop?q=${random()}`)),
} satisfies Record<string, Attack>;

const sockets = {
  'bodies of one byte a second, 400 connections': ({ openSockets, head }, { token }) =>
    openSockets(400, (socket) => {
      const headers = { ...json, authorization: `Bearer ${token}`, 'content-length': '1000' };
      socket.write(`${head({ method: 'POST', path: '/functions/v1/getShippingPrice', headers })}{`);
      const drip = setInterval(() => socket.write(' '), 1_000);
      socket.on('close', () => clearInterval(drip));
    }),
  '2,000 silent connections, opened again when closed': ({ openSockets }) => openSockets(2_000, () => {}),
  '400 websockets, closed and opened again': ({ openSockets, head }, { apikey }) =>
    openSockets(400, (socket) => {
      socket.write(head(handshake(apikey)));
      setTimeout(() => socket.destroy(), 200 + Math.random() * 800);
    }),
  '200 websockets with 50 frames a second each': ({ openSockets, head }, { apikey }) =>
    openSockets(200, (socket) => {
      socket.write(head(handshake(apikey)));
      let isOpen = false;
      socket.once('data', () => {
        isOpen = true;
      });
      const beat = setInterval(() => isOpen && socket.write(heartbeat), 20);
      socket.on('close', () => clearInterval(beat));
    }),
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof requests | keyof typeof sockets;
export const attacks: Record<AttackName, Attack> = { ...requests, ...sockets };
export const attackNames = Object.keys(attacks) as AttackName[];
/** Whether the attack consists of connections rather than requests. */
export const isOfSockets = (name: AttackName): boolean => name in sockets;

function largestFile(): string {
  const folder = join(import.meta.dirname, '../../build/client/assets');
  const names = readdirSync(folder);
  const size = (name: string) => statSync(join(folder, name)).size;
  return `/assets/${names.reduce((a, b) => (size(b) > size(a) ? b : a))}`;
}
