// One client address that does its worst, in a process of its own: its time on the processor is told apart from the shop's.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type AttackOrder = { attack: AttackName; url: string; key: string; token: string; milliseconds: number };
export type AttackReport = { requests: number; statuses: Record<string, number>; cpuMs: number };
export type AttackName = keyof typeof attacks;

/** Not the address of anybody else in the bench. */
const localAddress = '127.0.0.66';
const json = { 'content-type': 'application/json' };
const deepSelect = 'select=*,comments(*,Products(*,comments(*)))';
const numbers = JSON.stringify(Array.from({ length: 70_000 }, (_, n) => n));
const wrong = JSON.stringify({ query: Array.from({ length: 24_000 }, (_, n) => `word${n}`) }).slice(0, 255_000);
const random = () => randomBytes(6).toString('hex');
const challenge = 'a'.repeat(43);
const price = JSON.stringify({ orders: [{ productId: 1, quantity: 1, size: 500 }], delivery: { pincode: '400001' } });

type Ask = { method?: string; path: string; headers?: Record<string, string>; body?: string };

let order: AttackOrder;
const report: AttackReport = { requests: 0, statuses: {}, cpuMs: 0 };
const isOver = () => performance.now() >= end;
let end = 0;

function note(outcome: string | number): void {
  report.requests += 1;
  report.statuses[outcome] = (report.statuses[outcome] ?? 0) + 1;
}

/** So many connections, each asking again as soon as it is answered. */
async function flood(connections: number, ask: () => Ask, leaveAfterMs?: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress } as never);
  const one = ({ method = 'GET', path, headers, body }: Ask) =>
    new Promise<void>((resolve) => {
      const sent = request(
        order.url + path,
        { agent, method, headers: { apikey: order.key, ...headers } },
        (answer) => {
          note(answer.statusCode ?? 0);
          answer
            .on('end', resolve)
            .on('error', () => resolve())
            .resume();
        },
      );
      sent.on('error', () => {
        note(leaveAfterMs === undefined ? 'cut off' : 'left');
        resolve();
      });
      if (leaveAfterMs !== undefined) setTimeout(() => sent.destroy(), leaveAfterMs);
      sent.end(body);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (!isOver()) await one(ask());
    }),
  );
  agent.destroy();
}

/** So many sockets at once; each that is closed is opened again. */
async function sockets(count: number, opened: (socket: Socket) => void): Promise<void> {
  const { hostname, port } = new URL(order.url);
  const all = new Set<Socket>();
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (!isOver()) {
        const socket = connect({ port: Number(port), host: hostname.replace('localhost', '127.0.0.1'), localAddress });
        all.add(socket);
        await new Promise<void>((closed) => {
          socket.on('connect', () => {
            note('opened');
            opened(socket);
          });
          socket.on('error', () => {});
          socket.on('close', () => closed());
          socket.resume();
          setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
        });
        all.delete(socket);
        await sleep(20);
      }
    }),
  );
}

const attacks = {
  'three-deep embedding, 20 connections': () => flood(20, () => ({ path: `/rest/v1/Products?${deepSelect}` })),
  'random searches (/shop?q=), 20 connections': () => flood(20, () => ({ path: `/shop?q=${random()}` })),
  'files that do not exist, 20 connections': () => flood(20, () => ({ path: `/${random()}.png` })),
  '255 KB of JSON that ends as a 400, 20 connections': () =>
    flood(20, () => ({ method: 'POST', path: '/rest/v1/rpc/search_products', headers: json, body: wrong })),
  'arrays of 70,000 numbers, 16 connections': () =>
    flood(16, () => ({ method: 'POST', path: '/rest/v1/rpc/search_products', headers: json, body: numbers })),
  'sign-in, 20 connections': () =>
    flood(20, () => ({
      path: `/auth/v1/authorize?provider=github&code_challenge=${challenge}&code_challenge_method=s256`,
    })),
  'refresh tokens that are none, 20 connections': () =>
    flood(20, () => ({
      method: 'POST',
      path: '/auth/v1/token?grant_type=refresh_token',
      headers: json,
      body: JSON.stringify({ refresh_token: random() }),
    })),
  'getShippingPrice by one customer, 20 connections': () =>
    flood(20, () => ({
      method: 'POST',
      path: '/functions/v1/getShippingPrice',
      headers: { ...json, authorization: `Bearer ${order.token}` },
      body: price,
    })),
  'the cached home page, 20 connections': () => flood(20, () => ({ path: '/' })),
  'searches abandoned after 5 ms, 50 at once': () => flood(50, () => ({ path: `/shop?q=${random()}` }), 5),
  'bodies of one byte a second, 400 connections': () =>
    sockets(400, (socket) => {
      socket.write(
        `POST /functions/v1/getShippingPrice HTTP/1.1\r\nhost: shop\r\nauthorization: Bearer ${order.token}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      );
      const drip = setInterval(() => socket.write(' '), 1_000);
      socket.on('close', () => clearInterval(drip));
    }),
  '2,000 connections that say nothing': () => sockets(2_000, () => {}),
  'websockets, 400 at once, closed and opened again': () =>
    sockets(400, (socket) => {
      socket.write(
        `GET /realtime/v1/websocket?apikey=${order.key}&vsn=2.0.0 HTTP/1.1\r\nhost: shop\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      );
      setTimeout(() => socket.destroy(), 200 + Math.random() * 800);
    }),
};

export const attackNames = Object.keys(attacks) as AttackName[];

if (process.send)
  process.once('message', async (message: AttackOrder) => {
    order = message;
    end = performance.now() + order.milliseconds;
    const before = process.cpuUsage();
    await attacks[order.attack]();
    const { user, system } = process.cpuUsage(before);
    process.send?.({ ...report, cpuMs: (user + system) / 1000 } satisfies AttackReport, () => process.exit(0));
  });
