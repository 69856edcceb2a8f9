import { expect, test } from 'vitest';
import { bulkChatLink, bulkLines, bulkMailLink, bulkMessage, selectedLines } from './bulk-order.ts';

const products = [
  { id: 1, name: 'Besan Laddu', hasSize: true },
  { id: 2, name: 'Punjabi Samosa (2 pcs) & <chutney>', hasSize: false },
];

test('cart and checkout are one order, the same box counted once', () => {
  const lines = selectedLines({ cart: { 1: { 500: 20 } }, checkout: { 1: { 500: 25, 1000: 1 }, 2: { 500: 4 } } });
  expect(bulkLines(lines, products)).toEqual([
    { name: 'Besan Laddu', size: 500, quantity: 45 },
    { name: 'Besan Laddu', size: 1000, quantity: 1 },
    { name: 'Punjabi Samosa (2 pcs) & <chutney>', size: null, quantity: 4 },
  ]);
});

test('what is no longer sold is left out; without names the numbers stand in', () => {
  const lines = selectedLines({ cart: { 1: { 500: 1 }, 99: { 500: 1 } }, checkout: {} });
  expect(bulkLines(lines, products)).toHaveLength(1);
  expect(bulkLines(lines, null).map(({ name }) => name)).toEqual(['Product no. 1', 'Product no. 99']);
});

test('both links carry names, sizes and quantities whole', () => {
  const lines = bulkLines(selectedLines({ cart: { 1: { 1000: 3 }, 2: { 500: 2 } }, checkout: {} }), products);
  const message = bulkMessage('Mithaas', lines);
  const mail = new URL(bulkMailLink('hello@mithaas.example', message));
  expect(mail.pathname).toBe('hello@mithaas.example');
  expect(mail.searchParams.get('subject')).toBe('Bulk order');
  expect(mail.searchParams.get('body')).toContain(
    '- 3 × Besan Laddu (1000 g)\r\n- 2 × Punjabi Samosa (2 pcs) & <chutney>\r\n',
  );
  const chat = new URL(bulkChatLink('+91 90000-00000', message));
  expect(chat.origin + chat.pathname).toBe('https://wa.me/919000000000');
  expect(chat.searchParams.get('text')).toBe(message);
});

test('a very long list stays short enough for a link', () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({ name: `Sweet ${index}`, size: null, quantity: 25 }));
  const message = bulkMessage('Mithaas', lines);
  expect(message).toContain('- and 170 more');
  expect(bulkChatLink('1', message).length).toBeLessThan(2000);
});
