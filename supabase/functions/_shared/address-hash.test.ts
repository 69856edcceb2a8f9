import { expect, test } from 'vitest';
import { addressHash } from './address-hash.ts';

const hash = (address: string | null) => addressHash(address, 'a secret of this shop');

test('the same address has the same hash, however it is written; another key or address has another', () => {
  expect(hash('203.0.113.7')).toBe(hash('::ffff:203.0.113.7'));
  expect(hash('203.0.113.7')).not.toBe(hash('203.0.113.8'));
  expect(hash('203.0.113.7')).not.toBe(addressHash('203.0.113.7', 'another secret'));
  expect(hash('203.0.113.7')).not.toContain('203');
});

test('an IPv6 network counts as one address: its owner can invent any number of them', () => {
  expect(hash('2401:4900:1c2a:77::1')).toBe(hash('2401:4900:1C2A:0077:aaaa:bbbb:cccc:dddd'));
  expect(hash('2401:4900:1c2a:77::1')).not.toBe(hash('2401:4900:1c2a:78::1'));
});

test.each([
  null,
  'unknown',
  '',
  '127.0.0.1',
  '::1',
  '::ffff:10.0.0.3',
  '10.1.2.3',
  '172.18.0.1',
  '192.168.1.4',
  '100.64.0.9',
  'fe80::1%eth0',
  'fd00::1',
  '2401:4900',
  '2401::4900::1',
  'example.com',
])('%s tells customers not apart, and has none', (address) => {
  expect(hash(address)).toBeNull();
});
