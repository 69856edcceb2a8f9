import { argumentsIn, fieldsOf, jsonBody, rowsOf, typedArguments } from './body.ts';
import type { Catalogue, Relation, Routine } from './catalogue.ts';
import { unquoted } from './columns.ts';
import { parseHead } from './headers.ts';
import type { BodyLimits } from './limits.ts';
import { isTooLong, type Parameters, parseQuery } from './query.ts';
import { newBudget, typedValue } from './query-values.ts';
import { Refusal, shown, tooMuch, unknownColumn, unreadable } from './refusal.ts';
import type { Action, DataRequest, Value } from './tree.ts';

export type Sent = { method: string; url: URL; headers: Headers; body: Uint8Array; bodyLimits: BodyLimits };

/** Throws a Refusal for whatever is not understood. */
export function parseRequest(sent: Sent, catalogue: Catalogue): DataRequest {
  const { url, headers } = sent;
  if (isTooLong(url.search)) throw tooMuch('This address is too long.');
  const parameters = [...url.searchParams];
  if (parameters.some((pair) => pair.some((part) => part.includes('\0'))))
    throw unreadable('This address holds a null character.');
  const apikey = parameters.find(([name]) => name === 'apikey')?.[1] ?? null;
  const head = parseHead(headers, apikey);
  const others = parameters.filter(([name]) => name !== 'apikey');
  return { head, action: actionOf(sent, others, catalogue) };
}

function actionOf(sent: Sent, parameters: Parameters, catalogue: Catalogue): Action {
  const [, rpc, encoded = ''] = /^\/rest\/v1\/(rpc\/)?([^/]+)$/.exec(sent.url.pathname) ?? [];
  const name = decoded(encoded);
  if (rpc !== undefined) return callOf(sent, parameters, { name, catalogue });
  const relation = catalogue.relations.get(name);
  if (!relation) {
    if (encoded === '') throw new Refusal(404, 'PGRST125', 'Invalid path specified in request URL');
    throw new Refusal(404, 'PGRST205', `Could not find the table 'public.${shown(name)}' in the schema cache`);
  }
  return tableAction(sent, parameters, relation, catalogue);
}

function tableAction(sent: Sent, all: Parameters, relation: Relation, catalogue: Catalogue): Action {
  const { method } = sent;
  if (method === 'OPTIONS') return { kind: 'describe', path: relation.name };
  const columns = columnsIn(all, 'columns', relation);
  const onConflict = columnsIn(all, 'on_conflict', relation);
  const query = parseQuery(
    all.filter(([name]) => name !== 'columns' && name !== 'on_conflict'),
    relation,
    catalogue,
  );
  const target = { relation: relation.name, query };
  if (method === 'GET' || method === 'HEAD') return { kind: 'read', method, ...target };
  if (method === 'DELETE') return { kind: 'delete', ...target };
  const json = jsonBody(sent.body, sent.headers, sent.bodyLimits);
  if (method === 'POST')
    return { kind: 'insert', ...target, columns, onConflict, body: rowsOf(json, relation.name, relation.columns) };
  if (method === 'PATCH' || method === 'PUT')
    return { kind: 'change', method, ...target, columns, body: fieldsOf(json, relation.name, relation.columns) };
  throw new Refusal(405, 'PGRST117', 'Unsupported HTTP method');
}

/** Names between commas, each of them a column; null where the parameter is not there. */
function columnsIn(parameters: Parameters, name: string, relation: Relation): string[] | null {
  const [value, ...more] = parameters.flatMap(([key, text]) => (key === name ? [text] : []));
  if (more.length > 0) throw unreadable(`The parameter ${name} stands there twice.`);
  if (value === undefined) return null;
  const columns = value.split(',', relation.columns.size + 1).map(unquoted);
  if (columns.length > relation.columns.size) throw unreadable(`The parameter ${name} names too many columns.`);
  const unknown = columns.find((column) => !relation.columns.has(column));
  if (unknown !== undefined) throw unknownColumn(relation.name, unknown);
  return columns;
}

type Called = { name: string; catalogue: Catalogue };

function callOf(sent: Sent, parameters: Parameters, { name, catalogue }: Called): Action {
  const routines = catalogue.routines.get(name) ?? [];
  const { method } = sent;
  if (method === 'OPTIONS' && routines.length > 0) return { kind: 'describe', path: `rpc/${name}` };
  if (method === 'GET' || method === 'HEAD') {
    const routine = routines.find((one) =>
      isCalledBy(
        one,
        parameters.map(([key]) => key),
      ),
    );
    if (!routine) throw noFunction(name);
    const given = parameters.filter(([key]) => routine.args.has(key));
    const rest = parameters.filter(([key]) => !routine.args.has(key));
    return {
      kind: 'read-call',
      routine: name,
      args: argumentsInAddress(given, routine),
      query: queryOf(rest, routine, catalogue),
    };
  }
  if (method !== 'POST') throw new Refusal(405, 'PGRST101', 'Functions are called with POST, GET or HEAD.');
  if (routines.length === 0) throw noFunction(name);
  const given = argumentsIn(jsonBody(sent.body, sent.headers, sent.bodyLimits));
  const names = Object.keys(given);
  const routine = routines.find((one) => names.every((arg) => one.args.has(arg)) && isCalledBy(one, names));
  if (!routine) throw noFunction(name);
  return {
    kind: 'call',
    routine: name,
    args: typedArguments(given, routine.args),
    query: queryOf(parameters, routine, catalogue),
  };
}

/** Whether nothing is missing that has no default. */
const isCalledBy = ({ args }: Routine, names: readonly string[]) =>
  [...args].every(([name, { required }]) => !required || names.includes(name));

function argumentsInAddress(given: Parameters, { args }: Routine): ReadonlyMap<string, Value> {
  const budget = newBudget();
  const values = new Map<string, Value>();
  for (const [name, text] of given) {
    if (values.has(name)) throw unreadable(`The argument ${name} stands there twice.`);
    values.set(name, typedValue(text, args.get(name)?.type ?? 'text', name, budget));
  }
  return values;
}

function queryOf(parameters: Parameters, routine: Routine, catalogue: Catalogue) {
  if (routine.result) return parseQuery(parameters, routine.result, catalogue);
  // One value: nothing of it can be selected, and supabase-js does not ask.
  const empty: Relation = { name: routine.name, columns: new Map(), links: [] };
  const isPlain = ([name, value]: Parameters[number]) => name === 'select' && (value === '*' || value === '');
  const rest = parameters.filter((one) => !isPlain(one) && one[0] !== 'limit' && one[0] !== 'offset');
  if (rest.length > 0) throw noFunction(routine.name);
  return parseQuery(
    parameters.filter((one) => !isPlain(one)),
    empty,
    catalogue,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable('This address is not valid.');
  }
}

const noFunction = (name: string) =>
  new Refusal(
    404,
    'PGRST202',
    `Could not find the function public.${shown(name)} with these arguments in the schema cache`,
  );
