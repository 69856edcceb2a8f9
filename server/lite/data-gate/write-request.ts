import { writeColumnRef } from './columns.ts';
import type { Action, DataRequest, Embed, Head, Ordering, Query, Rows, Selected } from './tree.ts';
import { writeConditions, writeValue } from './write-conditions.ts';

type Parts = { method: string; path: string; parameters: [string, string][]; body?: unknown };

/** The one thing the library is given: written from the tree, and from nothing else. */
export function writeRequest({ head, action }: DataRequest, origin: string, signal: AbortSignal | null): Request {
  const { method, path, parameters, body } = partsOf(action);
  const search = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
  const headers = writeHead(head, method);
  if (body !== undefined) headers.set('content-type', 'application/json');
  return new Request(`${origin}/rest/v1/${path}${search}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
}

function partsOf(action: Action): Parts {
  switch (action.kind) {
    case 'describe':
      return { method: 'OPTIONS', path: action.path, parameters: [] };
    case 'read':
      return { method: action.method, path: action.relation, parameters: writeQuery(action.query) };
    case 'delete':
      return { method: 'DELETE', path: action.relation, parameters: writeQuery(action.query) };
    case 'insert':
      return {
        method: 'POST',
        path: action.relation,
        parameters: [
          ...writeNames('columns', action.columns),
          ...writeNames('on_conflict', action.onConflict),
          ...writeQuery(action.query),
        ],
        body: action.body,
      };
    case 'change':
      return {
        method: action.method,
        path: action.relation,
        parameters: [...writeNames('columns', action.columns), ...writeQuery(action.query)],
        body: action.body,
      };
    case 'call':
      return { method: 'POST', path: `rpc/${action.routine}`, parameters: writeQuery(action.query), body: action.args };
    case 'read-call': {
      const args = [...action.args].map(([name, value]): [string, string] => [name, writeValue(value, false)]);
      return { method: 'GET', path: `rpc/${action.routine}`, parameters: [...args, ...writeQuery(action.query)] };
    }
  }
}

const writeNames = (parameter: string, names: string[] | null): [string, string][] =>
  names === null ? [] : [[parameter, names.join(',')]];

function writeQuery({ select, rows }: Query): [string, string][] {
  return [
    ...(select === null ? [] : [['select', select.map(writeSelected).join(',')] as [string, string]]),
    ...writeRows(rows, ''),
    ...(select ?? []).flatMap((one) => (one.kind === 'embed' ? writeEmbedded(one, '') : [])),
  ];
}

function writeEmbedded(embed: Embed, prefix: string): [string, string][] {
  const own = `${prefix}${embed.alias ?? embed.name}.`;
  return [
    ...writeRows(embed.rows, own),
    ...embed.select.flatMap((one) => (one.kind === 'embed' ? writeEmbedded(one, own) : [])),
  ];
}

function writeRows({ where, order, limit, offset }: Rows, prefix: string): [string, string][] {
  const parameters = writeConditions(where, prefix);
  if (order.length > 0) parameters.push([`${prefix}order`, order.map(writeOrdering).join(',')]);
  if (limit !== null) parameters.push([`${prefix}limit`, String(limit)]);
  if (offset !== null) parameters.push([`${prefix}offset`, String(offset)]);
  return parameters;
}

function writeOrdering({ embed, target, direction, nulls }: Ordering): string {
  const column = writeColumnRef(target);
  return [embed === null ? column : `${embed}(${column})`, direction, nulls].filter((part) => part !== null).join('.');
}

function writeSelected(one: Selected): string {
  if (one.kind === 'all') return '*';
  const alias = one.alias === null ? '' : `${one.alias}:`;
  if (one.kind === 'count') return `${alias}count`;
  if (one.kind === 'column') return `${alias}${writeColumnRef(one.target)}${one.cast === null ? '' : `::${one.cast}`}`;
  const hint = one.hint === null ? '' : `!${one.hint}`;
  const inner = `${one.name}${hint}${one.isInner ? '!inner' : ''}(${one.select.map(writeSelected).join(',')})`;
  return `${one.isSpread ? '...' : alias}${inner}`;
}

function writeHead({ apikey, authorization, accept, saysSchema, prefer, range }: Head, method: string): Headers {
  const headers = new Headers();
  if (apikey !== null) headers.set('apikey', apikey);
  if (authorization !== null) headers.set('authorization', authorization);
  if (accept !== null) headers.set('accept', accept);
  if (saysSchema) headers.set(method === 'GET' || method === 'HEAD' ? 'accept-profile' : 'content-profile', 'public');
  const preferences = Object.entries(prefer).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  if (preferences.length > 0) headers.set('prefer', preferences.join(','));
  if (range !== null) headers.set('range', `${range.from}-${range.to ?? ''}`);
  return headers;
}
