/** Whether the text states that there are no allergens. */
export const isFreeOfAllergens = (allergens: string): boolean =>
  /^(none|nil|no allergens?|no known allergens?)\.?$/i.test(allergens.trim());

export type Allergens = { contains: string[]; mayContain: string[] };

// What stands in brackets belongs to the word before it: "Nuts (almond, cashew)".
const outsideBrackets = '(?![^(]*\\))';
const clauseEnd = new RegExp(`[;.]${outsideBrackets}`);
const itemEnd = new RegExp(`(?:,|&|\\band\\b)${outsideBrackets}`, 'i');

/** What is in a box of several sweets, from what is written at each: named once, and what is in it no longer as a trace. */
export function readAllergens(written: readonly string[]): Allergens {
  const clauses = written.flatMap((text) => text.split(clauseEnd)).map(readClause);
  const contains = mergeAllergens(clauses.flatMap((clause) => clause.contains));
  const traces = mergeAllergens(clauses.flatMap((clause) => clause.mayContain));
  return {
    contains: contains.map(formatAllergen),
    mayContain: traces.flatMap((trace) => traceBeside(trace, contains)),
  };
}

function traceBeside(trace: Allergen, contains: readonly Allergen[]): string[] {
  const same = contains.filter(({ word }) => word.toLowerCase() === trace.word.toLowerCase());
  if (same.some(({ kinds }) => kinds.length === 0)) return [];
  const certain = same.flatMap(({ kinds }) => kinds.map((kind) => kind.toLowerCase()));
  // "Nuts (almond)" for certain does not speak for the cashew that "may contain nuts" warns of.
  if (trace.kinds.length === 0) return [same.length > 0 ? `other ${trace.word.toLowerCase()}` : trace.word];
  const kinds = trace.kinds.filter((kind) => !certain.includes(kind.toLowerCase()));
  return kinds.length > 0 ? [formatAllergen({ ...trace, kinds })] : [];
}

/** The two sentences of a label, those that have something to say. */
export const allergenSentences = ({ contains, mayContain }: Allergens): string[] => [
  ...(contains.length > 0 ? [`Contains: ${contains.join(', ')}.`] : []),
  ...(mayContain.length > 0 ? [`May contain: ${mayContain.join(', ')}.`] : []),
];

/** From "may contain" on, it is only a trace. */
function readClause(clause: string): Allergens {
  const [certain = '', ...traces] = clause.split(/\bmay (?:also )?contain\b:?/i);
  return { contains: itemsOf(certain), mayContain: traces.flatMap(itemsOf) };
}

const itemsOf = (list: string): string[] =>
  list
    .split(itemEnd)
    .map((item) => item.trim().replace(/^(contains?\b:?|(a )?traces? of)\s*/i, ''))
    .filter((item) => item !== '' && !isFreeOfAllergens(item));

type Allergen = { word: string; kinds: string[] };

/** Each once, as first written; "Nuts (almond)" and "Nuts (cashew, almond)" are "Nuts (almond, cashew)". */
function mergeAllergens(items: readonly string[]): Allergen[] {
  const found = new Map<string, Allergen>();
  for (const item of items) {
    const [, word = item, inside = ''] = /^(.*?)\s*\((.*)\)$/.exec(item) ?? [];
    const key = `${word.toLowerCase()}${inside && ' ('}`;
    const entry = found.get(key) ?? { word, kinds: [] };
    const known = new Set(entry.kinds.map((kind) => kind.toLowerCase()));
    const kinds = inside.split(/[,;]/).map((kind) => kind.trim());
    entry.kinds.push(...kinds.filter((kind) => kind !== '' && !known.has(kind.toLowerCase())));
    found.set(key, entry);
  }
  return [...found.values()];
}

const formatAllergen = ({ word, kinds }: Allergen): string =>
  kinds.length > 0 ? `${word} (${kinds.join(', ')})` : word;
