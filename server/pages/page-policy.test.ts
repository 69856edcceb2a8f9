import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashSource, pagePolicy, takeNonces } from './page-policy.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const directive = (policy: string, name: string) =>
  policy
    .split('; ')
    .find((part) => part.startsWith(`${name} `))
    ?.split(' ')
    .slice(1);

describe("a page's policy", () => {
  test('names each inline script by its hash, once', () => {
    const scriptSources = ['one()', 'two("नमस्ते")', 'one()'].map(hashSource);
    const policy = pagePolicy({ scriptSources }, null);
    expect(directive(policy, 'script-src')).toEqual(["'self'", hashOf('one()'), hashOf('two("नमस्ते")')]);
  });

  test('names each style in the page by its hash, and never allows others', () => {
    const policy = pagePolicy({ styleSources: ['a{}', 'b{}', 'a{}'].map(hashSource) }, null);
    expect(directive(policy, 'style-src')).toEqual(["'self'", hashOf('a{}'), hashOf('b{}')]);
    expect(directive(pagePolicy({}, null), 'style-src')).toEqual(["'self'"]);
  });

  test('never allows inline or evaluated scripts, frames around it or plug-ins', () => {
    const policy = pagePolicy({}, null);
    expect(directive(policy, 'script-src')?.filter(Boolean)).toEqual(["'self'"]);
    expect(policy).not.toContain('unsafe-eval');
    expect(directive(policy, 'frame-ancestors')).toEqual(["'none'"]);
    expect(directive(policy, 'object-src')).toEqual(["'none'"]);
    expect(directive(policy, 'base-uri')).toEqual(["'none'"]);
    expect(directive(policy, 'form-action')).toEqual(["'self'"]);
  });

  test('lets the browser reach a hosted backend, its websocket and its pictures', () => {
    const policy = pagePolicy({}, 'https://abc.supabase.co');
    expect(directive(policy, 'connect-src')).toEqual(["'self'", 'https://abc.supabase.co', 'wss://abc.supabase.co']);
    expect(directive(policy, 'img-src')).toContain('https://abc.supabase.co');
    expect(directive(pagePolicy({}, null), 'connect-src')).toEqual(["'self'"]);
  });

  test('lets the payment widget in where payments are real, and only there', () => {
    expect(pagePolicy({ scriptSources: [hashSource('one()')] }, null)).not.toContain('razorpay');
    const policy = pagePolicy({ scriptSources: [hashSource('one()')] }, 'https://abc.supabase.co', { razorpay: true });
    expect(directive(policy, 'script-src')).toEqual([
      "'self'",
      hashOf('one()'),
      'https://checkout.razorpay.com',
      'https://cdn.razorpay.com',
    ]);
    expect(directive(policy, 'frame-src')).toEqual([
      "'self'",
      'https://api.razorpay.com',
      'https://checkout.razorpay.com',
    ]);
    expect(directive(policy, 'img-src')).toContain('https://cdn.razorpay.com');
    expect(directive(policy, 'connect-src')).toEqual([
      "'self'",
      'https://abc.supabase.co',
      'wss://abc.supabase.co',
      'https://lumberjack.razorpay.com',
      'https://lumberjack-metrics.razorpay.com',
      'https://api.razorpay.com',
    ]);
    expect(directive(policy, 'frame-ancestors')).toEqual(["'none'"]);
  });
});

describe('a script in a page', () => {
  const nonce = '7f0c';
  const taken = (html: string) => {
    const { page, ...sources } = takeNonces(Buffer.from(html), nonce);
    return { html: page.toString(), ...sources };
  };

  test('is ours if it carries the nonce of this rendering, which is taken away', () => {
    const page = `<link nonce="${nonce}" href="/a.css"/><script nonce="${nonce}">one()</script><script type="module" async="" nonce="${nonce}">two()</script>`;
    expect(taken(page)).toEqual({
      html: '<link href="/a.css"/><script>one()</script><script type="module" async="">two()</script>',
      scriptSources: [hashOf('one()'), hashOf('two()')],
      styleSources: [],
    });
  });

  test('is hashed as the browser reads it, whatever letters stand around it', () => {
    const page = `<p>₹320 · मोतीचूर</p><script nonce="${nonce}">say("₹320")</script><p>नमस्ते</p>`;
    expect(taken(page)).toEqual({
      html: '<p>₹320 · मोतीचूर</p><script>say("₹320")</script><p>नमस्ते</p>',
      scriptSources: [hashOf('say("₹320")')],
      styleSources: [],
    });
  });

  test('and a style are ours by the same nonce', () => {
    const page = `<style nonce="${nonce}">a{b:c}</style><style>evil{}</style><style nonce="guess">evil{}</style>`;
    expect(taken(page)).toMatchObject({
      html: '<style>a{b:c}</style><style>evil{}</style><style nonce="guess">evil{}</style>',
      styleSources: [hashOf('a{b:c}')],
    });
  });

  test.each([
    '<script>evil()</script>',
    '<script nonce="">evil()</script>',
    '<script nonce="guess">evil()</script>',
    '<SCRIPT>evil()</SCRIPT>',
    '<script type="application/ld+json">{"evil":1}</script>',
    `<script src="/a.js" nonce="${nonce}"></script>`,
    `<script src="/a.js" nonce="${nonce}">evil()</script>`,
    `<script nonce="${nonce}"></script>`,
    `<p>nonce="${nonce}"</p><script>evil()</script>`,
  ])('is not allowed as %s', (text) => {
    expect(taken(text).scriptSources).toEqual([]);
  });
});
