import { z } from '#contracts/z.ts';

type Made = { product_id: number; grams: number; pieces: number };

/** The ticked rows of one day: tomorrow's sheet starts empty. */
const Ticks = z.object({ day: z.string(), ticked: z.array(z.string()) });
export type Ticks = z.infer<typeof Ticks>;

/** A sweet with the amount that was made of it: when more is ordered, it is to be made again. */
const keyOf = ({ product_id, grams, pieces }: Made) => `${product_id} ${grams} ${pieces}`;

export const isTicked = ({ ticked }: Ticks, sweet: Made): boolean => ticked.includes(keyOf(sweet));

export function withTick(ticks: Ticks, sweet: Made, wanted: boolean): Ticks {
  const others = ticks.ticked.filter((key) => key !== keyOf(sweet));
  return { ...ticks, ticked: wanted ? [...others, keyOf(sweet)] : others };
}

/** The ticks of a day, from what a browser has kept; none of another day, or of anything else. */
export function ticksOf(day: string, kept: string | null): Ticks {
  try {
    const ticks = Ticks.parse(JSON.parse(kept ?? ''));
    if (ticks.day === day) return ticks;
  } catch {
    // Whatever was there is not ours.
  }
  return { day, ticked: [] };
}
