import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fontNames, fontOf, runsOf } from './typefaces.ts';
import { unpackWoff } from './unpack-woff.ts';

test.each(fontNames)('%s is the file of the site’s typeface', async (name) => {
  const [, family = '', script, weight] = /^(mukta|rozha-one)-(.+)-(\d+)$/.exec(name) ?? [];
  const path = join(
    import.meta.dirname,
    '../../node_modules/@fontsource',
    family,
    'files',
    `${family}-${script}-${weight}-normal.woff`,
  );
  const { fontFiles } = await import('./font-files.ts');
  expect(fontFiles[name]).toBe((await readFile(path)).toString('base64'));
  expect(fontOf(name).numGlyphs).toBeGreaterThan(50);
});

test('a text is cut where its script changes, and only there', () => {
  expect(runsOf('Kaju katli, 2 × 500 g', 'text')).toEqual([{ font: 'mukta-latin-400', text: 'Kaju katli, 2 × 500 g' }]);
  expect(
    runsOf('₹1,200.50', 'strong')
      .map(({ text }) => text)
      .join(''),
  ).toBe('₹1,200.50');
  expect(runsOf('काजू कतली', 'text')).toEqual([{ font: 'mukta-devanagari-400', text: 'काजू कतली' }]);
  expect(runsOf('Asha आशा', 'text').map(({ font }) => font)).toEqual(['mukta-latin-400', 'mukta-devanagari-400']);
  expect(
    runsOf('Ćosić', 'text')
      .map(({ text }) => text)
      .join(''),
  ).toBe('Ćosić');
});

test('what no typeface of ours can write is a question mark', () => {
  expect(runsOf('😀', 'text')).toEqual([{ font: 'mukta-latin-400', text: '?' }]);
  expect(runsOf('', 'text')).toEqual([]);
});

test('something else than a WOFF file is refused', () => {
  expect(() => unpackWoff(new Uint8Array(64))).toThrow('not a WOFF file');
});
