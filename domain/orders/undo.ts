import { type OrderStatus, orderMoves } from './status.ts';

/** How long a move of an order can be undone; the mail about it waits as long. The database decides (private.undo_time). */
export const undoSeconds = 60;

/** Whether orders that were moved to a status can be moved back. */
export const canBeUndone = (to: OrderStatus): boolean => orderMoves.some((move) => move.to === to && move.canBeUndone);

/** The history as a customer reads it: without moves that were undone, and without the undoing. */
export function withoutUndone<T extends { id: number; undoes: number | null }>(events: readonly T[]): T[] {
  const undone = new Set(events.map(({ undoes }) => undoes));
  return events.filter(({ id, undoes }) => undoes === null && !undone.has(id));
}
