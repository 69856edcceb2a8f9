import type { Catalogue, Relation } from './catalogue.ts';
import { columnRef } from './columns.ts';
import { limits } from './limits.ts';
import { isPlainName } from './names.ts';
import type { Budget } from './query-values.ts';
import { Refusal, shown, tooMuch, unknownColumn, unreadable } from './refusal.ts';
import { relatedTo } from './relationships.ts';
import type { Embed, Rows, Selected } from './tree.ts';

const casts = new Set(
  'text varchar int integer int2 int4 int8 smallint bigint numeric real float4 float8 bool boolean uuid date time timestamp timestamptz json jsonb'.split(
    ' ',
  ),
);
const aggregates = new Set(['count', 'sum', 'avg', 'min', 'max']);

type Cursor = { text: string; at: number };
type Place = { relation: Relation; depth: number; catalogue: Catalogue; budget: Budget };

export const noRows = (): Rows => ({ where: [], order: [], limit: null, offset: null });

/** `null` for an empty parameter: everything. */
export function parseSelect(text: string, place: Omit<Place, 'depth'>): Selected[] | null {
  if (text === '') return null;
  const cursor = { text, at: 0 };
  const selected = items(cursor, { ...place, depth: 0 });
  if (cursor.at !== text.length) throw unreadableSelect();
  return selected;
}

function items(cursor: Cursor, place: Place): Selected[] {
  const selected: Selected[] = [];
  for (;;) {
    place.budget.selected += 1;
    if (place.budget.selected > limits.selected) throw tooMuch(`At most ${limits.selected} columns, please.`);
    selected.push(item(cursor, place));
    if (!take(cursor, ',')) return selected;
  }
}

function item(cursor: Cursor, place: Place): Selected {
  if (take(cursor, '*')) return { kind: 'all' };
  if (take(cursor, '...')) return embed(cursor, { alias: null, name: name(cursor), isSpread: true }, place);
  const first = name(cursor);
  let alias: string | null = null;
  let target = first;
  if (peek(cursor) === ':' && !cursor.text.startsWith('::', cursor.at)) {
    cursor.at += 1;
    if (!isPlainName(first)) throw unreadable(`"${shown(first)}" cannot be the name of a column.`);
    alias = first;
    target = name(cursor);
  }
  if (peek(cursor) === '!' || (peek(cursor) === '(' && !aggregates.has(target)))
    return embed(cursor, { alias, name: target, isSpread: false }, place);
  return column(cursor, { alias, target }, place);
}

function column(
  cursor: Cursor,
  { alias, target }: { alias: string | null; target: string },
  { relation, depth }: Place,
): Selected {
  const isColumn = relation.columns.has(target);
  if (target === 'count' && !isColumn && depth > 0) {
    if (peek(cursor) === '(' || peek(cursor) === ':') throw noAggregates();
    return { kind: 'count', alias };
  }
  if (peek(cursor) === '(' && !isColumn) throw noAggregates();
  if (!isColumn) throw unknownColumn(relation.name, target);
  const path = takePattern(cursor, /(?:->>?(?:"[^"]*"|[\w-]+?))*(?=->|::|[^\w>-]|$)/y);
  const { target: ref } = columnRef(target + path, relation);
  let cast: string | null = null;
  if (take(cursor, '::')) {
    cast = takePattern(cursor, /\w+/y);
    if (!casts.has(cast)) throw unreadable(`The Data API does not cast to "${shown(cast)}".`);
  }
  if (peek(cursor) === '.') throw noAggregates();
  return { kind: 'column', alias, target: ref, cast };
}

function embed(cursor: Cursor, named: Pick<Embed, 'alias' | 'name' | 'isSpread'>, place: Place): Embed {
  const { relation, catalogue, budget, depth } = place;
  let hint: string | null = null;
  let isInner = false;
  while (take(cursor, '!')) {
    const word = name(cursor);
    if (word === 'inner' && !isInner) isInner = true;
    else if (word !== 'left') {
      if (hint !== null) throw unreadableSelect();
      hint = word;
    }
  }
  if (!take(cursor, '(')) throw unreadableSelect();
  budget.embeds += 1;
  if (depth + 1 > limits.embedDepth) throw tooMuch('At most two tables inside each other, please.');
  if (budget.embeds > limits.embeds) throw tooMuch(`At most ${limits.embeds} embedded tables, please.`);
  const target = relatedTo(relation, named.name, hint, catalogue);
  if (!target)
    throw new Refusal(
      400,
      'PGRST200',
      `Could not find a relationship between '${relation.name}' and '${shown(named.name)}'`,
    );
  const select = take(cursor, ')') ? [] : items(cursor, { ...place, relation: target, depth: depth + 1 });
  if (select.length > 0 && !take(cursor, ')')) throw unreadableSelect();
  return { kind: 'embed', ...named, hint, isInner, select, rows: noRows() };
}

function name(cursor: Cursor): string {
  const found = takePattern(cursor, /"[^"]*"|\w+/y);
  return found.startsWith('"') ? found.slice(1, -1) : found;
}

function peek(cursor: Cursor): string {
  while (cursor.text[cursor.at] === ' ') cursor.at += 1;
  return cursor.text[cursor.at] ?? '';
}

function take(cursor: Cursor, sign: string): boolean {
  peek(cursor);
  if (!cursor.text.startsWith(sign, cursor.at)) return false;
  cursor.at += sign.length;
  return true;
}

function takePattern(cursor: Cursor, pattern: RegExp): string {
  peek(cursor);
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found === undefined) throw unreadableSelect();
  cursor.at += found.length;
  return found;
}

const unreadableSelect = () => unreadable('The parameter select cannot be read.');
const noAggregates = () => new Refusal(400, 'PGRST123', 'Use of aggregate functions is not allowed');
