import { expect, test } from 'vitest';
import { checkCategory } from './category-data.ts';

test('a category has a name, and a colour or the default', () => {
  expect(checkCategory({ name: ' Dry   fruits ', colour: '' })).toEqual({
    ok: true,
    value: { name: 'Dry fruits', colour: null },
  });
  expect(checkCategory({ name: 'Barfi', colour: '#c0ffee' })).toMatchObject({ ok: true, value: { colour: '#c0ffee' } });
});

test.each(['', 'x', 'All', 'a"b', '<b>'])('%j is refused at the field', (name) => {
  expect(checkCategory({ name, colour: '' })).toMatchObject({ ok: false, errors: { name: expect.any(String) } });
});
