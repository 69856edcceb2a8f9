import type { DiskUsage } from './disk-usage.ts';
import type { Costs, Measured } from './measured.ts';
import type { Plan } from './plan.ts';

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const plain = (value: number) => number(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4);
const ms = (seconds: number) => (seconds < 1 ? `${plain(seconds * 1000)} ms` : `${number(seconds, 1)} s`);

export function measuredTable(measured: Measured, costs: Costs): string {
  const rows = [
    ['home page, cached', `${number(measured.cachedPerSecond)}/s`, ms(costs.cached.node), '—'],
    [
      'home page, rendered',
      `${number(measured.renderedPerSecond)}/s`,
      ms(costs.rendered.node),
      ms(costs.rendered.database),
    ],
    ['whole order over HTTP', `${number(measured.ordersPerSecond)}/s`, ms(costs.order.node), ms(costs.order.database)],
    ['request for a cart', 'assumed', ms(costs.cart.node), ms(costs.cart.database)],
  ];
  const halfFull = (seconds: number) => number(0.5 / seconds);
  return `Measured on ${measured.at}, ${measured.cores} cores shared by shop, database and client; ${number(measured.idleMegabytes)} MB idle, ${number(measured.loadedMegabytes)} MB loaded.

| one of these | measured | core time of the node | core time of the database |
|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

So a node with one core of its own, half full, serves ${halfFull(costs.cached.node)} cached pages a second, or ${halfFull(costs.rendered.node)} rendered ones, or ${halfFull(costs.order.node)} orders; each core of the
database, full, takes ${number(1 / costs.order.database)} orders a second.`;
}

export function planTable(plans: readonly Plan[]): string {
  const line = (what: string, value: (plan: Plan) => string) => `| ${[what, ...plans.map(value)].join(' | ')} |`;
  return `| customers | ${plans.map(({ customers }) => number(customers)).join(' | ')} |
|---|${plans.map(() => '---|').join('')}
${[
  line('visits on the day', ({ visits }) => number(visits)),
  line('visits begun a second, busiest quarter of an hour', ({ busiest }) => plain(busiest.visits)),
  line('pages a second then', ({ busiest }) => plain(busiest.pages)),
  line('orders a second then', ({ busiest }) => plain(busiest.orders)),
  line('orders on the day', ({ orders }) => number(orders)),
  line('nodes that would be full', ({ nodeLoad }) => plain(nodeLoad)),
  line('database cores that would be full', ({ databaseLoad }) => plain(databaseLoad)),
  line('**nodes, half full**', ({ nodes }) => `**${number(nodes)}**`),
  line('**database cores, half full**', ({ databaseCores }) => `**${number(databaseCores)}**`),
  line('memory of all nodes at most, 400 MB each', ({ nodes }) => `${plain(nodes * 0.4)} GB`),
].join('\n')}`;
}

export function diskUsage(rows: number, { bytesPerOrder, bytesPerCustomer }: DiskUsage): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  return `Measured with ${number(rows)} of each: an order takes ${kilobytes(bytesPerOrder)} on the disk, with its lines, events, payment,
stock movements and indexes; a customer ${kilobytes(bytesPerCustomer)}. A million orders are ${(bytesPerOrder / 1000).toFixed(1)} GB, ten
million customers ${(bytesPerCustomer / 100).toFixed(0)} GB.`;
}

/** Puts a text between its two marks of a page. */
export function withBlock(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: written by bench/capacity.ts -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/scale.md has no place for ${name}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}
