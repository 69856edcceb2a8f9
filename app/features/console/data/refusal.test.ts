import { expect, test, vi } from 'vitest';
import { defineFunction } from '#contracts/contract.ts';
import { z } from '#contracts/z.ts';
import { checkArgs, refusalOf } from './refusal.ts';

test('a statement that the database never accepts is our mistake, whatever its status', () => {
  // PostgREST responds 400 to what safeupdate refuses, the embedded Data API 500.
  for (const status of [400, 500])
    expect(refusalOf({ code: '21000', message: 'UPDATE requires a WHERE clause' }, status)).toEqual({
      ok: false,
      reason: 'failed',
      field: null,
      message: 'Something went wrong on our side and nothing was saved. Please try again. Reference: 21000.',
    });
  expect(refusalOf({ code: '42703', message: 'column "nmae" does not exist' }, 400).reason).toBe('failed');
});

test('what was typed wrongly, a rule of ours and a lost connection are told apart', () => {
  expect(refusalOf({ code: '22P02', message: 'invalid input syntax' }, 400)).toMatchObject({
    reason: 'refused',
    message: 'This couldn’t be saved. Check your entries and try again.',
  });
  expect(refusalOf({ code: 'PT409', message: 'Choose days.', details: 'weekly_off' }, 409)).toEqual({
    ok: false,
    reason: 'refused',
    field: 'weekly_off',
    message: 'Choose days.',
  });
  expect(refusalOf({ message: '' }, 503)).toMatchObject({ reason: 'failed' });
  expect(refusalOf({ message: 'Look again.', details: 'stale' }, 409)).toMatchObject({ reason: 'stale' });
});

test('a refused login is no fault of what was typed, whatever its code', () => {
  for (const code of ['PGRST301', '42501', undefined])
    expect(refusalOf({ code, message: 'JWT expired' }, 401)).toMatchObject({
      reason: 'failed',
      message: expect.stringMatching(/not logged in, so nothing was saved/),
    });
});

test('arguments that a contract does not take are a mistake of the form, at the field that they name', () => {
  const logged = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const contract = defineFunction(
    'admin_refund_order',
    { amount_paise: z.number(), lines: z.array(z.object({ quantity: z.number() })).optional() },
    z.unknown(),
  );
  expect(checkArgs(contract, { amount_paise: 5 })).toEqual({ ok: true, value: { amount_paise: 5 } });
  const refused = {
    ok: false,
    reason: 'refused',
    message: 'This can’t be saved like this, so nothing was sent. Check it and try again.',
  };
  expect(checkArgs(contract, { amount_paise: Number.NaN })).toEqual({ ...refused, field: 'amount_paise' });
  expect(checkArgs(contract, { amount_paise: 5, lines: [{ quantity: Number.NaN }] })).toEqual({
    ...refused,
    field: 'quantity',
  });
  // One that it does not have belongs to no field.
  expect(checkArgs(contract, Object.assign({ amount_paise: 5 }, { colour: 'red' }))).toEqual({
    ...refused,
    field: null,
  });
  expect(logged).toHaveBeenCalledTimes(3);
  logged.mockRestore();
});
