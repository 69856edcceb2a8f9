import type { Catalogue, Relation } from './catalogue.ts';
import { checkInGroup, compared, group, type Scope } from './groups.ts';
import { limits } from './limits.ts';
import { parseOrder } from './order.ts';
import { type Budget, newBudget } from './query-values.ts';
import { Refusal, shown, tooMuch, unreadable } from './refusal.ts';
import { relatedTo } from './relationships.ts';
import { noRows, parseSelect } from './select.ts';
import type { Condition, Embed, Query, Rows, Selected } from './tree.ts';
import { separated } from './write-conditions.ts';

export type Parameters = readonly (readonly [string, string])[];
type Place = { relation: Relation; select: Selected[]; rows: Rows };

/** What every request may say of the rows it means; parameters with other meanings have been taken out before. */
export function parseQuery(parameters: Parameters, relation: Relation, catalogue: Catalogue): Query {
  const budget = newBudget();
  const selects = parameters.filter(([name]) => name === 'select');
  if (selects.length > 1) throw repeated('select');
  const select = selects[0] ? parseSelect(selects[0][1], { relation, catalogue, budget }) : null;
  const query: Query = { select, rows: noRows() };
  const seen = new Set<string>();
  for (const [name, value] of parameters) {
    if (name === 'select') continue;
    const { place, rest } = placeOf(name, { relation, select: select ?? [], rows: query.rows }, catalogue);
    if (rest === 'order' || rest === 'limit' || rest === 'offset') {
      if (seen.has(name)) throw repeated(name);
      seen.add(name);
      if (rest === 'order')
        place.rows.order = parseOrder(value, place.relation, (embed) => embedded(place, embed, catalogue));
      else place.rows[rest] = count(rest, value);
    } else place.rows.where.push(...conditions(rest, value, place, budget));
  }
  inOrder(query.rows, select ?? []);
  return query;
}

/** comments.order and comments.author.name belong to embedded tables, by alias or by name. */
function placeOf(name: string, start: Place, catalogue: Catalogue): { place: Place; rest: string } {
  let place = start;
  let rest = name;
  for (let dot = rest.indexOf('.'); dot > 0 && !isNegatedGroup(rest); dot = rest.indexOf('.')) {
    const word = rest.slice(0, dot);
    const embed = embedIn(place.select, word);
    const relation = embed && relatedTo(place.relation, embed.name, embed.hint, catalogue);
    if (!embed || !relation)
      throw new Refusal(
        400,
        'PGRST108',
        `'${shown(word)}' is not an embedded resource in this request`,
        `Verify that '${shown(word)}' is included in the 'select' query parameter.`,
      );
    place = { relation, select: embed.select, rows: embed.rows };
    rest = rest.slice(dot + 1);
  }
  return { place, rest };
}

const isNegatedGroup = (name: string) => name === 'not.or' || name === 'not.and';

const nameOf = (embed: Embed) => embed.alias ?? embed.name;

function embedIn(select: readonly Selected[], name: string): Embed | null {
  const embeds = select.filter((one) => one.kind === 'embed');
  return embeds.find((one) => nameOf(one) === name) ?? embeds.find((one) => one.name === name) ?? null;
}

function embedded(place: Place, name: string, catalogue: Catalogue): { name: string; relation: Relation } | null {
  const embed = embedIn(place.select, name);
  const relation = embed && relatedTo(place.relation, embed.name, embed.hint, catalogue);
  return embed && relation ? { name: nameOf(embed), relation } : null;
}

function conditions(name: string, value: string, { relation, select }: Place, budget: Budget): Condition[] {
  const embeds = new Set(select.flatMap((one) => (one.kind === 'embed' ? [nameOf(one)] : [])));
  const scope: Scope = { relation, embeds, budget };
  const [, not, joinedBy] = /^(not\.)?(and|or)$/.exec(name) ?? [];
  if (joinedBy === undefined) return [compared(name, value, scope)];
  return flattened(group(joinedBy as 'and' | 'or', not !== undefined, value, scope));
}

/** Everything in an address holds at once, and so does what is in a group joined by and. */
function flattened(one: Condition): Condition[] {
  return one.kind === 'group' && one.joinedBy === 'and' && !one.isNegated ? one.conditions.flatMap(flattened) : [one];
}

/** What is not a number counts for nothing, as in PostgREST. */
function count(name: 'limit' | 'offset', text: string): number | null {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) return null;
  const value = Number(text);
  if (name === 'limit' && value < 0) throw new Refusal(416, 'PGRST103', 'Requested range not satisfiable');
  if (value < 0) return null;
  if (value <= 1e9) return value;
  if (name === 'offset') throw tooMuch('There are not so many rows.');
  return null;
}

/** As they will be written: two requests that mean the same are the same tree. */
function inOrder(rows: Rows, select: readonly Selected[]): void {
  const { single, others } = separated(rows.where);
  for (const one of others) checkInGroup(one);
  rows.where = [...single, ...others];
  for (const one of select) if (one.kind === 'embed') inOrder(one.rows, one.select);
}

const repeated = (name: string) => unreadable(`The parameter ${shown(name)} stands there twice.`);
export const isTooLong = (search: string) => search.length > limits.query;
