import { describe, expect, test } from 'vitest';
import { securityHeaders } from './security-headers.ts';

describe('every response', () => {
  test('forbids framing, sniffing and everything else it does not need', () => {
    expect(securityHeaders({ https: false })).toMatchObject({
      'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
  });

  test('demands https only where the shop is on https', () => {
    expect(securityHeaders({ https: false })).not.toHaveProperty('strict-transport-security');
    expect(securityHeaders({ https: true })['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  });
});
