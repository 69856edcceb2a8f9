import * as fontkit from 'fontkit';
import { fontFiles } from './font-files.ts';
import { unpackWoff } from './unpack-woff.ts';

export type Style = 'text' | 'strong' | 'display';
export type FontName = keyof typeof fontFiles;
export type Run = { font: FontName; text: string };

/** Each style's fonts; a letter is set in the first that has it. */
const families: Record<Style, FontName[]> = {
  text: ['mukta-latin-400', 'mukta-latin-ext-400', 'mukta-devanagari-400'],
  strong: ['mukta-latin-600', 'mukta-latin-ext-600', 'mukta-devanagari-600'],
  display: ['rozha-one-latin-400', 'rozha-one-devanagari-400', 'mukta-latin-ext-600'],
};

export const fontNames = Object.keys(fontFiles) as FontName[];

const opened = new Map<FontName, fontkit.Font>();

/** Opened once. */
export function fontOf(name: FontName): fontkit.Font {
  let font = opened.get(name);
  if (!font) {
    const file = Uint8Array.from(atob(fontFiles[name]), (character) => character.charCodeAt(0));
    font = withShapingCache(fontkit.create(unpackWoff(file) as Buffer) as fontkit.Font);
    opened.set(name, font);
  }
  return font;
}

const maxCachedWords = 4000;

/** Shaping a word is most of the work of drawing, and documents say the same words again and again. */
function withShapingCache(font: fontkit.Font): fontkit.Font {
  const known = new Map<string, fontkit.GlyphRun>();
  const layout = font.layout.bind(font);
  return Object.create(font, {
    layout: {
      value(word: string, ...settings: never[]) {
        if (settings.some((setting) => setting !== undefined)) return layout(word, ...settings);
        let run = known.get(word);
        if (!run) {
          run = layout(word);
          if (known.size >= maxCachedWords) known.clear();
          known.set(word, run);
        }
        // The drawing code scales positions in place.
        const { glyphs, advanceWidth } = run;
        return { glyphs, advanceWidth, positions: run.positions.map((position) => ({ ...position })) };
      },
    },
  });
}

const has = (name: FontName, letter: string) => fontOf(name).hasGlyphForCodePoint(letter.codePointAt(0) as number);
/** Signs that carry no look of their own stay with what they stand in. */
const isJoiner = (letter: string) => /^(\u200c|\u200d|\p{M})/u.test(letter);

/** A text cut where its script changes. What no font of ours can write is a question mark. */
export function runsOf(text: string, style: Style): Run[] {
  const runs: Run[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    if (last && (isJoiner(letter) || letter === ' ') && has(last.font, letter)) {
      last.text += letter;
      continue;
    }
    const font = families[style].find((name) => has(name, letter));
    // Emoji are drawn with invisible signs between them.
    if (!font && isJoiner(letter)) continue;
    const name = font ?? (families[style][0] as FontName);
    const sign = font ? letter : '?';
    if (last?.font === name) last.text += sign;
    else runs.push({ font: name, text: sign });
  }
  return runs;
}
