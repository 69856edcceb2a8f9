import { newDataDir, type RunningShop, removeDataDir, startShop } from '../tests/support/shop.ts';
import { median, residentMegabytes } from './measure.ts';
import { type Row, row } from './report.ts';

/** Uses a fresh demo shop, and measures further starts if requested. */
export async function withDemoShop(
  use: (shop: RunningShop) => Promise<void>,
  add?: (rows: readonly Row[]) => void,
): Promise<void> {
  const dataDir = await newDataDir();
  try {
    const first = await startShop({ dataDir });
    await use(first);
    await first.stop();
    add?.(await secondStarts(dataDir));
  } finally {
    await removeDataDir(dataDir);
  }
}

async function secondStarts(dataDir: string): Promise<Row[]> {
  const seconds: number[] = [];
  const untilHealthy = async (command?: string[]): Promise<RunningShop> => {
    const started = performance.now();
    const shop = await startShop({ dataDir, ...(command && { command }) });
    const health = await fetch(`${shop.url}/healthz`);
    if (health.status !== 200) throw new Error(`/healthz answered ${health.status}`);
    seconds.push((performance.now() - started) / 1000);
    return shop;
  };
  for (let round = 0; round < 3; round += 1) await (await untilHealthy(['npm', 'start'])).stop();
  const usual = median(seconds);
  const shop = await untilHealthy();
  const megabytes = residentMegabytes(shop.process.pid);
  await shop.stop();
  return [
    row('second `npm start` to /healthz', `${usual.toFixed(1)} s (median of 3)`, '≤ 5 s', usual <= 5),
    row('memory of the web process, idle', `${megabytes} MB`, '≤ 250 MB', megabytes <= 250),
  ];
}
