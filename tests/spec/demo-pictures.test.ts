import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const seed = readFileSync(join(root, 'supabase/seeds/25_presentation.sql'), 'utf8');
const slugs = [...seed.matchAll(/^\('([a-z-]+)', /gm)].map((match) => match[1] ?? '');
const views = [...seed.matchAll(/^ '([a-z]*)', '([^']*)', '([a-z]*)', '([^']*)'\)[,;]$/gm)];

test('every further picture of the demo shop exists in all its widths, and says what it shows', () => {
  expect(slugs).toHaveLength(38);
  expect(views).toHaveLength(slugs.length);
  const missing: string[] = [];
  views.forEach(([, second, secondAlt, third, thirdAlt], row) => {
    for (const [view, alt] of [
      [second, secondAlt],
      [third, thirdAlt],
    ]) {
      if (!view) continue;
      expect(alt?.length, `${slugs[row]} ${view}`).toBeGreaterThan(10);
      for (const ending of ['240.avif', '480.avif', '960.avif', '960.webp']) {
        const file = `public/images/views/${slugs[row]}-${view}-${ending}`;
        if (!existsSync(join(root, file))) missing.push(file);
      }
    }
  });
  expect(missing).toEqual([]);
});
