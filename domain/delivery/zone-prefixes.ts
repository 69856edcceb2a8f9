export type ZonePrefixes = { name: string; prefixes: readonly string[] };
export type ReadPrefixes = { ok: true; prefixes: string[] } | { ok: false; sentence: string };

/** Parses pincode prefixes separated by commas, spaces or lines; each once, in order. */
export function readPrefixes(typed: string): ReadPrefixes {
  const words = typed.split(/[\s,;]+/).filter(Boolean);
  const wrong = words.find((word) => !/^[1-9][0-9]{0,5}$/.test(word));
  if (words.length === 0) return { ok: false, sentence: 'Enter pincode prefixes, such as 400, 401.' };
  if (wrong !== undefined)
    return {
      ok: false,
      sentence: `“${wrong.slice(0, 20)}” is not a pincode prefix. Enter one to six digits, not starting with 0.`,
    };
  const prefixes = [...new Set(words)].sort();
  return prefixes.length > 500 ? { ok: false, sentence: 'Enter at most 500 prefixes.' } : { ok: true, prefixes };
}

export type Overlaps = {
  /** Prefixes that another zone has already. */
  taken: { prefix: string; zone: string }[];
  /** Longer ones of other zones, which win. */
  losesTo: { prefix: string; zone: string }[];
  /** Shorter ones of other zones, out of which these are cut. */
  winsOver: { prefix: string; zone: string }[];
};

/** Where pincodes of these beginnings would fall into other zones too. The longest beginning wins. */
export function overlapsOf(prefixes: readonly string[], others: readonly ZonePrefixes[]): Overlaps {
  const found: Overlaps = { taken: [], losesTo: [], winsOver: [] };
  for (const { name: zone, prefixes: theirs } of others)
    for (const prefix of theirs) {
      if (prefixes.includes(prefix)) found.taken.push({ prefix, zone });
      else if (prefixes.some((own) => prefix.startsWith(own))) found.losesTo.push({ prefix, zone });
      else if (prefixes.some((own) => own.startsWith(prefix))) found.winsOver.push({ prefix, zone });
    }
  return found;
}

/** The overlaps as sentences. */
export function overlapMessages({ taken, losesTo, winsOver }: Overlaps): string[] {
  return [
    ...grouped(taken).map(([zone, list]) => `${zone} already has ${list}.`),
    ...grouped(losesTo).map(([zone, list]) => `${list} stays with ${zone}, which is more specific.`),
    ...grouped(winsOver).map(([zone, list]) => `Takes over from ${zone} (${list}).`),
  ];
}

function grouped(found: readonly { prefix: string; zone: string }[]): [zone: string, list: string][] {
  const byZone = Map.groupBy(found, ({ zone }) => zone);
  return [...byZone].map(([zone, list]) => {
    const all = list.map(({ prefix }) => prefix);
    return [zone, all.length > 6 ? `${all.slice(0, 5).join(', ')} and ${all.length - 5} more` : all.join(', ')];
  });
}
