// Writes adapters/pdf/font-files.ts: the typefaces of documents, from @fontsource, as text that Node and Deno import alike.
// Run it after a new version of the fonts: `node scripts/generate-font-files.ts`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const wanted = [
  ['mukta', '400', ['latin', 'latin-ext', 'devanagari']],
  ['mukta', '600', ['latin', 'latin-ext', 'devanagari']],
  ['rozha-one', '400', ['latin', 'devanagari']],
] as const;

export async function fontFilesText(): Promise<string> {
  const entries = await Promise.all(
    wanted.flatMap(([family, weight, scripts]) =>
      scripts.map(async (script) => {
        const file = `${family}-${script}-${weight}-normal.woff`;
        const bytes = await readFile(join(root, 'node_modules/@fontsource', family, 'files', file));
        return `  '${family}-${script}-${weight}':\n    '${bytes.toString('base64')}',\n`;
      }),
    ),
  );
  return `// Written by scripts/generate-font-files.ts. Mukta and Rozha One, under the SIL Open Font License, as WOFF in base64.
export const fontFiles = {\n${entries.join('')}} as const;\n`;
}

if (import.meta.main) {
  await writeFile(join(root, 'adapters/pdf/font-files.ts'), await fontFilesText());
  process.stdout.write('adapters/pdf/font-files.ts written\n');
}
