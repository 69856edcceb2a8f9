// The tools of an attack: floods of requests, pipelined requests and sockets, all from one loopback address. They count
// responses and bytes.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** No other client of the bench has this address. */
const localAddress = '127.0.0.66';

export type AttackReport = {
  requests: number;
  statuses: Record<string, number>;
  bytes: number;
  cpuMs: number;
};

export type Target = {
  port: number;
  /** Sent with every request. */
  apikey: string;
  milliseconds: number;
  /** At most so many requests or connections; without it as many as the server lets through. */
  perSecond?: number | undefined;
};

export type HostileRequest = { method?: string; path: string; headers?: Record<string, string>; body?: string };

export type LoadGenerator = ReturnType<typeof createLoadGenerator>;

export function createLoadGenerator({ port, apikey, milliseconds, perSecond }: Target) {
  const place = { host: '127.0.0.1', port, localAddress };
  const started = performance.now();
  const end = started + milliseconds;
  const report: AttackReport = { requests: 0, statuses: {}, bytes: 0, cpuMs: 0 };
  const isOver = () => performance.now() >= end;
  let begun = 0;

  /** Waits until the rate allows the next request. False: time is up. */
  async function isNextAllowed(): Promise<boolean> {
    begun += 1;
    if (perSecond) await sleep(Math.max(0, started + (begun / perSecond) * 1000 - performance.now()));
    return !isOver();
  }

  function count(outcome: string | number): void {
    report.requests += 1;
    report.statuses[outcome] = (report.statuses[outcome] ?? 0) + 1;
  }

  const head = ({ method = 'GET', path, headers = {}, body = '' }: HostileRequest): string => {
    const all = { host: 'shop', apikey, ...headers, ...(body ? { 'content-length': String(body.length) } : {}) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  };

  /** Closed loop over this many connections. */
  async function flood(connections: number, next: () => HostileRequest, leaveAfterMs?: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const one = ({ method = 'GET', path, headers, body }: HostileRequest) =>
      new Promise<void>((resolve) => {
        const sent = request({ ...place, agent, method, path, headers: { apikey, ...headers } }, (response) => {
          count(response.statusCode ?? 0);
          response.on('data', (piece: Buffer) => {
            report.bytes += piece.length;
          });
          response.on('end', resolve).on('error', () => resolve());
        });
        sent.on('error', () => {
          count(leaveAfterMs === undefined ? 'cut off' : 'left');
          resolve();
        });
        if (leaveAfterMs !== undefined) setTimeout(() => sent.destroy(), leaveAfterMs);
        sent.end(body);
      });
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (await isNextAllowed()) await one(next());
      }),
    );
    agent.destroy();
  }

  /** Keeps this many sockets open, reopening closed ones. */
  async function openSockets(connections: number, onOpen: (socket: Socket) => void): Promise<void> {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (await isNextAllowed()) {
          await new Promise<void>((closed) => {
            const socket = connect(place, () => {
              count('opened');
              onOpen(socket);
            });
            socket.on('data', (piece: Buffer) => {
              report.bytes += piece.length;
            });
            socket.on('error', () => {});
            const timer = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
            socket.on('close', () => {
              clearTimeout(timer);
              closed();
            });
          });
          await sleep(20);
        }
      }),
    );
  }

  /** Pipelines this many requests on one connection, and again after their responses or a close. */
  async function pipeline(atOnce: number, next: () => HostileRequest): Promise<void> {
    while (!isOver()) {
      await new Promise<void>((closed) => {
        const socket = connect(place);
        let owed = 0;
        const sendMore = async () => {
          owed = atOnce;
          for (let n = 0; n < atOnce; n += 1) if (!(await isNextAllowed())) break;
          if (isOver()) socket.destroy();
          else if (socket.writable) socket.write(Array.from({ length: atOnce }, () => head(next())).join(''));
        };
        socket.on('connect', sendMore);
        socket.on('data', (piece: Buffer) => {
          report.bytes += piece.length;
          for (const [, status = ''] of piece.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
            count(status);
            owed -= 1;
          }
          if (owed <= 0) void sendMore();
        });
        socket.on('error', () => {});
        const timer = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
        socket.on('close', () => {
          clearTimeout(timer);
          if (owed > 0 && !isOver()) count('closed');
          closed();
        });
      });
    }
  }

  return { flood, openSockets, pipeline, head, report };
}
