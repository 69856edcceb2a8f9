import PDFDocument from 'pdfkit';
import { colours } from '../../domain/mail/mail-theme.ts';
import { type FontName, fontNames, fontOf, runsOf, type Style } from './typefaces.ts';

export const a4 = { width: 595.28, height: 841.89, margin: 36 };
/** The lines of our typefaces need a little more than the size of their letters. */
export const lineHeight = 1.42;

export type TextStyle = { style?: Style; size?: number; colour?: string; align?: 'left' | 'right' };
export type Pen = ReturnType<typeof startDocument>;

type Facts = { title: string; author: string; at: Date };

/** A document to write on. The same writing gives the same bytes: nothing in it comes from the clock. */
export function startDocument({ title, author, at }: Facts) {
  const doc = new PDFDocument({
    size: [a4.width, a4.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    font: null as never, // each text names its own
    pdfVersion: '1.7',
    lang: 'en-IN',
    displayTitle: true,
    info: { Title: title, Author: author, Creator: author, Producer: author, CreationDate: at, ModDate: at },
  });
  const bytes = collect(doc);
  for (const name of fontNames) doc.registerFont(name, fontOf(name) as never);

  function widthOf(text: string, { style = 'text', size = 9 }: TextStyle = {}): number {
    return runsOf(text, style).reduce((sum, run) => sum + doc.font(run.font).fontSize(size).widthOfString(run.text), 0);
  }

  /** One line; `x` is its left edge, or its right one. */
  function write(text: string, x: number, y: number, look: TextStyle = {}): void {
    const { style = 'text', size = 9, colour = colours.ink, align = 'left' } = look;
    let at = align === 'right' ? x - widthOf(text, look) : x;
    for (const run of runsOf(text, style)) {
      doc.font(run.font).fontSize(size).fillColor(colour);
      // Different fonts on one line stand on one base line.
      const top = y + size * (ascentOf('mukta-latin-400') - ascentOf(run.font));
      const isShaped = run.font.includes('devanagari');
      // Vowel signs are drawn before the letter they follow; copied text has them in reading order.
      if (isShaped) doc.markContent('Span', { actual: run.text });
      doc.text(run.text, at, top, { lineBreak: false });
      if (isShaped) doc.endMarkedContent();
      at += doc.widthOfString(run.text);
    }
  }

  /** Broken between words where it is too wide, and inside a word that is too wide alone. */
  function wrap(text: string, width: number, look: TextStyle = {}): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ').flatMap((one) => pieces(one, width, look))) {
      const longer = line ? `${line} ${word}` : word;
      if (line && widthOf(longer, look) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  }

  function pieces(word: string, width: number, look: TextStyle): string[] {
    if (widthOf(word, look) <= width) return [word];
    const parts: string[] = [];
    let part = '';
    for (const letter of word) {
      if (part && widthOf(part + letter, look) > width) {
        parts.push(part);
        part = '';
      }
      part += letter;
    }
    return [...parts, part];
  }

  return {
    doc,
    write,
    wrap,
    async finish(): Promise<Uint8Array> {
      doc.end();
      return bytes;
    },
  };
}

function ascentOf(name: FontName): number {
  const font = fontOf(name);
  return font.ascent / font.unitsPerEm;
}

function collect(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    doc.on('error', reject);
    doc.on('end', () => {
      const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
      let at = 0;
      for (const chunk of chunks) {
        whole.set(chunk, at);
        at += chunk.length;
      }
      resolve(whole);
    });
  });
}
