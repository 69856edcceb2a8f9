import { z } from 'zod';
import { formatGrams, formatPieces } from '#domain/catalog/weight.ts';

const Sweet = z.object({
  product_id: z.number(),
  name: z.string(),
  image: z.string(),
  category: z.string(),
  has_size: z.boolean(),
  price_paise: z.number().int(),
  left: z.number(),
});
export type Sweet = z.infer<typeof Sweet>;
export const Sweets = z.array(Sweet);

const Caller = z.object({
  user_id: z.string().nullable(),
  name: z.string(),
  building_no: z.string(),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  orders: z.number(),
  is_blocked: z.boolean(),
  notes: z.string(),
});
export type Caller = z.infer<typeof Caller>;
export const Callers = z.array(Caller);

export const Spoiled = z.object({
  product_id: z.number(),
  product: z.string(),
  shelf_life_days: z.number(),
  travel_days: z.number(),
  can_be_collected: z.boolean(),
});

const paise = z.number().int();
export const Priced = z.object({
  lines: z.array(
    z.object({ product_id: z.number(), size: z.number(), quantity: z.number(), line_paise: paise, left: z.number() }),
  ),
  sub_total_paise: paise,
  tax_paise: paise,
  grams: z.number(),
  zone_shipping_paise: paise.nullable(),
  /** What the same sweets would pay in an online cart. */
  cart_shipping_paise: paise.nullable(),
  shipping_paise: paise.nullable(),
  shipping_tax_paise: paise,
  total_paise: paise.nullable(),
  delivery_by: z.string().nullable(),
  /** Would not survive the way there; whoever takes the order decides. */
  spoiled: z.array(Spoiled),
  problem: z.object({ message: z.string(), field: z.string() }).nullable(),
});
export type Priced = z.infer<typeof Priced>;

export const Taken = z.object({ id: z.string(), number: z.number() });

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
