import { expect, test } from 'vitest';
import { cursorFromText, textsIn } from './url-state.ts';

test('the character 0, which no text in the database has, is dropped from an address', () => {
  expect(textsIn('from=zz&q=%00lad%00du')).toEqual({ from: 'zz', q: 'laddu' });
});

test('a cursor is an object without it', () => {
  expect(cursorFromText('{"id":7}')).toEqual({ id: 7 });
  for (const text of ['', '7', '[7]', 'null', '{', '{"name":"\\u0000"}']) expect(cursorFromText(text)).toBeNull();
});
