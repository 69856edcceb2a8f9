import type { Caller, Sweet } from '#contracts/console/phone-orders.ts';
import { formatGrams, formatPieces } from '#domain/catalog/weight.ts';

export type Size = 500 | 1000;

/** A line while it is typed; the quantity is text until it is a number. */
export type DraftLine = { sweet: Sweet; size: Size; quantity: string };

export const mostOfOne = 25;
export const keyOf = ({ sweet, size }: DraftLine) => `${sweet.product_id}-${size}`;

/** One more of a sweet: a new line, or one more in the line that has it. */
export function withSweet(lines: readonly DraftLine[], sweet: Sweet): DraftLine[] {
  const size: Size = 500;
  const key = keyOf({ sweet, size, quantity: '' });
  if (!lines.some((line) => keyOf(line) === key)) return [...lines, { sweet, size, quantity: '1' }];
  return lines.map((line) =>
    keyOf(line) === key ? { ...line, quantity: String(Math.min((quantityOf(line) ?? 0) + 1, mostOfOne)) } : line,
  );
}

/** A line in another size; together with the line that has that size already. */
export function withSize(lines: readonly DraftLine[], key: string, size: Size): DraftLine[] {
  const changed = lines.find((line) => keyOf(line) === key);
  if (!changed || changed.size === size) return [...lines];
  const next = { ...changed, size };
  const twin = lines.find((line) => keyOf(line) === keyOf(next));
  if (!twin) return lines.map((line) => (line === changed ? next : line));
  const both = Math.min((quantityOf(twin) ?? 0) + (quantityOf(changed) ?? 0), mostOfOne);
  return lines
    .filter((line) => line !== changed)
    .map((line) => (line === twin ? { ...twin, quantity: String(both) } : line));
}

/** null: not a quantity that can be ordered. */
export function quantityOf({ quantity }: DraftLine): number | null {
  const typed = quantity.trim();
  return /^\d{1,2}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= mostOfOne ? Number(typed) : null;
}

export type AskedLine = { product_id: number; size: Size; quantity: number };

/** Lines as the server reads them; null while there is none, or one of them is not finished. */
export function askedLines(lines: readonly DraftLine[]): AskedLine[] | null {
  const asked = lines.map((line) => ({
    product_id: line.sweet.product_id,
    size: line.size,
    quantity: quantityOf(line) ?? 0,
  }));
  return asked.length === 0 || asked.some(({ quantity }) => quantity === 0) ? null : asked;
}

export const leftWords = ({ has_size, left }: Pick<Sweet, 'has_size' | 'left'>): string =>
  left <= 0 ? 'Out of stock' : `${has_size ? formatGrams(left) : formatPieces(left)} left`;

export const addressInShort = ({ building_no, street, city, zip }: Caller): string =>
  [building_no, street, [city, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ') || 'No address';
