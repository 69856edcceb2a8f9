import type { CsvCell } from '../csv/write-csv.ts';
import { fulfilmentTitles, sourceTitles, statusTitle } from './order-titles.ts';
import { paymentTitles } from './payment-status.ts';

type Column = { heading: string; write?(cell: string): string };

const titled = (titles: Readonly<Record<string, string>>) => (cell: string) => titles[cell] ?? cell;

/**
 * A spreadsheet takes a text of figures for a number: it drops zeros in front and rounds after fifteen figures. The
 * apostrophe says that it is text, as csvLine() does for formulas.
 */
const asText = (cell: string) => (/^(\d{12,}|0\d+)$/.test(cell) ? `'${cell}` : cell);

/** As a phone number is read, and never a number to calculate with: 98200 12345. */
const asPhone = (cell: string) => cell.replace(/^(?:\+?91|0)?[ -]*(\d{5})[ -]?(\d{5})$/, '$1 $2');

/** The file of orders, in the order of export_orders. Amounts are plain figures, days as every spreadsheet reads them. */
const columns: readonly Column[] = [
  { heading: 'Number' },
  { heading: 'Placed (India)' },
  { heading: 'Customer' },
  { heading: 'Phone', write: asPhone },
  { heading: 'Building', write: asText },
  { heading: 'Street' },
  { heading: 'City' },
  { heading: 'State' },
  { heading: 'Pincode' },
  { heading: 'Items' },
  { heading: 'Subtotal' },
  { heading: 'Tax' },
  { heading: 'Shipping' },
  { heading: 'Total' },
  { heading: 'Refunded' },
  { heading: 'Payment', write: titled(paymentTitles) },
  { heading: 'Payment ID', write: asText },
  { heading: 'Status', write: statusTitle },
  { heading: 'Status since (India)' },
  { heading: 'Source', write: titled(sourceTitles) },
  { heading: 'Delivery or pickup', write: titled(fulfilmentTitles) },
  { heading: 'Courier' },
  { heading: 'Tracking number', write: asText },
  { heading: 'Reason for cancelling' },
];

export const orderHeadings: readonly string[] = columns.map(({ heading }) => heading);

/** A row of the database in the words of the console. */
export function orderCells(row: readonly CsvCell[]): CsvCell[] {
  return row.map((cell, place) => (typeof cell === 'string' ? (columns[place]?.write?.(cell) ?? cell) : cell));
}
