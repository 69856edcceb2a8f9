import type { Place } from './box.ts';

/** The box that is being filled: what lies where, which place was chosen, and what there was before. */
export type OpenBox = {
  places: readonly Place[];
  /** The place that is filled or changed next; null: the first empty one. */
  chosen: number | null;
  earlier: readonly (readonly Place[])[];
};

const mostUndo = 50;

export const openBox = (places: readonly Place[]): OpenBox => ({ places, chosen: null, earlier: [] });

const changed = (box: OpenBox, places: readonly Place[], chosen: number | null = null): OpenBox => ({
  places,
  chosen,
  earlier: [...box.earlier, box.places].slice(-mostUndo),
});

/** Where the next sweet goes: the chosen place, else the first empty one; null: the box is full. */
export function nextPlace({ places, chosen }: OpenBox): number | null {
  if (chosen !== null) return chosen;
  const empty = places.indexOf(null);
  return empty < 0 ? null : empty;
}

/** Puts a sweet into a place, instead of what is there. */
export function put(box: OpenBox, place: number, productId: number): OpenBox {
  if (box.places[place] === undefined || box.places[place] === productId) return { ...box, chosen: null };
  return changed(box, box.places.with(place, productId));
}

export function take(box: OpenBox, place: number): OpenBox {
  if ((box.places[place] ?? null) === null) return box;
  return changed(box, box.places.with(place, null), box.chosen === place ? null : box.chosen);
}

/** Moves a piece to another place; what is there comes here. */
export function swap(box: OpenBox, from: number, to: number): OpenBox {
  const [moved, other] = [box.places[from], box.places[to]];
  if (from === to || moved === undefined || other === undefined || moved === other) return box;
  return changed(box, box.places.with(from, other).with(to, moved));
}

export function refill(box: OpenBox, places: readonly Place[]): OpenBox {
  return JSON.stringify(places) === JSON.stringify(box.places) ? box : changed(box, places);
}

export const choose = (box: OpenBox, place: number | null): OpenBox => ({
  ...box,
  chosen: box.chosen === place ? null : place,
});

export function undo(box: OpenBox): OpenBox {
  const before = box.earlier.at(-1);
  return before ? { places: before, chosen: null, earlier: box.earlier.slice(0, -1) } : box;
}

/** Into a box of another size: what fits moves over in order, gaps closed only where there is no room for them. */
export function resize(box: OpenBox, places: number): OpenBox {
  const kept = box.places.length <= places ? box.places : box.places.filter((place) => place !== null);
  return openBox(Array.from({ length: places }, (_, place) => kept[place] ?? null));
}

/** With pieces that can no longer be had taken out. */
export function without(places: readonly Place[], isSold: (productId: number) => boolean): Place[] {
  return places.map((productId) => (productId !== null && isSold(productId) ? productId : null));
}
