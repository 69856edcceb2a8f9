/** The list with one of it at another place; places outside the list are its ends. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const moved = [...list];
  const [item] = moved.splice(from, 1);
  if (item === undefined) return [...list];
  moved.splice(Math.max(0, Math.min(to, moved.length)), 0, item);
  return moved;
}
