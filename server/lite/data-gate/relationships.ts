import type { Catalogue, Relation } from './catalogue.ts';

/**
 * The table that a name leads to from another: its own name, that of a foreign key or of the key's only column. A hint is
 * one of these two, or the table in between where a third one relates them.
 */
export function relatedTo(from: Relation, name: string, hint: string | null, catalogue: Catalogue): Relation | null {
  const matches = (link: Relation['links'][number], word: string) =>
    link.constraint === word || (link.columns.length === 1 && link.columns[0] === word);
  const byKey = from.links.find((link) => matches(link, name));
  if (byKey) return hint === null ? (catalogue.relations.get(byKey.target) ?? null) : null;

  const target = catalogue.relations.get(name);
  if (!target) return null;
  const direct = from.links.filter((link) => link.target === name);
  const through = from.links.flatMap(
    ({ target: between }) =>
      catalogue.relations
        .get(between)
        ?.links.filter((link) => link.target === name)
        .map(() => between) ?? [],
  );
  if (hint === null) return direct.length + through.length > 0 ? target : null;
  const back = target.links.filter((link) => link.target === from.name);
  const isKnown = [...direct, ...back].some((link) => matches(link, hint)) || through.includes(hint);
  return isKnown ? target : null;
}
