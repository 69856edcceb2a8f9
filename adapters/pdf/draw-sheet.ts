import type { Fact, Party, Sheet } from '../../domain/documents/sheet.ts';
import type { Column } from '../../domain/documents/tax-columns.ts';
import { colours } from '../../domain/mail/mail-theme.ts';
import { a4, lineHeight, type Pen, startDocument, type TextStyle } from './page.ts';

const left = a4.margin;
const right = a4.width - a4.margin;
const inside = right - left;
/** Below this only the imprint stands. */
const bottom = a4.height - 54;
const warningRed = '#a3201b';

const cell: TextStyle = { size: 8.5 };
const heading: TextStyle = { size: 7.5, style: 'strong', colour: colours.soft };
const rowHeight = 8.5 * lineHeight;

type Placed = Column & { from: number; to: number };

/** Draws a document as PDF: one page for what most people buy, more with repeated heads for the rest. */
export async function drawSheet(sheet: Sheet): Promise<Uint8Array> {
  const number = sheet.facts[0]?.value ?? '';
  const pen = startDocument({ title: `${sheet.title} ${number}`, author: sheet.shop, at: sheet.issuedAt });
  pen.doc.addPage();
  const columns = placed(sheet.columns);
  let y = table(pen, sheet, columns, parties(pen, sheet, letterhead(pen, sheet)));
  const wanted = closingHeight(pen, sheet);
  if (y + wanted > bottom) {
    pen.doc.addPage();
    y = shortHead(pen, sheet);
  }
  closing(pen, sheet, y);
  imprints(pen, sheet);
  return pen.finish();
}

/** The band of paper with the shop's name, and what the document is. */
function letterhead(pen: Pen, sheet: Sheet): number {
  const height = 92;
  pen.doc.rect(0, 0, a4.width, height).fill(colours.paper);
  leafBorder(pen, height);
  pen.write(sheet.shop, left, 24, { style: 'display', size: 30 });
  pen.write(sheet.title, right, 24, { style: 'display', size: 19, colour: colours.rani, align: 'right' });
  if (sheet.warning)
    pen.write(sheet.warning, right, 56, { style: 'strong', size: 11, colour: warningRed, align: 'right' });
  return height + 24;
}

function shortHead(pen: Pen, sheet: Sheet): number {
  pen.write(`${sheet.title} ${sheet.facts[0]?.value ?? ''}`, left, 26, { style: 'strong', size: 10 });
  if (sheet.warning)
    pen.write(sheet.warning, right, 26, { style: 'strong', size: 10, colour: warningRed, align: 'right' });
  rule(pen, 46, colours.line);
  return 56;
}

/** The block-printed leaves of the shop (app/ui/leaf-border.svg), a row of them. */
function leafBorder(pen: Pen, y: number): void {
  const tile = 22;
  const { doc } = pen;
  doc.save().translate((a4.width % tile) / 2 - tile, y - 7);
  for (let x = 0; x < a4.width + tile; x += tile) {
    doc.path('M11 1c2.2 2.4 2.2 9.6 0 12-2.2-2.4-2.2-9.6 0-12Z').fill(colours.rani);
    doc
      .path('M4.2 3.4C6.6 4 9 6.8 9.8 11.8 6 11 4 8 4.2 3.4ZM17.8 3.4C15.4 4 13 6.8 12.2 11.8 16 11 18 8 17.8 3.4Z')
      .fill('#d47fa6');
    doc.circle(0, 7, 1.4).fill(colours.rani);
    doc.translate(tile, 0);
  }
  doc.restore();
}

/** Who sold, to whom, and the facts beside them. */
function parties(pen: Pen, sheet: Sheet, top: number): number {
  const width = (inside - 2 * 18) / 3;
  const ends = sheet.parties.map((party, place) => partyBlock(pen, party, left + place * (width + 18), top, width));
  return Math.max(...ends, factBlock(pen, sheet.facts, left + 2 * (width + 18), top, width)) + 14;
}

function partyBlock(pen: Pen, party: Party, x: number, top: number, width: number): number {
  pen.write(party.heading, x, top, heading);
  let y = top + 13;
  const name: TextStyle = { size: 10, style: 'strong' };
  for (const line of pen.wrap(party.name, width, name)) {
    pen.write(line, x, y, name);
    y += 10 * lineHeight;
  }
  for (const line of party.lines.flatMap((one) => pen.wrap(one, width, { size: 9 }))) {
    pen.write(line, x, y, { size: 9 });
    y += 9 * lineHeight;
  }
  return y;
}

function factBlock(pen: Pen, facts: readonly Fact[], x: number, top: number, width: number): number {
  let y = top;
  for (const { label, value } of facts) {
    pen.write(label, x, y, heading);
    y += 10.5;
    for (const line of pen.wrap(value, width, { size: 9.5 })) {
      pen.write(line, x, y, { size: 9.5 });
      y += 9.5 * lineHeight;
    }
    y += 1.5;
  }
  return y;
}

