import type { Booked, CountMoment, SheetRow } from '#contracts/console/stock.ts';
import { z } from '#contracts/z.ts';
import { stockFrom, stockValuePaise } from '#domain/stock/quantity.ts';

// A stock count as it goes on. It lives in the browser until it is booked: shelves are where connections are bad.

const CountedLine = z.object({
  /** As typed. */
  text: z.string(),
  /** The books at the moment of counting; null: they could not be asked, and the number is of no use yet. */
  moment: z.object({ on_hand: z.number(), to_pack: z.number(), at: z.string() }).nullable(),
  /** Why it was not booked. */
  refusal: z.string().optional(),
});
export type CountedLine = z.infer<typeof CountedLine>;

export const Count = z.object({
  id: z.string(),
  /** null: all of them. */
  category: z.string().nullable(),
  isBlind: z.boolean(),
  /** What is sold and not yet packed lies on the shelf and is counted with the rest. */
  withSold: z.boolean(),
  startedAt: z.string(),
  lines: z.record(z.string(), CountedLine),
});
export type Count = z.infer<typeof Count>;

export type CountChoice = Pick<Count, 'category' | 'isBlind' | 'withSold'>;

export const startCount = (choice: CountChoice, id: string, now: Date): Count => ({
  ...choice,
  id,
  startedAt: now.toISOString(),
  lines: {},
});

/** A number was written down, or changed: it belongs to a new moment, which is yet to be asked for. */
export function writeLine(count: Count, productId: number, text: string): Count {
  const { [productId]: _before, ...others } = count.lines;
  if (text.trim() === '') return { ...count, lines: others };
  return { ...count, lines: { ...others, [productId]: { text, moment: null } } };
}

/** Sets the time of a count, unless the number was changed since. */
export function keepMoment(count: Count, productId: number, text: string, moment: CountMoment): Count {
  const line = count.lines[productId];
  if (line?.text !== text) return count;
  return { ...count, lines: { ...count.lines, [productId]: { text, moment } } };
}

export type Difference = {
  row: SheetRow;
  /** As found on the shelf. */
  found: number;
  /** As the books had it, on the shelf. */
  expected: number;
  difference: number;
  valuePaise: number | null;
  /** Less is there than has been sold already. */
  isShortForOrders: boolean;
  refusal: string | null;
};

/** What each counted line means; lines that cannot be read, or have no moment yet, are not among them. */
export function differencesOf(count: Count, rows: readonly SheetRow[]): Difference[] {
  return rows.flatMap((row) => {
    const line = count.lines[row.product_id];
    const unit = { hasSize: row.has_size };
    const found = line ? stockFrom(line.text, unit) : null;
    if (!line?.moment || found === null) return [];
    const sold = count.withSold ? line.moment.to_pack : 0;
    const difference = Math.max(0, found - sold) - line.moment.on_hand;
    return [
      {
        row,
        found,
        expected: line.moment.on_hand + sold,
        difference,
        valuePaise: stockValuePaise(difference, row.unit_cost_paise, unit),
        isShortForOrders: found < sold,
        refusal: line.refusal ?? null,
      },
    ];
  });
}

/** Written down, but not to be used as it stands: no number, or no moment. */
export function unreadOf(count: Count, rows: readonly SheetRow[]): SheetRow[] {
  return rows.filter((row) => {
    const line = count.lines[row.product_id];
    return line && (!line.moment || stockFrom(line.text, { hasSize: row.has_size }) === null);
  });
}

export type BookedLine = { product_id: number; counted: number; expected: number; counted_at: string };

export function linesToBook(count: Count, rows: readonly SheetRow[]): BookedLine[] {
  return differencesOf(count, rows).flatMap(({ row, difference }) => {
    const moment = count.lines[row.product_id]?.moment;
    if (!moment) return [];
    return [
      {
        product_id: row.product_id,
        counted: moment.on_hand + difference,
        expected: moment.on_hand,
        counted_at: moment.at,
      },
    ];
  });
}

/** What is left of a count after booking: what was refused, to be counted again. null: nothing. */
export function afterBooking(count: Count, { refused }: Booked, nextId: string): Count | null {
  if (refused.length === 0) return null;
  const lines = Object.fromEntries(
    refused.map(({ product_id, message }) => [
      product_id,
      { text: count.lines[product_id]?.text ?? '', moment: null, refusal: message },
    ]),
  );
  return { ...count, id: nextId, lines };
}
