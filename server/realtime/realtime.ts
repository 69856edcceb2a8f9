import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { WebSocketServer } from 'ws';
import type { Caller } from '../backends/auth/verify-token.ts';
import { limitRate } from '../host/admission/rate-limit.ts';
import { addressGroup } from '../host/client-address.ts';
import type { Log } from '../host/log.ts';
import { createPool } from '../postgres/pool.ts';
import { anonymous, hasExpired } from './caller.ts';
import { followChanges, installChangeFeed, readPublishedTables } from './change-feed.ts';
import { createDelivery } from './delivery.ts';
import { systemMessage } from './frames.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createRowReader } from './row-reader.ts';
import { openSession, type Session } from './session.ts';
import { checkUpgrade, refused, refuseUpgrade, type UpgradeCheck } from './upgrade.ts';

/** Twice as long as the setup waits for a lock. */
const TRANSACTION_TIMEOUT_MS = 20_000;

export type { Caller } from '../backends/auth/verify-token.ts';

export type RealtimeOptions = {
  /** Connects to the database as its owner. One connection listens, `connections` read rows (2 by default). */
  connection: postgres.Options<Record<never, never>>;
  connections?: number;
  /** Checks the public key of a new connection. */
  isApiKey(key: string): boolean;
  /** Verifies a user's access token. */
  verifyToken(token: string): Promise<Caller | null>;
  /** Exact origins of pages that may connect. */
  allowedOrigins(): string[];
  log: Log;
  /** Milliseconds since 1970; decides when tokens expire. */
  now?(): number;
  /** The client's address, for the limit per address; the host knows whether to trust a proxy's headers. */
  addressOf?(request: IncomingMessage): string;
  limits?: Partial<Limits>;
};

export type Realtime = {
  /** The host calls it for /realtime/v1/websocket. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
};

/** Serves `postgres_changes` over the websocket protocol of supabase-js; broadcast and presence are not supported. */
export async function startRealtime(options: RealtimeOptions): Promise<Realtime> {
  const limits = { ...defaultLimits, ...options.limits };
  const now = () => options.now?.() ?? Date.now();
  const log: Log = (event) => {
    try {
      options.log(event);
    } catch {
      // A failing log must not stop the feed.
    }
  };

  const connection: RealtimeOptions['connection'] = {
    ...options.connection,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: 'realtime', ...options.connection.connection, TimeZone: 'UTC' },
  };
  const sql = createPool({ ...connection, max: options.connections ?? 2 }, TRANSACTION_TIMEOUT_MS);
  const sessions = new Set<Session>();
  const socketsByAddress = new Map<string, number>();
  const isFrameAllowed = limitRate({
    burst: limits.framesAtOncePerAddress,
    perSecond: limits.framesPerSecondPerAddress,
  });
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    clientTracking: true,
  });
  server.on('wsClientError', (_error, socket) =>
    refuseUpgrade(socket, refused(400, 'bad-handshake', 'this is not the handshake of a websocket')),
  );
  let closing: Promise<void> | null = null;
  let hasListened = false;

  async function connect() {
    await installChangeFeed(sql);
    const tables = await readPublishedTables(sql);
    const delivery = createDelivery({ tables, reader: createRowReader(sql, log), now, log });
    const onListening = () => {
      log({
        level: hasListened ? 'warn' : 'info',
        event: 'realtime.listening',
        again: hasListened,
        tables: tables.length,
      });
      if (hasListened) {
        for (const channel of delivery.channels) {
          channel.send(systemMessage(channel, 'error', 'changes may have been missed'));
        }
      }
      hasListened = true;
    };
    const feed = await followChanges(sql, {
      open: () => postgres({ ...connection, max: 1 }),
      onChange: delivery.push,
      onListening,
      log,
    });
    return { tables, delivery, feed };
  }

  const { tables, delivery, feed } = await connect().catch(async (error: unknown) => {
    await sql.end({ timeout: 1 });
    throw error;
  });

  async function authorize(token: string | null | undefined): Promise<Caller | null> {
    // supabase-js sends the public key as token when there is no session.
    if (!token || options.isApiKey(token)) return anonymous;
    try {
      const caller = await options.verifyToken(token);
      return caller && !hasExpired(caller, now()) ? caller : null;
    } catch {
      return null;
    }
  }

  const silenceCheck = setInterval(() => {
    for (const session of sessions) if (session.isSilent(performance.now())) session.close(1001, 'silent');
  }, limits.silenceCheckMs);
  silenceCheck.unref();

  function check(request: IncomingMessage, address: string): UpgradeCheck {
    const known = checkUpgrade(request, options);
    if (!known.ok) return known;
    if (closing) return refused(503, 'stopping', 'the server stops');
    if (server.clients.size >= limits.sockets) {
      log({ level: 'warn', event: 'realtime.full', sockets: server.clients.size });
      return refused(503, 'full', 'no more connections are taken now');
    }
    if ((socketsByAddress.get(address) ?? 0) >= limits.socketsPerAddress) {
      return refused(429, 'too-many-connections', 'too many connections from this address');
    }
    return known;
  }

  function accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = addressGroup(options.addressOf?.(request) ?? request.socket.remoteAddress ?? 'unknown');
    const checked = check(request, address);
    if (!checked.ok) {
      refuseUpgrade(socket, checked);
      return;
    }
    server.handleUpgrade(request, socket, head, (client) => {
      const session = openSession(client, {
        tables,
        delivery,
        caughtUp: feed.caughtUp,
        authorize,
        isFrameAllowed: () => isFrameAllowed(address),
        limits,
        log,
      });
      sessions.add(session);
      socketsByAddress.set(address, (socketsByAddress.get(address) ?? 0) + 1);
      client.once('close', () => {
        sessions.delete(session);
        const left = (socketsByAddress.get(address) ?? 1) - 1;
        if (left > 0) socketsByAddress.set(address, left);
        else socketsByAddress.delete(address);
      });
    });
  }

  async function shutDown(): Promise<void> {
    clearInterval(silenceCheck);
    for (const session of sessions) session.close(1001, 'the server stops');
    // Clients that do not complete the closing handshake within a second are disconnected.
    const terminateAll = setTimeout(() => {
      for (const client of server.clients) client.terminate();
    }, 1_000);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearTimeout(terminateAll);
    await feed.stop();
    await delivery.stop();
    await sql.end({ timeout: 2 });
  }

  return {
    handleUpgrade(request, socket, head) {
      try {
        accept(request, socket, head);
      } catch {
        log({ level: 'error', event: 'realtime.upgrade_failed' });
        refuseUpgrade(socket, refused(500, 'internal', 'something went wrong'));
      }
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}
