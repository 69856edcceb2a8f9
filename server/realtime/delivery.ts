import type { Caller } from '../backends/auth/verify-token.ts';
import type { Log } from '../host/log.ts';
import { type Change, codeOf, type PublishedTable } from './change-feed.ts';
import { changeMessage } from './frames.ts';
import { keyOf, type Row, type RowReader, type Rows } from './row-reader.ts';
import { type Channel, findTable, isAbout, mayRead } from './subscriptions.ts';

export type Delivery = {
  channels: ReadonlySet<Channel>;
  /** From now on: what was pushed before is not for this channel. */
  add(channel: Channel): void;
  remove(channel: Channel): void;
  push(change: Change): void;
  /** Drops what is waiting and resolves when nothing is being read any more. */
  stop(): Promise<void>;
};

type RowChange = { n: number; change: Change; table: PublishedTable; key: string[] };
/** What one identity may see of one table, and through which channels. */
type Audience = { caller: Caller; channels: Channel[]; rows: Rows };
type Audiences = Map<string, Audience>;

const rowsPerBatch = 500;
/** Beyond this we are slower than the shop writes; old news is given up before memory is. */
const rowsWaiting = 20_000;

/**
 * Takes changes to the channels that may see them. One batch at a time, so every channel hears changes in the order
 * of their commits; what arrives meanwhile makes the next batch, so reading becomes cheaper per change under load.
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
    // What the feed found is pushed one by one: let it all in.
    await null;
    while (waiting.length > 0 && !stopped) {
      const batch = waiting.splice(0, rowsPerBatch);
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
          // Between reading and now the session may have left, expired or changed its user.
          if (n <= (joinedAfter.get(channel) ?? 0)) continue;
          if (!channels.has(channel) || channel.reader?.identity !== identity || !mayRead(channel, parts.now()))
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
      const concerned = channel.subscriptions.filter((s) => [...types].some((type) => isAbout(s, table, type)));
      if (!channel.reader || concerned.length === 0 || !mayRead(channel, parts.now())) continue;
      filtered ||= concerned.some((subscription) => subscription.filter);
      const { identity, caller } = channel.reader;
      const audience = audiences.get(identity);
      if (audience) audience.channels.push(channel);
      else audiences.set(identity, { caller, channels: [channel], rows: new Map() });
    }

    // A shop full of customers who each watch their own orders: one look at the rows tells whose filters can match,
    // instead of one read per customer and change. What is sent is still read with the customer's own rights.
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
    const answers = await parts.reader.readAs(
      table,
      reads.map(({ audience: { caller }, keys }) => ({ caller, keys })),
    );

    // Most readers see the same row: it is in memory once.
    const shared = new Map<string, Row>();
    for (const [i, { audience }] of reads.entries()) {
      for (const [key, row] of answers[i] ?? []) {
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
      if (waiting.length > rowsWaiting) {
        parts.log({ level: 'warn', event: 'realtime.changes_dropped', rows: waiting.length - rowsWaiting });
        waiting = waiting.slice(-rowsWaiting);
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

/** Without a row: what could match, whatever the row holds. */
function matching(channel: Channel, change: Change, table: PublishedTable, row: Row | undefined) {
  return channel.subscriptions.filter(
    (subscription) =>
      isAbout(subscription, table, change.type) && (!row || !subscription.filter || subscription.filter(row.record)),
  );
}

function send(channel: Channel, change: Change, table: PublishedTable, row: Row): void {
  const matches = matching(channel, change, table, row);
  const whole = matches.filter(({ columns }) => !columns).map(({ id }) => id);
  if (whole.length > 0) channel.send(changeMessage(channel, whole, change, row.json));
  for (const { id, columns } of matches) {
    if (columns) channel.send(changeMessage(channel, [id], change, narrowed(row, columns)));
  }
}

function narrowed(row: Row, columns: string[]): string {
  return JSON.stringify(Object.fromEntries(columns.map((name) => [name, row.record[name]])));
}

function keysOf(changes: RowChange[]): string[][] {
  return [...new Map(changes.map(({ key }) => [keyOf(key), key])).values()];
}
