/** A month that is not over yet cannot be closed. */
export const isOver = (month: string, today: string): boolean => month < today.slice(0, 7);
