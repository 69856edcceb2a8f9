import { expect, test } from 'vitest';
import { accountRows } from './account-rows.ts';
import { consoleRows } from './console-rows.ts';
import { constantRows } from './constant-rows.ts';
import { messageRows } from './message-rows.ts';
import { ruleRows } from './rule-rows.ts';
import { screenRows } from './screen-rows.ts';
import { nameOf, type SpecRow, sourceOf, standsIn } from './spec-row.ts';

const rows: SpecRow[] = [...screenRows, ...consoleRows, ...accountRows, ...ruleRows, ...constantRows, ...messageRows];

test.each(rows.map((row) => [nameOf(row), row] as const))('specification %s', (_name, row) => {
  const source = sourceOf(row.keptIn); // the place exists, also where the value was imported
  if ('text' in row) expect(standsIn(source, row.text), `'${row.text}' in ${row.keptIn}`).toBe(true);
  else if ('source' in row) expect(source).toContain(row.source);
  else expect(row.value).toEqual(row.is);
});

test('words count as kept only when they stand by themselves', () => {
  expect(standsIn("toast('error', 'Payment failed.')", 'Payment failed.')).toBe(true);
  expect(standsIn('<h1>\n        Shop\n      </h1>', 'Shop')).toBe(true);
  expect(standsIn('<h1>Shop more</h1>', 'Shop')).toBe(false);
  expect(standsIn("'Item moved back to cart!'", 'Item moved back to cart.')).toBe(false);
  expect(standsIn("'The item moved back to cart.'", 'item moved back to cart.')).toBe(false);
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: source code as text
  expect(standsIn('`Added ${count}x ${name} to cart`', 'Added {n}x {name} to cart')).toBe(true);
  expect(standsIn('`Added ${count} ${name} to cart`', 'Added {n}x {name} to cart')).toBe(false);
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: source code as text
});
