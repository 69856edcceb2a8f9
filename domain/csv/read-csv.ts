export type CsvRow = {
  /** The line of the file on which the row begins, as an editor counts. */
  line: number;
  cells: string[];
};
export type CsvFile = { ok: true; rows: CsvRow[] } | { ok: false; line: number; message: string };
/** Spreadsheets copy cells with tabs between them, and write semicolons where a comma is the decimal point. */
export type Separator = ',' | ';' | '\t';
export type CsvLimits = { maxBytes: number; maxRows: number };

/** The text of a file, or why it is none: spreadsheets also save in older alphabets, which would garble every ₹ and °. */
export function decodeCsv(
  bytes: Uint8Array,
  { maxBytes }: CsvLimits,
): { ok: true; text: string } | { ok: false; message: string } {
  if (bytes.length > maxBytes)
    return {
      ok: false,
      message: `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB. Split it into parts.`,
    };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { ok: false, message: 'This is not a CSV file.' };
    return { ok: true, text };
  } catch {
    return { ok: false, message: 'The file is not in UTF-8. Save it as “CSV UTF-8” and choose it again.' };
  }
}

/**
 * Reads a CSV file as RFC 4180 has it, with any line ends and with or without a byte order mark. Rows keep as many cells
 * as they have; rows without anything in them are left out.
 */
export function readCsv(
  text: string,
  { maxRows, separator = ',' }: Pick<CsvLimits, 'maxRows'> & { separator?: Separator },
): CsvFile {
  const rows: CsvRow[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;

  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
      if (cell === null) return { ok: false, line, message: 'A quotation mark is opened here but not closed.' };
      line += lineEndsIn(text, at, cell.end);
      at = cell.end;
      row.cells.push(cell.value);
      if (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n')
        return {
          ok: false,
          line,
          message: 'There is text after a closing quotation mark. Write quotation marks inside a cell twice.',
        };
      if (text[at] !== separator) break;
      at += 1;
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    at += 1;
    line += 1;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    if (rows.length > maxRows) return { ok: false, line: row.line, message: `The file has more than ${maxRows} rows.` };
  }
  return { ok: true, rows };
}

type Cell = { value: string; end: number };

function quotedCell(text: string, start: number): Cell | null {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return null;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function plainCell(text: string, start: number, separator: Separator): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { value: text.slice(start, end), end };
}

function lineEndsIn(text: string, start: number, end: number): number {
  return text.slice(start, end).match(/\r\n|\r|\n/g)?.length ?? 0;
}
