import { expect, test } from 'vitest';
import { dayByKey, monthGrids } from './month-grid.ts';

test('a month begins on its weekday and has all its days', () => {
  const [november, december, january, ...none] = monthGrids('2026-11-18', '2027-01-17');
  expect([november?.month, december?.month, january?.month, none]).toEqual([
    '2026-11-01',
    '2026-12-01',
    '2027-01-01',
    [],
  ]);
  // 1 November 2026 is a Sunday, 1 December a Tuesday.
  expect(november?.weeks[0]?.[0]).toBe('2026-11-01');
  expect(december?.weeks[0]).toEqual([
    null,
    null,
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
  ]);
  expect(december?.weeks.flat().filter(Boolean)).toHaveLength(31);
  expect(monthGrids('2028-02-10', '2028-02-20')[0]?.weeks.flat().filter(Boolean)).toHaveLength(29);
});

test.each([
  ['ArrowRight', '2026-11-30', '2026-12-01'],
  ['ArrowLeft', '2026-12-01', '2026-11-30'],
  ['ArrowDown', '2026-11-25', '2026-12-02'],
  ['ArrowUp', '2026-11-20', '2026-11-18'],
  ['Home', '2026-12-03', '2026-11-29'],
  ['End', '2026-12-03', '2026-12-05'],
  ['PageDown', '2026-11-30', '2026-12-30'],
  ['PageUp', '2026-12-31', '2026-11-30'],
  ['PageDown', '2026-12-31', '2027-01-17'],
  ['Enter', '2026-12-01', null],
])('%s on %s leads to %s', (key, from, to) => {
  expect(dayByKey(key, from, '2026-11-18', '2027-01-17')).toBe(to);
});
