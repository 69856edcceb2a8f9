/** As the database keeps them: small, tidy, each once, in order. */
export function tagsIn(typed: string): string[] {
  const tags = typed
    .split(/[,;]/)
    .map((tag) => tag.trim().toLowerCase().replace(/\s+/g, ' '))
    .filter((tag) => tag !== '');
  return [...new Set(tags)].sort();
}

export const longestTag = 30;
export const mostTags = 20;
