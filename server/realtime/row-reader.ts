import type postgres from 'postgres';
import type { Caller } from '../backends/auth/verify-token.ts';
import type { Log } from '../host/log.ts';
import { quoted } from '../postgres/quoted.ts';
import { codeOf, type PublishedTable } from './change-feed.ts';

/** `json` is the row as PostgREST returns it; `record` the same, parsed. */
export type Row = { json: string; record: Record<string, unknown> };
/** By `keyOf`, without rows that were deleted or that the reader may not see. */
export type Rows = Map<string, Row>;
export type ReadRequest = { caller: Caller; keys: string[][] };
export type RowReader = {
  /** Reads with each caller's own rights; results are in the order of the requests. */
  readAs(table: PublishedTable, requests: ReadRequest[]): Promise<Rows[]>;
  /** Bypasses all policies: only to decide which rows to read for whom, never to send them. */
  readAsOwner(table: PublishedTable, keys: string[][]): Promise<Rows>;
};

export const keyOf = (key: string[]): string => JSON.stringify(key);

const permissionDenied = '42501';
/** Readers that share a transaction, which saves round trips. */
const readersPerTransaction = 25;
const actAs = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('request.jwt.claim.sub', $3, true), set_config('request.jwt.claim.role', $1, true),
  set_config('request.jwt.claim.email', $4, true), set_config('statement_timeout', '5s', true)`;

export function createRowReader(sql: postgres.Sql, log: Log): RowReader {
  const queries = new Map<PublishedTable, string>();

  function queryFor(table: PublishedTable): string {
    let query = queries.get(table);
    if (!query) {
      query = selectByKeys(table);
      queries.set(table, query);
    }
    return query;
  }

  /** Sends all statements of one transaction at once. If one fails, those after it return nothing. */
  async function readInTransaction(table: PublishedTable, requests: ReadRequest[]): Promise<Rows[]> {
    return await sql.begin('read only', (transaction) =>
      Promise.all(
        requests.map(async ({ caller, keys }) => {
          const { email } = caller.claims;
          const sub = caller.userId ?? '';
          const identity = [caller.role, JSON.stringify(caller.claims), sub, typeof email === 'string' ? email : ''];
          const [, found] = await Promise.all([
            transaction.unsafe(actAs, identity, { prepare: true }),
            transaction.unsafe<FoundRow[]>(queryFor(table), [JSON.stringify(keys)], { prepare: true }),
          ]);
          return toRows(found, keys);
        }),
      ),
    );
  }

  async function readChunk(table: PublishedTable, requests: ReadRequest[]): Promise<Rows[]> {
    try {
      return await readInTransaction(table, requests);
    } catch (error) {
      if (requests.length > 1) {
        const single = await Promise.all(requests.map((request) => readChunk(table, [request])));
        return single.flat();
      }
      // A missing grant is no error: visitors have none on orders, for example.
      if (codeOf(error) !== permissionDenied) {
        log({ level: 'error', event: 'realtime.read_failed', table: table.name, code: codeOf(error) });
      }
      return [new Map()];
    }
  }

  return {
    async readAs(table, requests) {
      const chunks: ReadRequest[][] = [];
      for (let i = 0; i < requests.length; i += readersPerTransaction)
        chunks.push(requests.slice(i, i + readersPerTransaction));
      const results = await Promise.all(chunks.map((chunk) => readChunk(table, chunk)));
      return results.flat();
    },

    async readAsOwner(table, keys) {
      const found = await sql.unsafe<FoundRow[]>(queryFor(table), [JSON.stringify(keys)], { prepare: true });
      return toRows(found, keys);
    },
  };
}

type FoundRow = { n: number; json: string };

function toRows(found: readonly FoundRow[], keys: string[][]): Rows {
  const rows: Rows = new Map();
  for (const { n, json } of found) {
    const key = keys[n - 1];
    if (key) rows.set(keyOf(key), { json, record: JSON.parse(json) });
  }
  return rows;
}

/** A query that takes the keys as one JSON parameter and returns each row with the position of its key, from 1. */
function selectByKeys(table: PublishedTable): string {
  const columns = table.columns.map(({ name }) => `t.${quoted(name)}`).join(', ');
  const sameKey = table.key.map(({ name, type }, i) => `t.${quoted(name)} = (k.key ->> ${i})::${type}`).join(' and ');
  // The limit prevents a scan of the whole table when the planner overestimates the number of keys.
  return `select k.n::int as n, r.json
    from json_array_elements($1::text::json) with ordinality as k (key, n)
    cross join lateral (
      select row_to_json(f)::text as json
      from (select ${columns} from ${quoted(table.schema)}.${quoted(table.name)} t where ${sameKey} limit 1) f
    ) r`;
}
