import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../scripts/find-chromium.mjs';
import { storedSession } from './browser.ts';
import { median } from './measure.ts';
import { type Row, row } from './report.ts';

/** What the browser has from an earlier visit, and whether search engines are told to leave the page alone. */
type Visitor = { session?: string; cookies?: Record<string, string>; isPrivate?: boolean };
type Visited = Visitor & { path: string; visits: number; why: string };

const scoresOfPublicPages = ['accessibility', 'best-practices', 'seo'] as const;
type Score = 'performance' | (typeof scoresOfPublicPages)[number];
type Figures = Partial<Record<Score | 'firstPaint' | 'largestPaint' | 'blocked' | 'machine' | 'scripts', number>>;

const lists = { cart: '{%2230%22:{%22500%22:1}}', checkout: '{%229%22:{%22500%22:2},%2210%22:{%22500%22:1}}' };

/** What takes the longest tasks of a page, from traces: shown where its budget is missed. */
const why = {
  public:
    'Lighthouse calculates the largest paint: no sooner than the end of every script that arrived before it here, where the network takes no time. The last is the framework (94 KB), which waits for pictures and fonts on six connections. The longest tasks are the first style and layout, the first paint, the new layout when the fonts arrive, and React’s start.',
  cart: 'Its heading and lead are in the HTML and are the largest paint. The longest tasks come after: supabase-js is evaluated for a logged-in customer, and the lists are laid out when the products arrive and once more with the totals.',
  profile:
    'Its headings and lead are in the HTML and are the largest paint. The longest tasks come after: supabase-js is evaluated for a logged-in customer, then form, devices and orders are rendered and laid out as each of their reads arrives.',
  console:
    'Its menu and heading come with the document. The largest paint waits for the scripts, then for the session, then for the figures; the longest tasks are supabase-js, the screen’s own code and the rows.',
};

/** Public pages, the customer's own and three of the console, as a phone on a slow network sees them. */
export async function lighthouseRows(shopUrl: string): Promise<Row[]> {
  const customer = { session: await storedSession(shopUrl, 'Priya Sharma'), isPrivate: true };
  const owner = { session: await storedSession(shopUrl, 'Asha Rao'), isPrivate: true };
  const pages: Visited[] = [
    ...['/', '/shop', '/product/1'].map((path) => ({ path, visits: 5, why: why.public })),
    { path: '/terms', visits: 3, why: why.public },
    { path: '/cart', visits: 3, why: why.cart, ...customer, cookies: lists },
    { path: '/profile', visits: 3, why: why.profile, ...customer },
    ...['/admin/dashboard', '/admin/orders', '/admin/products'].map((path) => ({
      path,
      visits: 3,
      why: why.console,
      ...owner,
    })),
  ];
  const rows: Row[] = [];
  for (const page of pages) rows.push(await pageRow(shopUrl, page));
  return rows;
}

async function pageRow(shopUrl: string, { path, visits, why, ...visitor }: Visited): Promise<Row> {
  const seen: Figures[] = [];
  for (let visit = 0; visit < visits; visit += 1) seen.push(await figuresOf(shopUrl + path, visitor));
  const usual = (name: keyof Figures) => median(seen.map((figures) => figures[name] ?? 0));
  const others = visitor.isPrivate ? (['accessibility', 'best-practices'] as const) : scoresOfPublicPages;
  const names = others.map((name) => (name === 'seo' ? 'SEO' : name.replace('-', ' '))).join(', ');
  const scores = others.map(usual);
  return row(
    `Lighthouse, phone on a slow network: ${path}`,
    `performance ${usual('performance')}; ${names} ${scores.join(', ')} (median of ${visits}); first paint ${usual('firstPaint')} ms, largest ${usual('largestPaint')} ms, blocked ${usual('blocked')} ms, ${usual('scripts')} KiB of scripts in all`,
    'performance ≥ 97, the others 100',
    usual('performance') >= 97 && scores.every((score) => score === 100),
    `${why} Lighthouse multiplies the time of every task by four and counts what is above 50 ms as blocked: here tasks above 12 ms. Its index of this machine’s speed was ${usual('machine')}, and the processor does all the drawing.`,
  );
}

async function figuresOf(url: string, visitor: Visitor): Promise<Figures> {
  const script = join(import.meta.dirname, 'lighthouse/visit.mjs');
  const args = [script, url, chromiumPath() ?? '', JSON.stringify(visitor)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Figures;
}
