import type { Block, Email } from './email.ts';
import type { ShopFacts } from './facts.ts';
import { contactLines } from './links.ts';
import { oneLine } from './plain-text.ts';

/** The plain-text part: the same content as the HTML part, in the same order. */
export function layoutText(email: Email, shop: ShopFacts): string {
  const name = oneLine(email.to ?? '');
  const parts = [
    [oneLine(email.heading), '-'.repeat(Math.min(60, oneLine(email.heading).length))],
    [name ? `Namaste ${name},` : 'Namaste,'],
    ...email.blocks.map(linesOf),
    ['-'.repeat(24), oneLine(shop.name), ...contactLines(shop).map(({ text }) => oneLine(text)), shop.siteUrl],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return [oneLine(block.text)];
    case 'button':
      return [`${oneLine(block.label)}: ${block.href}`];
    case 'picture':
      return [];
    case 'details':
      return block.rows.flatMap(({ label, lines, href }) => [
        `${oneLine(label)}: ${lines.map(oneLine).join(', ')}`,
        ...(href ? [`  ${href}`] : []),
      ]);
    case 'receipt':
      return [
        oneLine(block.title),
        ...block.lines.map(({ name, amount, price }) => `  ${oneLine(name)}, ${oneLine(amount)}: ${price}`),
        ...block.sums.map(({ label, price }) => `${label}: ${price}`),
      ];
  }
}
