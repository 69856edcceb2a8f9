import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readPage, root } from './named-in-docs.ts';

/** Where the shop's visible texts live; docs/copy.md has the voice. */
const sources = globSync(
  [
    'app/{backend,features/!(console),offline,routes/storefront,ui}/**/*.{ts,tsx}',
    'domain/{cart,catalog,checkout,delivery,documents,home,mail,sign-in}/**/*.ts',
    'server/demo/**/*.ts',
    'supabase/functions/{_shared,claim,createOrder,getShippingPrice,invoice,notify,placeOrder}/**/*.ts',
    'supabase/seeds/*.sql',
  ],
  { cwd: root, exclude: ['**/*.test.{ts,tsx}'] },
);

const rules: [rule: string, breach: RegExp][] = [
  ['cancelled and cancelling in prose', /\bCancel(ed|ing)\b|(?<=[a-z’}] )cancel(ed|ing)\b/],
  ['5%, not 5 %', /[\d}] %(?! ?[\d(])/],
  ['email, not e-mail', /\be-mail/i],
  ["can’t, not can't", /(?<!\/\/.*)[a-z]'{1,2}(s|t|re|ve|ll|d|m)\b/],
];

/** Stored values, the heading of a column of rates, and a text of the specification. */
const allowed = [/'order canceled'/, /`\$\{stateTax\} %`/, /We'll notify you when \$\{name\} is back in stock!/];

const isComment = (line: string) => /^\s*(\/\/|\/?\*|--)/.test(line);

test.each(rules)('shoppers read %s', (_, breach) => {
  expect(sources.length).toBeGreaterThan(200);
  const breaches = sources.flatMap((file) =>
    readPage(file)
      .split('\n')
      .filter((line) => breach.test(line) && !isComment(line) && !allowed.some((text) => text.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(breaches).toEqual([]);
});
