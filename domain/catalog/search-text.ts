/** Longer queries are cut. */
export const maxSearchLength = 80;

/** Normalizes a query: one line, without invisible characters and direction overrides. */
export function searchText(typed: string): string {
  const tidy = typed
    .slice(0, 2000)
    .toWellFormed()
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return [...tidy].slice(0, maxSearchLength).join('').trim();
}
