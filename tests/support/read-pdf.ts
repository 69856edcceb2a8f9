// The visible text of a PDF: its lines, and the table with its columns.
import { getDocumentProxy } from 'unpdf';

type Word = { text: string; x: number; right: number; y: number; page: number };

export async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(bytes.slice());
  const words: Word[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const [x, y] = [item.transform[4] as number, item.transform[5] as number];
      words.push({ text: item.str, x, right: x + item.width, y, page });
    }
  }
  const lines = linesOf(words);
  return { pages: pdf.numPages, words, lines, text: lines.map(textOf).join('\n') };
}

/** From the top of the first page to the bottom of the last. */
function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of [...words].sort((a, b) => a.page - b.page || b.y - a.y || a.x - b.x)) {
    const last = lines.at(-1)?.[0];
    // A hair: titles and amounts of one line may stand on different base lines.
    if (last && last.page === word.page && Math.abs(last.y - word.y) < 2) lines.at(-1)?.push(word);
    else lines.push([word]);
  }
  for (const line of lines) line.sort((a, b) => a.x - b.x);
  return lines;
}

/** Words of one line; adjacent pieces are one word, in any font. */
function textOf(line: readonly Word[]): string {
  let text = '';
  for (const [place, word] of line.entries()) {
    const before = line[place - 1];
    text += `${before && word.x - before.right > 1.5 ? ' ' : ''}${word.text}`;
  }
  return text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
}

/** Paise from an amount as it is printed: ₹1,23,456.50. */
export const paiseIn = (text: string): number => Math.round(Number(text.replaceAll(/[₹,\s]/g, '')) * 100);

/** The amounts of a column: what ends at its right edge between its title and the line that adds it up. */
export function columnOf(
  { lines }: Awaited<ReturnType<typeof readPdf>>,
  title: string,
): { amounts: number[]; foot: number } {
  const head = lines.find(
    (line) => line.some(({ text }) => text.trim() === title) && textOf(line).includes('Description'),
  );
  // The last of that name: a title in two lines, such as CGST %, begins like another.
  const edge = head?.findLast(({ text }) => text.trim() === title)?.right;
  if (!head || edge === undefined) throw new Error(`there is no column ${title}`);
  const below = lines.slice(lines.indexOf(head) + 1);
  const end = below.findIndex((line) => line[0]?.text.trim() === 'Total');
  const inColumn = (line: readonly Word[]) =>
    line.filter(({ text, right }) => Math.abs(right - edge) < 1.5 && /^[\d,]+\.\d\d$/.test(text.trim()));
  return {
    amounts: below
      .slice(0, end)
      .flatMap(inColumn)
      .map(({ text }) => paiseIn(text)),
    foot: paiseIn(inColumn(below[end] ?? [])[0]?.text ?? '0'),
  };
}
