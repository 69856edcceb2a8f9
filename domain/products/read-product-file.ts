import { type Category, fixedCategories } from '../catalog/category.ts';
import { type CsvRow, readCsv } from '../csv/read-csv.ts';
import { isRisky } from '../csv/write-csv.ts';
import { type ProductColumn, productColumns } from './product-columns.ts';

export type CellProblem = { field: string; message: string };
/** `values` are what SQL takes; with problems the row is not for it. */
export type ProductFileRow = {
  line: number;
  name: string;
  values: Record<string, string | number | boolean | null>;
  problems: CellProblem[];
};
export type ProductFile =
  | { ok: true; rows: ProductFileRow[]; ignoredHeadings: string[] }
  | { ok: false; line: number | null; message: string };

export const productFileLimits = { maxBytes: 3 * 1024 * 1024, maxRows: 3000 };

/** Reads a file of products. Headings are known by their name, whatever their order, case and punctuation. */
export function readProductFile(text: string, categories: readonly Category[] = fixedCategories): ProductFile {
  const file = readCsv(text, { maxRows: 10 * productFileLimits.maxRows });
  if (!file.ok) return file;
  const [first, ...rest] = file.rows;
  if (!first) return { ok: false, line: null, message: 'The file is empty.' };

  const columns = first.cells.map(columnNamed);
  const fields = columns.flatMap((column) => column?.field ?? []);
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice)
    return {
      ok: false,
      line: first.line,
      message: `The heading “${headingOf(twice)}” appears twice. Remove one of them.`,
    };
  if (!fields.includes('id') && !fields.includes('name'))
    return {
      ok: false,
      line: first.line,
      message: 'The first line has no heading “Name” or “Id”. Start from the template, and separate cells with commas.',
    };
  if (rest.length === 0) return { ok: false, line: null, message: 'The file has headings but no products.' };
  if (rest.length > productFileLimits.maxRows) {
    const most = productFileLimits.maxRows.toLocaleString('en-IN');
    return { ok: false, line: null, message: `The file has more than ${most} products. Split it into parts.` };
  }
  return {
    ok: true,
    rows: rest.map((row) => readRow(row, columns, categories)),
    ignoredHeadings: first.cells.filter((heading, index) => !columns[index] && heading.trim() !== ''),
  };
}

function readRow(
  { line, cells }: CsvRow,
  columns: readonly (ProductColumn | undefined)[],
  categories: readonly Category[],
): ProductFileRow {
  const row: ProductFileRow = { line, name: '', values: {}, problems: [] };
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    row.problems.push({
      field: '',
      message: `This row has ${cells.length} cells, the first line has ${columns.length}. Put cells that contain a comma in quotation marks.`,
    });
  columns.forEach((column, index) => {
    if (!column) return;
    const cell = cells[index];
    if (cell === undefined) {
      if (cells.length < columns.length && row.problems.length === 0)
        row.problems.push({
          field: '',
          message: `This row has ${cells.length} cells, the first line has ${columns.length}.`,
        });
      return;
    }
    const reading = column.read(withoutApostrophe(cell), categories);
    if (!reading.ok) row.problems.push({ field: column.field, message: reading.message });
    else if (reading.value !== undefined) row.values[column.field] = reading.value;
    if (column.field === 'name') row.name = cell.trim();
  });
  return row;
}

/** Our own exports put one in front of what a spreadsheet would run as a formula. */
function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && isRisky(cell.slice(1)) ? cell.slice(1) : cell;
}

function columnNamed(heading: string): ProductColumn | undefined {
  const name = plain(heading);
  return productColumns.find((column) => plain(column.heading) === name || plain(column.field) === name);
}

function headingOf(field: string): string {
  return productColumns.find((column) => column.field === field)?.heading ?? field;
}

function plain(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9%]/g, '')
    .replace('%', 'percent');
}
