/** mulberry32: numbers from 0 to 1, the same for the same seed on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Random = {
  number(below: number): number;
  pick<T>(list: readonly T[]): T;
};

export function seededRandom(seed: number): Random {
  const next = randomNumbers(seed);
  const number = (below: number) => Math.floor(next() * below);
  return { number, pick: <T>(list: readonly T[]) => list[number(list.length)] as T };
}
