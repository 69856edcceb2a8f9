import { asPhone, asText, type FileColumn, writeCells } from '../csv/file-columns.ts';
import type { CsvCell } from '../csv/write-csv.ts';

/** The file of customers, in the order of export_customers. */
const columns: readonly FileColumn[] = [
  { heading: 'Name' },
  { heading: 'Email' },
  { heading: 'Phone', write: asPhone },
  { heading: 'Building', write: asText },
  { heading: 'Street', write: asText },
  { heading: 'City' },
  { heading: 'State' },
  { heading: 'Pincode' },
  { heading: 'Orders' },
  { heading: 'Lifetime value' },
  { heading: 'Last order' },
  { heading: 'Customer since' },
  { heading: 'Tags', write: asText },
  { heading: 'Blocked' },
];

export const customerHeadings: readonly string[] = columns.map(({ heading }) => heading);

/** A row of the database as a spreadsheet reads it. */
export function customerCells(row: readonly CsvCell[]): CsvCell[] {
  return writeCells(columns, row);
}
