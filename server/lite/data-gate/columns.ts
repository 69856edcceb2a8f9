import type { PgType, Relation } from './catalogue.ts';
import { limits } from './limits.ts';
import { isPlainName } from './names.ts';
import { shown, unknownColumn, unreadable } from './refusal.ts';
import type { ColumnRef, PathStep } from './tree.ts';
import { kindOf } from './value-kinds.ts';

/** A column, and what of its JSON: data->address->>city */
export function columnRef(text: string, relation: Relation): { target: ColumnRef; type: PgType } {
  const arrow = text.indexOf('->');
  const name = unquoted(arrow === -1 ? text : text.slice(0, arrow));
  const type = relation.columns.get(name);
  if (type === undefined) throw unknownColumn(relation.name, name);
  const path = arrow === -1 ? [] : pathOf(text.slice(arrow));
  if (path.length === 0) return { target: { name, path }, type };
  if (kindOf(type) !== 'json') throw unreadable(`"${name}" is not JSON: there is nothing inside it to ask for.`);
  return { target: { name, path }, type: path.at(-1)?.asText ? 'text' : 'jsonb' };
}

function pathOf(text: string): PathStep[] {
  const steps: PathStep[] = [];
  for (let rest = text; rest !== ''; ) {
    const found = /^->(>?)("[^"]*"|[\w-]+?)(?=->|$)/.exec(rest);
    const key = unquoted(found?.[2] ?? '');
    if (!found || !(isPlainName(key) || /^-?\d{1,9}$/.test(key)))
      throw unreadable(`The path ${shown(text)} cannot be read.`);
    if (steps.at(-1)?.asText) throw unreadable('->> ends a path.');
    steps.push({ key, asText: found[1] === '>' });
    rest = rest.slice(found[0].length);
  }
  if (steps.length > limits.jsonPath) throw unreadable(`A path has at most ${limits.jsonPath} steps.`);
  return steps;
}

export function writeColumnRef({ name, path }: ColumnRef): string {
  return name + path.map(({ key, asText }) => (asText ? '->>' : '->') + key).join('');
}

export function unquoted(text: string): string {
  const name = text.trim();
  return name.length >= 2 && name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}
