import { expect, test } from 'vitest';
import { secretKeyOf } from './project-key.ts';

const of = (variables: Record<string, string>) => secretKeyOf(new Map(Object.entries(variables)));
const legacy = { SUPABASE_SERVICE_ROLE_KEY: 'eyJ.legacy.key' };

test('the named key of a newer project comes before the one of older ones, which may be switched off', () => {
  expect(of(legacy)).toBe('eyJ.legacy.key');
  expect(of({ ...legacy, SUPABASE_SECRET_KEYS: '{"other":"sb_secret_2","default":"sb_secret_1"}' })).toBe(
    'sb_secret_1',
  );
  expect(of({ SUPABASE_SECRET_KEYS: '{"jobs":"sb_secret_3"}' })).toBe('sb_secret_3');
});

test('what is no list of keys is none, and without any the function does not start', () => {
  for (const nonsense of ['', '{', '[]', '"sb_secret_1"', '{"default":5}', '{}']) {
    expect(of({ ...legacy, SUPABASE_SECRET_KEYS: nonsense })).toBe('eyJ.legacy.key');
    expect(() => of({ SUPABASE_SECRET_KEYS: nonsense })).toThrow('SUPABASE_SECRET_KEYS is not set');
  }
});
