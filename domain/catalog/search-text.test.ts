import { expect, test } from 'vitest';
import { maxSearchLength, searchText } from './search-text.ts';

test('what is typed becomes one tidy line', () => {
  expect(searchText('  besan\n\tladoo ')).toBe('besan ladoo');
  expect(searchText('लड्डू')).toBe('लड्डू');
  expect(searchText('100% kaju_katli')).toBe('100% kaju_katli');
});

test('control characters, half characters and what turns text around are gone', () => {
  expect(searchText('a\0b\u202egnp\u2069')).toBe('a b gnp');
  expect(searchText('\ud83c').isWellFormed()).toBe(true);
  expect(searchText('\u0001 \u001f')).toBe('');
});

test('ten thousand characters are cut, never inside one of them', () => {
  expect(searchText('x'.repeat(10_000))).toHaveLength(maxSearchLength);
  const sweets = searchText('🍬'.repeat(10_000));
  expect([...sweets]).toHaveLength(maxSearchLength);
  expect(sweets.isWellFormed()).toBe(true);
});
