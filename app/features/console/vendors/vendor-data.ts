// What the requests about vendors and purchases answer.

/** A number of ours in an address; null for anything else. */
export const idFrom = (text: string | null | undefined): number | null =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : null;
