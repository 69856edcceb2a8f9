/** Nobody needs more to name a sweet. */
export const maxSearchLength = 80;

/** What somebody typed, as it is looked for and shown again: one line, without what cannot be seen or would turn it around. */
export function searchText(typed: string): string {
  const tidy = typed
    .slice(0, 2000)
    .toWellFormed()
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return [...tidy].slice(0, maxSearchLength).join('').trim();
}
