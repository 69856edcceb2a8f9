import { expect, test } from 'vitest';
import { checkWith } from '../form/inputs.ts';
import { deliverySchema } from './address-form.tsx';
import { orderSpecimen } from './order-specimens.ts';

const { delivery } = orderSpecimen;
const check = (changes: Partial<typeof delivery>) => checkWith(deliverySchema('delivery'))({ ...delivery, ...changes });

test('an address whose state and pincode belong together is taken', () => {
  expect(check({})).toEqual({ ok: true, value: delivery });
  expect(check({ state: 'MH' })).toMatchObject({ ok: true });
});

test('a state that the pincode does not lie in is refused at the state', () => {
  expect(check({ zip: '560001' })).toEqual({
    ok: false,
    errors: { state: 'Pincode 560001 is in Karnataka.' },
  });
});
