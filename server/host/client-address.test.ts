import { describe, expect, test } from 'vitest';
import { addressGroup, clientAddress, isFromThisMachine } from './client-address.ts';

const headers = (values: Record<string, string>) => new Headers(values);
const request = (values: Record<string, string>) => new Request('http://localhost/', { headers: values });

describe('the address that limits count', () => {
  test('is the socket, whatever a stranger writes into headers', () => {
    expect(clientAddress(headers({ 'x-forwarded-for': '1.2.3.4' }), '203.0.113.9', 0)).toBe('203.0.113.9');
  });

  test('is what our own proxy saw last, not what the client claimed before it', () => {
    expect(clientAddress(headers({ 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }), '10.0.0.1', 1)).toBe('203.0.113.9');
    expect(clientAddress(headers({ 'x-forwarded-for': '6.6.6.6,203.0.113.9 ' }), '10.0.0.1', 1)).toBe('203.0.113.9');
  });

  test('is what the first of several proxies of ours saw: each adds an address', () => {
    const forwarded = headers({ 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 198.51.100.1' });
    expect(clientAddress(forwarded, '10.0.0.1', 2)).toBe('203.0.113.9');
    expect(clientAddress(headers({ 'x-forwarded-for': '203.0.113.9' }), '10.0.0.1', 2)).toBe('203.0.113.9');
  });

  test('is the socket behind a proxy that says nothing, and never empty', () => {
    expect(clientAddress(headers({}), '10.0.0.1', 1)).toBe('10.0.0.1');
    expect(clientAddress(headers({ 'x-forwarded-for': ' ' }), '10.0.0.1', 1)).toBe('10.0.0.1');
    expect(clientAddress(headers({}), undefined, 0)).toBe('unknown');
  });
});

describe('this machine', () => {
  test.each(['localhost', 'localhost:3000', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
    'is %s',
    (host) => {
      expect(isFromThisMachine(request({ host }), '127.0.0.1')).toBe(true);
    },
  );

  test.each([
    'shop.example',
    'localhost.evil.example',
    'evil-localhost',
    'localhost@evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.10',
    '0.0.0.0',
    '[::2]:3000',
    '[::1].evil.example',
    '[::1]evil.example',
    '::1',
    '',
  ])('is not %s', (host) => {
    expect(isFromThisMachine(request({ host }), '127.0.0.1')).toBe(false);
  });

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
    'is not behind anything that adds %s',
    (header) => {
      expect(isFromThisMachine(request({ host: 'localhost', [header]: 'localhost' }), '127.0.0.1')).toBe(false);
    },
  );

  test('is not a request without a Host', () => {
    expect(isFromThisMachine(request({}), '127.0.0.1')).toBe(false);
  });

  test('is not a stranger who writes localhost into the Host header', () => {
    for (const address of ['192.168.1.7', '::ffff:10.0.0.1', '2001:db8::1', undefined]) {
      expect(isFromThisMachine(request({ host: 'localhost' }), address)).toBe(false);
    }
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
      expect(isFromThisMachine(request({ host: 'localhost' }), address)).toBe(true);
    }
  });
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('the limit of %s is that of %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
