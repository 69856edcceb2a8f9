import { cookieDays } from '../cart/basket-cookies.ts';
import { type BoxLine, boxKey, type Contents, maxBoxes } from './box.ts';

/** Filled boxes, beside the cart's own lists: what waits, and what is going to be paid. */
export type BoxLists = { cart: readonly BoxLine[]; checkout: readonly BoxLine[] };
export type BoxListName = keyof BoxLists;

export const noBoxes: BoxLists = { cart: [], checkout: [] };
const lifetimeMs = cookieDays * 24 * 60 * 60_000;
/** Kinds of boxes in both lists together. */
export const mostBoxLines = 20;

export const countBoxes = (lines: readonly BoxLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** Parses local storage. Lists last seven days from the last change, as the cart's cookies do. */
export function parseBoxLists(text: string | null, now: number): BoxLists {
  try {
    const { savedAt, cart, checkout } = JSON.parse(text ?? 'null') ?? {};
    if (typeof savedAt !== 'number' || savedAt > now || now - savedAt >= lifetimeMs) return noBoxes;
    return { cart: linesFrom(cart), checkout: linesFrom(checkout) };
  } catch {
    return noBoxes;
  }
}

export function serializeBoxLists(lists: BoxLists, now: number): string {
  return JSON.stringify({ savedAt: now, ...lists });
}

/** Anything that is not a box is dropped. */
export function linesFrom(value: unknown): BoxLine[] {
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((line: Record<string, unknown> | null) => {
      const contents = contentsFrom(line?.contents);
      const [boxId, quantity] = [Number(line?.boxId), Number(line?.quantity)];
      return isId(boxId) && isCount(quantity, maxBoxes) && contents.length > 0 ? [{ boxId, contents, quantity }] : [];
    })
    .slice(0, mostBoxLines);
}

function contentsFrom(value: unknown): Contents {
  if (!Array.isArray(value)) return [];
  return value.flatMap((portion: Record<string, unknown> | null) => {
    const [productId, pieces] = [Number(portion?.productId), Number(portion?.pieces)];
    return isId(productId) && isCount(pieces, 48) ? [{ productId, pieces }] : [];
  });
}

const isId = (value: number) => Number.isSafeInteger(value) && value > 0;
const isCount = (value: number, most: number) => Number.isInteger(value) && value > 0 && value <= most;

export const boxIn = (lines: readonly BoxLine[], key: string): BoxLine | undefined =>
  lines.find((line) => boxKey(line) === key);

/** A quantity of 0 takes the box out; more than 25 is 25. A new box comes last. */
export function withBoxes(lines: readonly BoxLine[], line: Omit<BoxLine, 'quantity'>, quantity: number): BoxLine[] {
  const key = boxKey(line);
  const next = { boxId: line.boxId, contents: line.contents, quantity: Math.min(quantity, maxBoxes) };
  if (quantity <= 0) return lines.filter((other) => boxKey(other) !== key);
  return boxIn(lines, key) ? lines.map((other) => (boxKey(other) === key ? next : other)) : [...lines, next];
}

export type AddedBox = { ok: true; lists: BoxLists; added: number } | { ok: false; reason: 'full' | 'too-many-lines' };

/** Puts boxes into the cart, as many as fit. */
export function addBox(lists: BoxLists, line: BoxLine): AddedBox {
  const there = boxIn(lists.cart, boxKey(line))?.quantity ?? 0;
  const added = Math.min(line.quantity, maxBoxes - there);
  if (added <= 0) return { ok: false, reason: 'full' };
  if (there === 0 && lists.cart.length + lists.checkout.length >= mostBoxLines)
    return { ok: false, reason: 'too-many-lines' };
  return { ok: true, lists: { ...lists, cart: withBoxes(lists.cart, line, there + added) }, added };
}

/** The changed box in place of the earlier one, in the list that holds it; null: it is in neither any more. */
export function changeBox(lists: BoxLists, key: string, line: Omit<BoxLine, 'quantity'>): BoxLists | null {
  const name = (['checkout', 'cart'] as const).find((list) => boxIn(lists[list], key));
  if (!name) return null;
  const quantity = boxIn(lists[name], key)?.quantity ?? 1;
  if (boxKey(line) === key) return lists;
  const there = boxIn(lists[name], boxKey(line))?.quantity ?? 0;
  const others = withBoxes(lists[name], line, 0);
  const changed = others.map((other) =>
    boxKey(other) === key ? { ...line, quantity: Math.min(quantity + there, maxBoxes) } : other,
  );
  return { ...lists, [name]: changed };
}

/** Moves as many as fit to the other list; null: there is none, or no room for one. */
export function moveBox(lists: BoxLists, from: BoxListName, key: string): { lists: BoxLists; stayed: number } | null {
  const to = from === 'cart' ? 'checkout' : 'cart';
  const line = boxIn(lists[from], key);
  if (!line) return null;
  const there = boxIn(lists[to], key)?.quantity ?? 0;
  const moving = Math.min(line.quantity, maxBoxes - there);
  if (moving === 0) return null;
  const stayed = line.quantity - moving;
  const moved = {
    ...lists,
    [from]: withBoxes(lists[from], line, stayed),
    [to]: withBoxes(lists[to], line, there + moving),
  };
  return { lists: moved, stayed };
}

/** Without the boxes that were bought; those added since stay. */
export function withoutBoughtBoxes(lines: readonly BoxLine[], bought: readonly BoxLine[]): BoxLine[] {
  return bought.reduce<BoxLine[]>(
    (left, line) => {
      const there = boxIn(left, boxKey(line))?.quantity ?? 0;
      return withBoxes(left, line, there - line.quantity);
    },
    [...lines],
  );
}
