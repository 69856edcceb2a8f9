import type { CsvCell } from './write-csv.ts';

/** A column of a file that the console hands out; `write` puts what is stored into words. */
export type FileColumn = { heading: string; write?(cell: string): string };

/** A row of the database as the file has it. */
export function writeCells(columns: readonly FileColumn[], row: readonly CsvCell[]): CsvCell[] {
  return row.map((cell, place) => (typeof cell === 'string' ? (columns[place]?.write?.(cell) ?? cell) : cell));
}

/**
 * A spreadsheet takes a text of figures for a number: it drops zeros in front and rounds after fifteen figures. The
 * apostrophe says that it is text, as csvLine() does for formulas.
 */
export const asText = (cell: string): string => (/^(\d{12,}|0\d+)$/.test(cell) ? `'${cell}` : cell);

/** As a phone number is read, and never a number to calculate with: 98200 12345. */
export const asPhone = (cell: string): string => cell.replace(/^(?:\+?91|0)?[ -]*(\d{5})[ -]?(\d{5})$/, '$1 $2');
