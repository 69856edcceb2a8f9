import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Backend } from '../../server/backends/backend.ts';
import { builtPages, createPages, type Pages } from '../../server/pages/pages.ts';
import { type PublicEnvironment, publicEnvironment } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const backendUrl = inject('backendUrl');
const build = join(import.meta.dirname, '../../build/server/index.js');

const markup = [
  '</script><script>alert(1)</script>',
  '</title></head><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '<!--<script>',
  ']]></loc><script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\u2028alert(1)//\u2029',
  '{{constructor.constructor("alert(1)")()}}',
  '</textarea></style><iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a><base href="https://evil.example/">',
];

// Escaping works character by character: all texts joined prove as much as one by one, in a tenth of the time.
const texts = process.env.SOAK ? markup : [markup.join(' ')];

const pages = ['/', '/shop', '/shop?q=laddu', '/product/1', '/terms', '/cart', '/profile', '/admin/orders', '/none'];

/** What people and administrators chose themselves. Everything else is a number, a choice from a list or checked by its form. */
const chosen =
  /^(name|title|subtitle|message|description|text|author|ingredients|allergens|storage|maker|taste|travel|alt|net_quantity|legal_name|address|grievance_\w+|button\w*|heading|email|whatsapp_number|fssai_number|gstin)$/i;
const links = /^(image|background_img|link|buttonaction|\w+_url)$/i;

/** The answers of the database as they are, with this in every text of them. */
function poisoned(value: unknown, text: string, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => poisoned(each, text, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poisoned(each, text, name)]));
  if (typeof value !== 'string') return value;
  if (chosen.test(key)) return value + text;
  // Links are checked by the database, which knows no white space in them but quotes.
  return links.test(key) && value ? value + text.replace(/\s/g, '') : value;
}

/** Categories of the owner that the database would refuse: the page leaves their colours out. */
const withCategories = (frame: object, text: string) => ({
  ...frame,
  categories: [
    { name: 'Barfi<', colour: '#102a6b' },
    { name: 'Namkeen', colour: `#102a6b}${text}` },
  ],
});

let environment: PublicEnvironment;
const answers = new Map<string, Promise<unknown>>();
beforeAll(async () => {
  environment = await publicEnvironment(shopUrl);
});

function read(name: string, args: Record<string, unknown>): Promise<unknown> {
  const body = JSON.stringify(args);
  const known = answers.get(name + body);
  if (known) return known;
  const asked = fetch(`${backendUrl}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { apikey: environment.key, 'content-type': 'application/json' },
    body,
  }).then((response) => response.json());
  answers.set(name + body, asked);
  return asked;
}

async function render(text: string): Promise<{ shop: Pages; read: Set<string> }> {
  const seen = new Set<string>();
  const backend: Partial<Backend> = {
    publicConfig: { url: null, key: environment.key, signInProvider: 'github' },
    pagesLastMs: Number.POSITIVE_INFINITY,
    read: async (name, args) => {
      seen.add(name);
      const answer = await read(name, args);
      return poisoned(name === 'page_frame' ? withCategories(answer as object, text) : answer, text);
    },
  };
  const options = {
    siteUrl: 'http://shop.test',
    clientDir: join(import.meta.dirname, '../../build/client'),
    mode: 'production',
    razorpay: false,
    proxies: 0,
    log: () => {},
  } as const;
  return {
    shop: await createPages({ ...options, backend: backend as Backend, loadBuild: builtPages(build) }),
    read: seen,
  };
}

const ask = (shop: Pages, path: string) => shop.respond(new Request(`http://shop.test${path}`), 'test');

/** The tags of a page outside its scripts, without their values: what its markup is, whatever its words are. */
function structureOf(html: string): string[] {
  const bare = html.replace(/(<script[^>]*>)[\s\S]*?<\/script>/g, '$1');
  return [...bare.matchAll(/<[a-z!/][^\s>]*((?:"[^"]*"|[^">])*)>/gi)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}

describe('everything stored in the database is shown as text', () => {
  let plain: Map<string, string[]>;
  beforeAll(async () => {
    // As many letters as the shortest of the texts, so that nothing is shortened away.
    const { shop } = await render(' abc');
    plain = new Map();
    for (const path of pages) plain.set(path, structureOf(await (await ask(shop, path)).text()));
  });

  test.each(texts)('%j', async (text) => {
    const { shop, read: asked } = await render(text);
    for (const path of pages) {
      const response = await ask(shop, path);
      const html = await response.text();
      expect(response.status, path).toBe(path === '/none' ? 404 : 200);
      expect(structureOf(html), path).toEqual(plain.get(path));
      expect(html, path).not.toMatch(/<script[^>]*>\s*alert|<img src=x|<svg on|<iframe|<base/i);
      expectOwnScripts(html, response.headers.get('content-security-policy') ?? '');
    }
    expect([...asked]).toEqual(expect.arrayContaining(['page_frame']));
    const product = await (await ask(shop, '/product/1')).text();
    expect(wordsOf(product)).toContain(text.trim().split(/\s/)[0]);
    const data = /application\/ld\+json">([\s\S]*?)<\/script>/.exec(product)?.[1] ?? '';
    expect(JSON.parse(data).name).toContain(text);
    // Taste, travel and the descriptions of its further pictures are on the page, and are words there, too.
    expect(wordsOf(product).split(text.trim().split(/\s/)[0] ?? '').length).toBeGreaterThan(6);
    const sitemap = await (await ask(shop, '/sitemap.xml')).text();
    expect(sitemap).not.toMatch(/<script|<img|<svg/i);
  });

  /** Neither less nor more than stands in the page is allowed in it. */
  function expectOwnScripts(html: string, policy: string): void {
    const allowed = (name: string) =>
      policy
        .match(new RegExp(`${name} 'self'([^;]*)`))?.[1]
        ?.split(' ')
        .filter(Boolean)
        .sort();
    const inline = (tag: RegExp) => [...html.matchAll(tag)].map(([, text = '']) => text);
    const hashes = (texts: string[]) =>
      [...new Set(texts)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).sort();
    const scripts = inline(/<script(?![^>]*(?:src=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g);
    expect(allowed('script-src')).toEqual(hashes(scripts));
    expect(allowed('style-src')).toEqual(hashes(inline(/<style>([\s\S]*?)<\/style>/g)));
  }

  function wordsOf(html: string): string {
    const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'" };
    return html.replace(/&(lt|gt|quot|amp|#x27);/g, (_all, name: string) => entities[name] ?? '');
  }
});
