/** All begin with this; those of other builds are deleted when a new one takes over. */
export const cachePrefix = 'mithaas-';
const visitedPrefix = `${cachePrefix}visited-`;

export const cacheNames = (build: string) => ({
  /** Code, fonts and the pages that stand in for others. */
  frame: `${cachePrefix}frame-${build}`,
  /** Pages and pictures that somebody has looked at. */
  pages: `${visitedPrefix}pages-${build}`,
  pictures: `${visitedPrefix}pictures-${build}`,
});

/** On logging out: nothing kept is personal, but what was looked at is nobody else's business. */
export async function forgetVisited(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const visited = (await caches.keys()).filter((name) => name.startsWith(visitedPrefix));
  await Promise.all(visited.map((name) => caches.delete(name)));
}
