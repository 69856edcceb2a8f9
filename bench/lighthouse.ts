import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../scripts/find-chromium.mjs';
import { median } from './measure.ts';
import { type Row, row } from './report.ts';

const visits = 5;

/** Home, shop and a product as a phone on a slow network sees them, the median of five visits each. */
export async function lighthouseRows(shopUrl: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of ['/', '/shop', '/product/1']) {
    const seen: number[][] = [];
    for (let visit = 0; visit < visits; visit += 1) seen.push(await scoresOf(shopUrl + path));
    const [performance = 0, ...others] = [0, 1, 2, 3].map((place) => median(seen.map((scores) => scores[place] ?? 0)));
    rows.push(
      row(
        `Lighthouse, phone on a slow network: ${path}`,
        `performance ${performance}; accessibility, best practices, SEO ${others.join(', ')} (median of ${visits})`,
        'performance ≥ 98, the others 100',
        performance >= 98 && others.every((score) => score === 100),
      ),
    );
  }
  return rows;
}

async function scoresOf(url: string): Promise<number[]> {
  const script = join(import.meta.dirname, 'lighthouse/visit.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, chromiumPath() ?? '']);
  return JSON.parse(stdout) as number[];
}
