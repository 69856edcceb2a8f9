import { asPhone, asText, type FileColumn, writeCells } from '../csv/file-columns.ts';
import type { CsvCell } from '../csv/write-csv.ts';
import { fulfilmentTitles, sourceTitles, statusTitle } from './order-titles.ts';
import { paymentTitles } from './payment-status.ts';

const titled = (titles: Readonly<Record<string, string>>) => (cell: string) => titles[cell] ?? cell;

/** The file of orders, in the order of export_orders. Amounts are plain figures, days as every spreadsheet reads them. */
const columns: readonly FileColumn[] = [
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
  { heading: 'Delivery or pick-up', write: titled(fulfilmentTitles) },
  { heading: 'Courier' },
  { heading: 'Tracking number', write: asText },
  { heading: 'Reason for cancelling' },
  { heading: 'Discount' },
  { heading: 'Offers' },
];

export const orderHeadings: readonly string[] = columns.map(({ heading }) => heading);

/** A row of the database in the words of the console. */
export function orderCells(row: readonly CsvCell[]): CsvCell[] {
  return writeCells(columns, row);
}
