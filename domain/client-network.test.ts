import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clientNetwork } from './client-network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7:51234', '203.0.113.7', true],
  ['::ffff:203.0.113.7', '203.0.113.7', true],
  ['::FFFF:cb00:7107', '203.0.113.7', true],
  ['10.1.2.3', '10.1.2.3', false],
  ['100.64.0.9', '100.64.0.9', false],
  ['2401:4900:1c2a:77::1', '2401:4900:1c2a:77::/64', true],
  ['2401:4900:1C2A:0077:aaaa:bbbb:cccc:dddd', '2401:4900:1c2a:77::/64', true],
  ['[2401:4900::1]:443', '2401:4900:0:0::/64', true],
  ['2401::', '2401:0:0:0::/64', true],
  ['::1', '0:0:0:0::/64', false],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', false],
])('%s belongs to %s', (address, name, isPublic) => {
  expect(clientNetwork(address)).toEqual({ name, isPublic });
});

test.each(['', 'unknown', 'example.com', '256.1.1.1', '1.2.3', '2401:4900', '2401::4900::1', '::1]/[', '12345::1'])(
  '%j is not an address',
  (address) => {
    expect(clientNetwork(address)).toBeNull();
  },
);

test('every address of an IPv6 network has its name, however it is written', () => {
  fc.assert(
    fc.property(fc.ipV6(), fc.ipV4(), (six, four) => {
      const network = clientNetwork(six);
      expect(clientNetwork(six.toUpperCase())).toEqual(network);
      const shortest = new URL(`http://[${six}]/`).hostname;
      expect(clientNetwork(shortest)).toEqual(network);
      expect(clientNetwork(four)?.name).toBe(four);
    }),
  );
});
