/**
 * Splits an amount over lines by their weights, to the paisa: each gets its share rounded down, and the paise that are left go to the
 * largest remainders, in line order. `private.split_paise()` is the same rule.
 */
export function splitPaise(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map(() => 0);
  // A product of two amounts may be more than a double holds exactly.
  const shares = weights.map((weight, place) => {
    const product = BigInt(weight) * BigInt(amount);
    return { place, part: Number(product / BigInt(whole)), remainder: Number(product % BigInt(whole)) };
  });
  const missing = amount - shares.reduce((sum, { part }) => sum + part, 0);
  const rounded = shares.toSorted((a, b) => b.remainder - a.remainder || a.place - b.place).slice(0, missing);
  const up = new Set(rounded.map(({ place }) => place));
  return shares.map(({ place, part }) => part + (up.has(place) ? 1 : 0));
}
