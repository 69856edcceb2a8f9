/** All begin with this; those of other builds are deleted when a new one takes over. */
export const cachePrefix = 'mithaas-';
const visitedPrefix = `${cachePrefix}visited-`;

export const cacheNames = (build: string) => ({
  /** Code, fonts and the pages that stand in for others. */
  frame: `${cachePrefix}frame-${build}`,
  /** Visited pages and pictures. */
  pages: `${visitedPrefix}pages-${build}`,
  pictures: `${visitedPrefix}pictures-${build}`,
});

/** Clears visited pages on logout. None is personal, but the history is private. */
export async function forgetVisited(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const visited = (await caches.keys()).filter((name) => name.startsWith(visitedPrefix));
  await Promise.all(visited.map((name) => caches.delete(name)));
}
