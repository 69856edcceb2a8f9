import type { Caller } from '../backends/auth/verify-token.ts';
import type { Log } from '../host/log.ts';
import { type Change, codeOf, type PublishedTable } from './change-feed.ts';
import { changeMessage } from './frames.ts';
import { keyOf, type Row, type RowReader, type Rows } from './row-reader.ts';
import { type Channel, canRead, concerns, findTable } from './subscriptions.ts';

export type Delivery = {
  channels: ReadonlySet<Channel>;
  /** The channel gets changes that are pushed from now on. */
  add(channel: Channel): void;
  remove(channel: Channel): void;
  push(change: Change): void;
  /** Drops queued changes and resolves when no read is running. */
  stop(): Promise<void>;
};

type RowChange = { n: number; change: Change; table: PublishedTable; key: string[] };
/** The rows of a table that one identity may read, and the channels it listens on. */
type Audience = { caller: Caller; channels: Channel[]; rows: Rows };
type Audiences = Map<string, Audience>;

const maxBatchSize = 500;
/** Above this the oldest changes are dropped: reading is slower than the shop writes, and memory is limited. */
const maxQueuedRows = 20_000;

/**
 * Sends changes to the channels that may see them. Runs one batch at a time, so that every channel gets changes in the order
 * of their commits; changes that arrive during a batch form the next one, so reading gets cheaper per change under load.
 */
export function createDelivery(parts: {
  tables: readonly PublishedTable[];
  reader: RowReader;
  now(): number;
  log: Log;
}): Delivery {
  const channels = new Set<Channel>();
  const joinedAfter = new WeakMap<Channel, number>();
  let lastPushed = 0;
  let waiting: RowChange[] = [];
  let running: Promise<void> | null = null;
  let stopped = false;

  async function run(): Promise<void> {
    // The feed pushes one change at a time: wait until all of a poll are queued.
    await null;
    while (waiting.length > 0 && !stopped) {
      const batch = waiting.splice(0, maxBatchSize);
      try {
        await deliver(batch);
      } catch (error) {
        parts.log({ level: 'error', event: 'realtime.delivery_failed', code: codeOf(error) });
      }
    }
    running = null;
  }

  async function deliver(batch: RowChange[]): Promise<void> {
    const byTable = new Map<PublishedTable, RowChange[]>();
    for (const row of batch) {
      const rows = byTable.get(row.table);
      if (rows) rows.push(row);
      else byTable.set(row.table, [row]);
    }
    const audiences = new Map<PublishedTable, Audiences>();
    for (const [table, rows] of byTable) audiences.set(table, await readFor(table, rows));

    for (const { n, change, table, key } of batch) {
      for (const [identity, audience] of audiences.get(table) ?? []) {
        const row = audience.rows.get(keyOf(key));
        if (!row) continue;
        for (const channel of audience.channels) {
          // Since the read the channel may have left, expired or changed its user.
          if (n <= (joinedAfter.get(channel) ?? 0)) continue;
          if (!channels.has(channel) || channel.reader?.identity !== identity || !canRead(channel, parts.now()))
            continue;
          send(channel, change, table, row);
        }
      }
    }
  }

  async function readFor(table: PublishedTable, changes: RowChange[]): Promise<Audiences> {
    const types = new Set(changes.map(({ change }) => change.type));
    const audiences: Audiences = new Map();
    let filtered = false;
    for (const channel of channels) {
      const relevant = channel.subscriptions.filter((s) => [...types].some((type) => concerns(s, table, type)));
      if (!channel.reader || relevant.length === 0 || !canRead(channel, parts.now())) continue;
      filtered ||= relevant.some((subscription) => subscription.filter);
      const { identity, caller } = channel.reader;
      const audience = audiences.get(identity);
      if (audience) audience.channels.push(channel);
      else audiences.set(identity, { caller, channels: [channel], rows: new Map() });
    }

    // Most customers watch only their own orders: one read as the owner shows whose filters can match,
    // instead of one read per customer and change. Rows to send are still read with the customer's own rights.
    const known = filtered && audiences.size > 1 ? await parts.reader.readAsOwner(table, keysOf(changes)) : null;
    const reads: { audience: Audience; keys: string[][] }[] = [];
    for (const audience of audiences.values()) {
      const wanted = changes.filter(({ change, key }) => {
        const row = known?.get(keyOf(key));
        if (known && !row) return false;
        return audience.channels.some((channel) => matching(channel, change, table, row).length > 0);
      });
      if (wanted.length > 0) reads.push({ audience, keys: keysOf(wanted) });
    }
    const results = await parts.reader.readAs(
      table,
      reads.map(({ audience: { caller }, keys }) => ({ caller, keys })),
    );

    // Readers share equal rows: each is in memory once.
    const shared = new Map<string, Row>();
    for (const [i, { audience }] of reads.entries()) {
      for (const [key, row] of results[i] ?? []) {
        const same = shared.get(row.json) ?? row;
        shared.set(row.json, same);
        audience.rows.set(key, same);
      }
    }
    return audiences;
  }

  return {
    channels,
    add(channel) {
      joinedAfter.set(channel, lastPushed);
      channels.add(channel);
    },
    remove(channel) {
      channels.delete(channel);
    },
    push(change) {
      const table = findTable(parts.tables, change.schema, change.table);
      if (!table || stopped || channels.size === 0) return;
      for (const key of change.keys) {
        if (key.length === table.key.length) waiting.push({ n: ++lastPushed, change, table, key });
      }
      if (waiting.length > maxQueuedRows) {
        parts.log({ level: 'warn', event: 'realtime.changes_dropped', rows: waiting.length - maxQueuedRows });
        waiting = waiting.slice(-maxQueuedRows);
      }
      running ??= run();
    },
    async stop() {
      stopped = true;
      waiting = [];
      await running;
    },
  };
}

/** The subscriptions that match; without a row, all that could. */
function matching(channel: Channel, change: Change, table: PublishedTable, row: Row | undefined) {
  return channel.subscriptions.filter(
    (subscription) =>
      concerns(subscription, table, change.type) && (!row || !subscription.filter || subscription.filter(row.record)),
  );
}

function send(channel: Channel, change: Change, table: PublishedTable, row: Row): void {
  const matches = matching(channel, change, table, row);
  const whole = matches.filter(({ columns }) => !columns).map(({ id }) => id);
  if (whole.length > 0) channel.send(changeMessage(channel, whole, change, row.json));
  for (const { id, columns } of matches) {
    if (columns) channel.send(changeMessage(channel, [id], change, pickColumns(row, columns)));
  }
}

function pickColumns(row: Row, columns: string[]): string {
  return JSON.stringify(Object.fromEntries(columns.map((name) => [name, row.record[name]])));
}

function keysOf(changes: RowChange[]): string[][] {
  return [...new Map(changes.map(({ key }) => [keyOf(key), key])).values()];
}
