import type postgres from 'postgres';
import type { Log } from '../host/log.ts';

const pingEveryMs = 2_000;
const maxSilenceMs = 5_000;

export type Listener = { close(): Promise<void> };

/**
 * Keeps a LISTEN alive. postgres.js reconnects automatically, but a connection that is lost again while it
 * reconnects may come back without its LISTEN, and a dead network reports nothing. So we notify ourselves regularly
 * and open a new connection when no notification arrives.
 */
export async function startListener(parts: {
  channel: string;
  /** Opens a client for this listener alone, which is closed when it receives nothing any more. */
  open(): postgres.Sql;
  /** Notifies the channel, on another connection. */
  ping(): Promise<unknown>;
  /** Gets the message; empty for our own pings. */
  onNotify(message: string): unknown;
  /** At the start and after every lost connection. */
  onListening(): void;
  log: Log;
}): Promise<Listener> {
  let client = parts.open();
  // A monotonic clock.
  let notifiedAt = 0;
  let restarting: Promise<void> | null = null;
  let closed = false;

  async function listen(): Promise<void> {
    const current = client;
    notifiedAt = performance.now();
    await current.listen(
      parts.channel,
      (message) => {
        notifiedAt = performance.now();
        parts.onNotify(message);
      },
      () => {
        if (!closed && current === client) parts.onListening();
      },
    );
  }

  async function restart(): Promise<void> {
    parts.log({ level: 'warn', event: 'realtime.listener_restarted' });
    await end(client);
    client = parts.open();
    try {
      if (!closed) await listen();
    } catch {
      // Retried after the same time without a notification.
    }
    restarting = null;
  }

  async function check(): Promise<void> {
    if (performance.now() - notifiedAt > maxSilenceMs) restarting ??= restart();
    // A database that is away is logged elsewhere.
    await parts.ping().catch(() => {});
  }

  try {
    await listen();
  } catch (error) {
    await end(client);
    throw error;
  }
  const timer = setInterval(check, pingEveryMs);
  timer.unref();
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await end(client);
      await restarting;
      await end(client);
    },
  };
}

async function end(client: postgres.Sql): Promise<void> {
  await client.end({ timeout: 0 }).catch(() => {});
}