function placed(columns: readonly Column[]): Placed[] {
  const parts = columns.reduce((sum, { width }) => sum + width, 0);
  let from = left;
  return columns.map((column) => {
    const to = from + (inside * column.width) / parts;
    const here = { ...column, from, to };
    from = to;
    return here;
  });
}

function tableHead(pen: Pen, columns: readonly Placed[], y: number): number {
  const titles = columns.map(({ title, from, to }) => pen.wrap(title, to - from - 6, heading));
  const height = Math.max(...titles.map(({ length }) => length)) * 9.5 + 8;
  pen.doc.rect(left, y, inside, height).fill(colours.paper);
  for (const [place, column] of columns.entries())
    for (const [index, line] of (titles[place] ?? []).entries())
      inColumn(pen, line, column, y + 3 + index * 9.5, heading);
  return y + height + 3;
}

function table(pen: Pen, sheet: Sheet, columns: readonly Placed[], top: number): number {
  let y = tableHead(pen, columns, top);
  for (const row of sheet.rows) {
    const cells = row.map((text, place) => {
      const column = columns[place] as Placed;
      return pen.wrap(text, column.to - column.from - 6, cell);
    });
    const height = Math.max(...cells.map(({ length }) => length)) * rowHeight + 5;
    if (y + height > bottom) {
      pen.doc.addPage();
      y = tableHead(pen, columns, shortHead(pen, sheet));
    }
    for (const [place, lines] of cells.entries())
      for (const [index, line] of lines.entries())
        inColumn(pen, line, columns[place] as Placed, y + index * rowHeight, cell);
    y += height;
    rule(pen, y - 2, colours.line);
  }
  if (sheet.foot.length === 0) return y + 12;
  if (y + rowHeight + 8 > bottom) {
    pen.doc.addPage();
    y = tableHead(pen, columns, shortHead(pen, sheet));
  }
  const total: TextStyle = { ...cell, style: 'strong' };
  for (const [place, text] of sheet.foot.entries()) inColumn(pen, text, columns[place] as Placed, y + 1, total);
  rule(pen, y + rowHeight + 4, colours.ink);
  return y + rowHeight + 16;
}

function inColumn(pen: Pen, text: string, { from, to, align }: Placed, y: number, look: TextStyle): void {
  if (text) pen.write(text, align === 'right' ? to - 3 : from + 3, y, { ...look, align });
}

const sumsWidth = 200;
const wordsWidth = inside - sumsWidth - 30;

function closingHeight(pen: Pen, sheet: Sheet): number {
  const words = pen.wrap(sheet.words, wordsWidth, { size: 9.5 }).length * 9.5 * lineHeight + 14;
  const sums = sheet.sums.length * 14 + 30;
  const notes = sheet.notes.flatMap((note) => pen.wrap(note, wordsWidth, { size: 8.5 })).length * rowHeight;
  return Math.max(words + notes + 10, sums) + (sheet.signature ? 84 : 10);
}

function closing(pen: Pen, sheet: Sheet, top: number): void {
  let y = top;
  const sumsFrom = right - sumsWidth;
  for (const { label, value } of sheet.sums) {
    pen.write(label, sumsFrom, y, { size: 9, colour: colours.soft });
    pen.write(value, right - 3, y, { size: 9, align: 'right' });
    y += 14;
  }
  pen.doc.rect(sumsFrom - 8, y, sumsWidth + 8, 26).fill(colours.paper);
  pen.write(sheet.total.label, sumsFrom, y + 4, { style: 'strong', size: 12 });
  pen.write(sheet.total.value, right - 3, y + 4, { style: 'strong', size: 12, align: 'right' });
  const sumsEnd = y + 30;

  y = top;
  pen.write('Amount in words', left, y, heading);
  y += 12;
  for (const line of pen.wrap(sheet.words, wordsWidth, { size: 9.5 })) {
    pen.write(line, left, y, { size: 9.5 });
    y += 9.5 * lineHeight;
  }
  y += 8;
  for (const line of sheet.notes.flatMap((note) => pen.wrap(note, wordsWidth, { size: 8.5 }))) {
    pen.write(line, left, y, { size: 8.5, colour: colours.soft });
    y += rowHeight;
  }
  if (!sheet.signature) return;
  y = Math.max(y, sumsEnd) + 14;
  pen.write(sheet.signature, right, y, { size: 9, align: 'right' });
  rule(pen, y + 46, colours.line, right - 170);
  pen.write('Authorised signatory', right, y + 49, { ...heading, align: 'right' });
}

/** Known only when all pages are there. */
function imprints(pen: Pen, sheet: Sheet): void {
  const { start, count } = pen.doc.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pen.doc.switchToPage(start + page);
    rule(pen, a4.height - 42, colours.line);
    pen.write(sheet.imprint, left, a4.height - 36, { size: 7.5, colour: colours.soft });
    if (count > 1)
      pen.write(`Page ${page + 1} of ${count}`, right, a4.height - 36, {
        size: 7.5,
        colour: colours.soft,
        align: 'right',
      });
  }
}

function rule(pen: Pen, y: number, colour: string, from = left): void {
  pen.doc.moveTo(from, y).lineTo(right, y).lineWidth(0.6).stroke(colour);
}
