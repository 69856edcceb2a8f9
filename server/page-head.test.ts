import { describe, expect, test } from 'vitest';
import { paintFirst } from './page-head.ts';
import { hashSource } from './security-headers.ts';

const stylesheets = new Map([
  ['/assets/a.css', { text: 'a{}', source: hashSource('a{}') }],
  ['/assets/b.css', { text: 'b{}', source: hashSource('b{}') }],
]);
const page = (head: string, body = '') => `<html><head>${head}</head><body>${body}</body></html>`;

describe('what a page is painted with', () => {
  test('stands in it, in its order, and is allowed by its hash', () => {
    const links = '<link rel="stylesheet" href="/assets/b.css"/><link rel="stylesheet" href="/assets/a.css#"/>';
    const { html, styleSources } = paintFirst(page(links), stylesheets);
    expect(html.match(/<style>.*?<\/style>/g)).toEqual(['<style>b{}</style>', '<style>a{}</style>']);
    expect(styleSources).toEqual([hashSource('b{}'), hashSource('a{}')]);
  });

  test('is not fetched again: the links for whoever looks for them are switched off', () => {
    const { html } = paintFirst(page('<link rel="stylesheet" href="/assets/a.css#"/>'), stylesheets);
    expect(html.match(/<link[^>]*>/g)).toEqual([
      '<link rel="stylesheet" href="/assets/a.css" disabled=""/>',
      '<link rel="stylesheet" href="/assets/a.css#" disabled=""/>',
    ]);
  });

  test('is left as it is where it is not ours, or stands in the text', () => {
    const strange = page('<link rel="stylesheet" href="/other.css"/>', '<link rel="stylesheet" href="/assets/a.css"/>');
    expect(paintFirst(strange, stylesheets)).toEqual({ html: strange, scriptSources: [], styleSources: [] });
  });
});

test('modules wait for the paint, and what starts them is allowed', () => {
  const preload = '<link rel="modulepreload" href="/assets/a.js"/>';
  const module = '<script type="module" async="">import "/assets/a.js"</script>';
  const { html, scriptSources } = paintFirst(page(preload, `${module}<script>data()</script>`), stylesheets);
  expect(html).toContain('<link rel="after-paint" href="/assets/a.js"/>');
  const [waiting, start, data] = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
  expect(waiting?.slice(1)).toEqual([' type="after-paint"', 'import "/assets/a.js"']);
  expect(scriptSources).toEqual([hashSource(start?.[2] ?? '')]);
  expect(data?.[2]).toBe('data()');
});
