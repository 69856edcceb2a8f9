import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from '../client-address.ts';
import { limitRate } from './rate-limit.ts';

export type ConnectionLimits = {
  /** Open at once, of one address. */
  open: number;
  newPerSecond: number;
  /** Connections beyond that wait, unread, of one address and of all; even more are closed at once. */
  waiting: number;
  waitingInAll: number;
  waitMs: number;
};

/** Browsers open six at most, and idle ones are closed after five seconds: enough for a hundred shoppers behind one address. */
const usual: ConnectionLimits = { open: 512, newPerSecond: 100, waiting: 2_048, waitingInAll: 4_096, waitMs: 3_000 };
const CHECK_MS = 100;

type Client = { open: number /** With the time since when, oldest first. */; waiting: Map<Socket, number> };

/**
 * Lets an address have so many connections, and so many new ones a second. Further ones wait for their turn without being
 * read. Closed at once they would come back at once: the server accepts one connection at a time, in the order they come, so
 * those of everybody else would wait behind them. Behind a proxy the proxy's own limit applies.
 */
export function limitConnections(server: Server, factor: number, limits: ConnectionLimits = usual): void {
  const most = limits.open * factor;
  const isAllowed = limitRate({ burst: most, perSecond: limits.newPerSecond * factor });
  const clients = new Map<string, Client>();
  let waitingInAll = 0;
  let timer: NodeJS.Timeout | null = null;

  function admitWaiting(address: string, client: Client): void {
    for (const socket of client.waiting.keys()) {
      if (client.open >= most || !isAllowed(address)) return;
      stopWaiting(client, socket);
      client.open += 1;
      socket.resume();
    }
  }

  function stopWaiting(client: Client, socket: Socket): boolean {
    const wasWaiting = client.waiting.delete(socket);
    if (wasWaiting) waitingInAll -= 1;
    if (waitingInAll === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
    return wasWaiting;
  }

  function check(): void {
    const waitingSince = performance.now() - limits.waitMs;
    for (const [address, client] of clients) {
      admitWaiting(address, client);
      for (const [socket, since] of client.waiting) {
        if (since > waitingSince) break;
        stopWaiting(client, socket);
        client.open += 1; // until it is closed, in a moment
        socket.destroy();
      }
    }
  }

  function wait(client: Client, socket: Socket): void {
    client.waiting.set(socket, performance.now());
    waitingInAll += 1;
    // The HTTP server has asked to read from the next tick on; this comes after it, and before any byte is read.
    process.nextTick(() => client.waiting.has(socket) && socket.pause());
    timer ??= setInterval(check, CHECK_MS).unref();
  }

  // Behind the HTTP server's own listener: see wait().
  server.on('connection', (socket) => {
    const address = addressGroup(socket.remoteAddress ?? '');
    const client = clients.get(address) ?? { open: 0, waiting: new Map() };
    clients.set(address, client);
    const mustWait = client.waiting.size > 0 || client.open >= most || !isAllowed(address);
    const isFull = client.waiting.size >= limits.waiting * factor || waitingInAll >= limits.waitingInAll;
    if (mustWait && !isFull) wait(client, socket);
    else client.open += 1;
    if (mustWait && isFull) socket.destroy();
    socket.once('close', () => {
      if (!stopWaiting(client, socket)) client.open -= 1;
      admitWaiting(address, client);
      if (client.open === 0 && client.waiting.size === 0) clients.delete(address);
    });
  });
}
