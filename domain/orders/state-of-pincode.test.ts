import { expect, test } from 'vitest';
import { indianStates, unionTerritories } from '../indian-states.ts';
import { conflictingStateOfPincode, stateOfPincode } from './state-of-pincode.ts';

test.each([
  ['400028', 'Maharashtra'],
  ['403001', 'Goa'],
  ['110001', 'Delhi'],
  ['160017', 'Chandigarh'],
  ['194101', 'Ladakh'],
  ['248001', 'Uttarakhand'],
  ['560034', 'Karnataka'],
  ['605001', 'Puducherry'],
  ['605602', 'Tamil Nadu'],
  ['737101', 'Sikkim'],
  ['834001', 'Jharkhand'],
  ['800001', 'Bihar'],
  ['900001', null],
  ['4000', null],
  ['011001', null],
])('%s is in %s', (pincode, state) => {
  expect(stateOfPincode(pincode)).toBe(state);
});

test('every answer is a state as addresses name it, and every state is an answer', () => {
  const named = new Set<string>([...indianStates, ...unionTerritories]);
  const answered = new Set<string>();
  for (let start = 100; start < 1000; start += 1)
    for (const rest of ['001', '520', '193', '555', '712']) {
      const state = stateOfPincode(`${start}${rest}`);
      if (state) answered.add(state);
    }
  expect([...answered].filter((state) => !named.has(state))).toEqual([]);
  expect([...named].filter((state) => !answered.has(state))).toEqual([]);
});

test.each([
  ['560001', 'Maharashtra', 'Karnataka'],
  ['400028', 'Goa', null], // Goa has pincodes of the circle 40
  ['411001', 'Goa', 'Maharashtra'],
  ['400028', 'Maharashtra', null],
  ['160055', 'Chandigarh', null],
  ['244712', 'Uttar Pradesh', null],
  ['507126', 'Andhra Pradesh', null],
  ['560001', '', null],
  ['560001', 'Mysore State', null],
  ['900001', 'Maharashtra', null],
  ['5600', 'Maharashtra', null],
])('%s with %s is surely in %s', (pincode, given, state) => {
  expect(conflictingStateOfPincode(pincode, given)).toBe(state);
});
