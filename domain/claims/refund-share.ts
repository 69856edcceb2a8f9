/**
 * What some units of a line are worth, after the first `before` of them: along running sums, so that all units together are exactly
 * the line. As private.unit_share() calculates it.
 */
export function unitShare(linePaise: number, quantity: number, before: number, units: number): number {
  return portion(linePaise, before + units, quantity) - portion(linePaise, before, quantity);
}

/** Halves are rounded up, as PostgreSQL rounds numerics above zero. */
const portion = (paise: number, units: number, quantity: number) =>
  Math.floor((2 * paise * units + quantity) / (2 * quantity));
