import { expect, test } from 'vitest';
import { tagsIn } from './tags.ts';

test('tags are small, tidy, each once and in order', () => {
  expect(tagsIn(' VIP, bulk  order;vip,, Bulk Order')).toEqual(['bulk order', 'vip']);
  expect(tagsIn(' ,; ')).toEqual([]);
});
