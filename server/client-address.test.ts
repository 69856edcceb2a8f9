import { describe, expect, test } from 'vitest';
import { clientAddress, isFromThisMachine } from './client-address.ts';

const request = (headers: Record<string, string>) => new Request('http://localhost/', { headers });

describe('the address that limits count', () => {
  test('is the socket, whatever a stranger writes into headers', () => {
    expect(clientAddress(request({ 'x-forwarded-for': '1.2.3.4' }), '203.0.113.9', false)).toBe('203.0.113.9');
  });

  test('is what our own proxy saw last, not what the client claimed before it', () => {
    expect(clientAddress(request({ 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }), '10.0.0.1', true)).toBe('203.0.113.9');
    expect(clientAddress(request({ 'x-forwarded-for': '6.6.6.6,203.0.113.9 ' }), '10.0.0.1', true)).toBe('203.0.113.9');
  });

  test('is the socket behind a proxy that says nothing, and never empty', () => {
    expect(clientAddress(request({}), '10.0.0.1', true)).toBe('10.0.0.1');
    expect(clientAddress(request({ 'x-forwarded-for': ' ' }), '10.0.0.1', true)).toBe('10.0.0.1');
    expect(clientAddress(request({}), undefined, false)).toBe('unknown');
  });
});

describe('this machine', () => {
  test.each(['localhost', 'localhost:3000', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:3000'])(
    'is %s',
    (host) => {
      expect(isFromThisMachine(request({ host }))).toBe(true);
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
    expect(isFromThisMachine(request({ host }))).toBe(false);
  });

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])(
    'is not behind anything that adds %s',
    (header) => {
      expect(isFromThisMachine(request({ host: 'localhost', [header]: 'localhost' }))).toBe(false);
    },
  );

  test('is not a request without a Host', () => {
    expect(isFromThisMachine(request({}))).toBe(false);
  });
});
