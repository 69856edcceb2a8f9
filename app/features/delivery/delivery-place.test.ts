import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { choosePincode, currentPincode, forgetProfilePincode, showPincode } from './delivery-place.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    },
  });
});
afterEach(() => {
  stored.clear();
  forgetProfilePincode();
  vi.unstubAllGlobals();
});

test('the pincode of the profile is gone after a logout', () => {
  showPincode('400028');
  expect(currentPincode()).toBe('400028');
  expect([...stored]).toEqual([]);
  forgetProfilePincode();
  expect(currentPincode()).toBe('');
});

test('the one that was chosen on this device stays', () => {
  choosePincode('560034');
  forgetProfilePincode();
  expect(currentPincode()).toBe('560034');
});
