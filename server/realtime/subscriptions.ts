import type { Caller } from '../backends/auth/verify-token.ts';
import { hasExpired } from './caller.ts';
import type { Change, PublishedTable } from './change-feed.ts';
import { type Filter, parseFilter } from './filters.ts';
import type { ChangesRequest } from './frames.ts';

/** One entry of a channel's postgres_changes. */
export type Subscription = {
  id: number;
  event: ChangesRequest['event'];
  /** null: every published table. */
  table: PublishedTable | null;
  filter: Filter | null;
  /** The columns to send; null: all. */
  columns: string[] | null;
};

/** A topic that a socket joined. */
export type Channel = {
  topic: string;
  joinRef: string | null;
  /** Whose rights rows are read with, and `identityOf` it; null after a rejected token: then nothing is sent. */
  reader: { caller: Caller; identity: string } | null;
  subscriptions: Subscription[];
  send(frame: string): void;
};

export type SubscriptionResult = { ok: true; subscription: Subscription } | { ok: false; reason: string };

let lastId = 0;

export function subscribe(request: ChangesRequest, tables: readonly PublishedTable[]): SubscriptionResult {
  if (request.schema !== 'public') return { ok: false, reason: 'only schema public can be watched' };
  const everyTable = !request.table || request.table === '*';
  const table = everyTable ? null : findTable(tables, request.schema, request.table ?? '');
  if (!everyTable && !table) return { ok: false, reason: `table ${request.table} is not published for realtime` };
  if (!table && (request.filter || request.select)) {
    return { ok: false, reason: 'a filter or a selection of columns needs a table' };
  }
  const columns = request.select ?? null;
  const unknown = columns?.find((name) => !table?.columns.some((column) => column.name === name));
  if (unknown !== undefined) return { ok: false, reason: `the table has no column ${unknown}` };

  let filter: Filter | null = null;
  if (table && request.filter) {
    const parsed = parseFilter(request.filter, table);
    if (!parsed.ok) return parsed;
    filter = parsed.filter;
  }
  lastId += 1;
  return { ok: true, subscription: { id: lastId, event: request.event, table, filter, columns } };
}

export function findTable(tables: readonly PublishedTable[], schema: string, name: string): PublishedTable | null {
  return tables.find((table) => table.schema === schema && table.name === name) ?? null;
}

/** Whether a change may concern the subscription; its filter is applied once the row is read. */
export function concerns(subscription: Subscription, table: PublishedTable, type: Change['type']): boolean {
  return (
    (subscription.event === '*' || subscription.event === type) &&
    (subscription.table === table || (subscription.table === null && table.schema === 'public'))
  );
}

export function canRead(channel: Channel, nowMs: number): boolean {
  return channel.reader !== null && !hasExpired(channel.reader.caller, nowMs);
}
