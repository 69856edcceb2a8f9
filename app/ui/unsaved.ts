export type Place = { pathname: string; search: string };

/** Something with changes that may not be saved yet, and the steps by which they would be lost. */
export type Unsaved = { isChanged: boolean; isLeft(from: Place, to: Place): boolean };

/** By another page, and by another tab of the same page, which takes the form away as well. */
export const leavesTab = (from: Place, to: Place): boolean =>
  from.pathname !== to.pathname || tabOf(from) !== tabOf(to);

const tabOf = ({ search }: Place) => new URLSearchParams(search).get('tab');

/** Whether a step would lose unsaved changes, of whichever form on the page. */
export function isAnyLeft(guards: Iterable<Unsaved>, from: Place, to: Place): boolean {
  return [...guards].some(({ isChanged, isLeft }) => isChanged && isLeft(from, to));
}
