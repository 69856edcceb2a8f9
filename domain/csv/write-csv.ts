export type CsvCell = string | number | boolean | null;

/**
 * A line of a CSV file as RFC 4180 has it. Spreadsheets run what begins like a formula, and customers choose their own
 * names: such a text gets an apostrophe in front, which spreadsheets take for "this is text". Numbers stay numbers.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = isRisky(cell) ? `'${cell}` : cell;
  // Semicolons and tabs too: a spreadsheet may take one of those for the end of a cell.
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * What a spreadsheet would run, or at least try to: also behind quotes, spaces and invisible characters, and in the wide
 * forms that some of them read as the narrow ones.
 */
export function isRisky(text: string): boolean {
  return (
    /^(['"\s\p{Cc}\p{Cf}]*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|\s*[\t\r])/u.test(text) &&
    !/^\s*[+-]?\d+(\.\d+)?\s*$/.test(text)
  );
}
