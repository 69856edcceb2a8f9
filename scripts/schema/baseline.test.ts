import { expect, test } from 'vitest';
import { baselineOf, withoutComments } from './baseline.ts';

const file = (text: string) => ({ path: './schemas/01_first/01_tins.sql', text });

test('comments are left out, except in what is quoted', () => {
  const sql = [
    '-- Tins.',
    'create table public.tins ( -- the shelf',
    '  -- As printed.',
    "  name text default '-- none'",
    ');',
    'create function public.f() returns text language sql as $$',
    "  -- stays: it is part of the function's body",
    "  select 'it''s -- text';",
    '$$;',
  ];
  expect(withoutComments(sql.join('\n')).split('\n')).toEqual([sql[1]?.slice(0, 26), sql[3], ...sql.slice(4)]);
});

test('editing a comment of the schemas changes nothing in the baseline', () => {
  const baseline = baselineOf([file('-- Tins.\nset check_function_bodies = off;\n\ncreate table public.tins ();\n')]);
  expect(baselineOf([file('-- Tins and lids.\n-- More.\n\ncreate table public.tins ();\n')])).toBe(baseline);
  expect(baseline).toContain(
    '\nset check_function_bodies = off;\n\n-- 01_first/01_tins.sql\ncreate table public.tins ();\n',
  );
  expect(baseline.endsWith('\nreset check_function_bodies;\n')).toBe(true);
});
