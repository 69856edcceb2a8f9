import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../scripts/find-chromium.mjs';
import { storedSession } from './browser.ts';
import { median } from './measure.ts';
import { type Row, row } from './report.ts';

/** What the browser has from an earlier visit, and whether search engines are told to leave the page alone. */
type Visitor = { session?: string; cookies?: Record<string, string>; isPrivate?: boolean };
type Visited = Visitor & { path: string; visits: number };

const scoresOfPublicPages = ['accessibility', 'best-practices', 'seo'] as const;
type Score = 'performance' | (typeof scoresOfPublicPages)[number];
type Figures = Partial<Record<Score | 'firstPaint' | 'largestPaint' | 'blocked' | 'machine' | 'scripts', number>>;

const lists = { cart: '{%2230%22:{%22500%22:1}}', checkout: '{%229%22:{%22500%22:2},%2210%22:{%22500%22:1}}' };

/** Public pages, the customer's own and three of the console, as a phone on a slow network sees them. */
export async function lighthouseRows(shopUrl: string): Promise<Row[]> {
  const customer = { session: await storedSession(shopUrl, 'Priya Sharma'), isPrivate: true };
  const owner = { session: await storedSession(shopUrl, 'Asha Rao'), isPrivate: true };
  const pages: Visited[] = [
    ...['/', '/shop', '/product/1'].map((path) => ({ path, visits: 5 })),
    { path: '/terms', visits: 3 },
    { path: '/cart', visits: 3, ...customer, cookies: lists },
    { path: '/profile', visits: 3, ...customer },
    ...['/admin/dashboard', '/admin/orders', '/admin/products'].map((path) => ({ path, visits: 3, ...owner })),
  ];
  const rows: Row[] = [];
  for (const page of pages) rows.push(await pageRow(shopUrl, page));
  return rows;
}

async function pageRow(shopUrl: string, { path, visits, ...visitor }: Visited): Promise<Row> {
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
    `Both paints score 97 to 100; what is missing is the time that tasks block. Lighthouse takes four times what they take here, where its own index of the machine's speed is ${usual('machine')} and nothing but the processor draws: looked at by hand, the first layout of a page with letters alone took 60 to 80 ms, React and its start another 50.`,
  );
}

async function figuresOf(url: string, visitor: Visitor): Promise<Figures> {
  const script = join(import.meta.dirname, 'lighthouse/visit.mjs');
  const args = [script, url, chromiumPath() ?? '', JSON.stringify(visitor)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Figures;
}
