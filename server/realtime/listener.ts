import type postgres from 'postgres';
import type { Log } from '../host/log.ts';

const pingEveryMs = 2_000;
const deafAfterMs = 5_000;

export type Listener = { close(): Promise<void> };

/**
 * Listens on a channel for good. postgres.js reconnects by itself, but a connection that is lost again while it
 * reconnects may come back without its LISTEN, and a dead network says nothing at all. So we call ourselves from time
 * to time, and start afresh when we do not hear it.
 */
export async function startListener(parts: {
  channel: string;
  /** Makes a client of its own, which is ended when it has become deaf. */
  open(): postgres.Sql;
  /** On any other connection. */
  ping(): Promise<unknown>;
  /** With the message; empty when we called ourselves. */
  onNotify(message: string): unknown;
  /** At the start and after every lost connection. */
  onListening(): void;
  log: Log;
}): Promise<Listener> {
  let client = parts.open();
  // A monotonic clock.
  let heardAt = 0;
  let restarting: Promise<void> | null = null;
  let closed = false;

  async function listen(): Promise<void> {
    const current = client;
    heardAt = performance.now();
    await current.listen(
      parts.channel,
      (message) => {
        heardAt = performance.now();
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
      // Tried again when the silence has lasted as long once more.
    }
    restarting = null;
  }

  async function check(): Promise<void> {
    if (performance.now() - heardAt > deafAfterMs) restarting ??= restart();
    // Without a database there is no ping either, and that is logged elsewhere.
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
