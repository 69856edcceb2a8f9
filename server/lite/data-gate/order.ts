import type { Relation } from './catalogue.ts';
import { columnRef } from './columns.ts';
import { limits } from './limits.ts';
import { tooMuch, unreadable } from './refusal.ts';
import type { Ordering } from './tree.ts';

const entry =
  /^\s*(?:(\w+)\(\s*("?\w+"?(?:->>?\w+)*)\s*\)|("?\w+"?(?:->>?(?:"[^"]*"|\w+))*))\s*(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?\s*$/;

/** `embedded`: a table that is embedded, by the name it has in the request. */
export function parseOrder(
  text: string,
  relation: Relation,
  embedded: (name: string) => { name: string; relation: Relation } | null,
): Ordering[] {
  const entries = text.split(',');
  if (entries.length > limits.orderings) throw tooMuch(`At most ${limits.orderings} columns to sort by, please.`);
  return entries.map((one) => {
    const found = entry.exec(one);
    if (!found) throw unreadable('The parameter order cannot be read.', 'Write order=column.desc.nullslast');
    const [, embed, ofEmbed = '', own = '', direction, nulls] = found;
    const inner = embed === undefined ? null : embedded(embed);
    if (embed !== undefined && !inner) throw unreadable(`'${embed}' is not an embedded resource in this request`);
    return {
      embed: inner?.name ?? null,
      target: columnRef(inner ? ofEmbed : own, inner?.relation ?? relation).target,
      direction: (direction as Ordering['direction']) ?? null,
      nulls: (nulls as Ordering['nulls']) ?? null,
    };
  });
}
