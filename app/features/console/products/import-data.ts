import type { Action, PlannedRow } from '#contracts/console/products.ts';
import { formatPaise } from '#domain/money.ts';
import { fieldLabel } from '#domain/products/product-columns.ts';
import type { ProductFileRow } from '#domain/products/read-product-file.ts';

/** Rows that could not even be read, among those that the shop looked at; in the order of the file. */
export function wholePlan(unreadable: readonly ProductFileRow[], planned: readonly PlannedRow[]): PlannedRow[] {
  const refused = unreadable.map(
    ({ line, name, problems }): PlannedRow => ({
      line,
      id: null,
      name,
      action: 'refused',
      changes: [],
      problems,
    }),
  );
  return [...refused, ...planned].sort((a, b) => a.line - b.line);
}

export function countActions(rows: readonly PlannedRow[]): Record<Action, number> {
  const counts = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { action } of rows) counts[action] += 1;
  return counts;
}

/** A value of a draft as the file writes it. */
export function valueWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'number' && field.endsWith('_paise')) return formatPaise(value);
  if (field === 'has_size') return value ? 'weight' : 'piece';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

export const columnWords = (field: string): string => (field === '' ? 'Row' : fieldLabel(field));
