import { expect, test } from 'vitest';
import { checkWords, groupsWith, splitWords } from './search-words-data.ts';

test('words are parted by commas, semicolons or lines', () => {
  expect(splitWords(' laddu,ladoo ; लड्डू\n gram flour,, ')).toEqual(['laddu', 'ladoo', 'लड्डू', 'gram flour']);
});

test('what is wrong is said at the field', () => {
  const problem = (words: string) => {
    const checked = checkWords({ words });
    return checked.ok ? null : checked.errors.words;
  };
  expect(problem('laddu')).toBe('Enter at least two words that mean the same, separated by commas.');
  expect(problem(Array.from({ length: 25 }, (_, n) => `w${n}`).join())).toBe('A group can have up to 24 words.');
  expect(problem(`a, ${'x'.repeat(41)}`)).toBe('Each word can have up to 40 characters.');
  expect(problem('laddu, ladoo')).toBeNull();
});

test('a group is found by part of any of its words', () => {
  const groups = [
    { id: 1, words: ['Laddu', 'लड्डू'], updated_at: '' },
    { id: 2, words: ['Kaju', 'Cashew'], updated_at: '' },
  ];
  expect(groupsWith(groups, ' CASH ').map(({ id }) => id)).toEqual([2]);
  expect(groupsWith(groups, 'लड्डू').map(({ id }) => id)).toEqual([1]);
  expect(groupsWith(groups, '')).toHaveLength(2);
});
