/**
 * A request to the Data API as we understand it. Every name in it is from the catalogue (aliases and keys of JSON paths
 * are plain names), every value has been checked by its type, and write-request.ts rewrites it: nothing of what was
 * sent goes on that is not in here.
 */
export type Operator =
  | 'eq'
  | 'neq'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'like'
  | 'ilike'
  | 'match'
  | 'imatch'
  | 'is'
  | 'isdistinct'
  | 'in'
  | 'cs'
  | 'cd'
  | 'ov'
  | 'sl'
  | 'sr'
  | 'nxl'
  | 'nxr'
  | 'adj'
  | 'fts'
  | 'plfts'
  | 'phfts'
  | 'wfts';

export type PathStep = { key: string; asText: boolean };
export type ColumnRef = { name: string; path: PathStep[] };

export type Value =
  /** Text that is compared as it is, whatever it looks like. */
  | { kind: 'text'; text: string }
  /** A number, a moment, a uuid, true, null, a pattern: written as it stands. */
  | { kind: 'plain'; text: string }
  | { kind: 'list'; brackets: '()' | '{}'; elements: { text: string; isText: boolean }[] };

export type Comparison = {
  kind: 'comparison';
  target: ColumnRef;
  isNegated: boolean;
  operator: Operator;
  /** any, all, or the configuration of a text search. */
  modifier: string | null;
  value: Value;
};
export type Group = { kind: 'group'; joinedBy: 'and' | 'or'; isNegated: boolean; conditions: Condition[] };
export type Condition = Comparison | Group;

export type Ordering = {
  /** Of a table that is embedded. */
  embed: string | null;
  target: ColumnRef;
  direction: 'asc' | 'desc' | null;
  nulls: 'nullsfirst' | 'nullslast' | null;
};

/** Which rows of a table, in which order. */
export type Rows = { where: Condition[]; order: Ordering[]; limit: number | null; offset: number | null };

export type Selected =
  | { kind: 'all' }
  | { kind: 'column'; alias: string | null; target: ColumnRef; cast: string | null }
  | { kind: 'count'; alias: string | null }
  | Embed;
export type Embed = {
  kind: 'embed';
  alias: string | null;
  /** A related table, or the foreign key that leads to it. */
  name: string;
  hint: string | null;
  isInner: boolean;
  isSpread: boolean;
  select: Selected[];
  rows: Rows;
};

/** `select` null: everything, as without the parameter. */
export type Query = { select: Selected[] | null; rows: Rows };

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** One row of a body, or the arguments of a function; without a prototype. */
export type Fields = { [name: string]: Json };

export type Preferences = {
  count: 'exact' | 'planned' | 'estimated' | null;
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  return: 'minimal' | 'headers-only' | 'representation' | null;
  missing: 'default' | 'null' | null;
  handling: 'strict' | 'lenient' | null;
  'max-affected': number | null;
};
export type Head = {
  apikey: string | null;
  authorization: string | null;
  accept: string | null;
  /** Said outright, it is public: no other schema is offered. */
  saysSchema: boolean;
  prefer: Preferences;
  range: { from: number; to: number | null } | null;
};

export type Action =
  | { kind: 'describe'; path: string }
  | { kind: 'read'; method: 'GET' | 'HEAD'; relation: string; query: Query }
  | {
      kind: 'insert';
      relation: string;
      query: Query;
      columns: string[] | null;
      onConflict: string[] | null;
      body: Fields | Fields[];
    }
  | { kind: 'change'; method: 'PATCH' | 'PUT'; relation: string; query: Query; columns: string[] | null; body: Fields }
  | { kind: 'delete'; relation: string; query: Query }
  | { kind: 'call'; routine: string; query: Query; args: Fields }
  /** With GET, or HEAD, which is written as GET: the host sends no body then. */
  | { kind: 'read-call'; routine: string; query: Query; args: ReadonlyMap<string, Value> };

export type DataRequest = { head: Head; action: Action };
