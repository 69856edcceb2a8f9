export type Place = { pathname: string; search: string };

/** Something with changes that may not be saved yet, and the steps by which they would be lost. */
export type Unsaved = { isChanged: boolean; isLeft(from: Place, to: Place): boolean };

/** Whether a step would lose unsaved changes, of whichever form on the page. */
export function isAnyLeft(guards: Iterable<Unsaved>, from: Place, to: Place): boolean {
  return [...guards].some(({ isChanged, isLeft }) => isChanged && isLeft(from, to));
}
