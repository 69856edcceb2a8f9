import type { Measured } from './measured.ts';
import type { Plan } from './plan.ts';
import type { Costs, Simulated, Span } from './simulate.ts';
import { percentileOfAll } from './waits.ts';

const number = (value: number, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const plain = (value: number) => number(value, value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4);
const ms = (seconds: number) => (seconds < 1 ? `${plain(seconds * 1000)} ms` : `${number(seconds, 1)} s`);
const percent = (share: number) => `${number(share * 100)} %`;

export function measuredTable(measured: Measured, costs: Costs): string {
  const rows = [
    ['home page, kept in memory', `${number(measured.keptPerSecond)}/s`, ms(costs.kept.web), '—'],
    [
      'home page, rendered',
      `${number(measured.renderedPerSecond)}/s`,
      ms(costs.rendered.web),
      ms(costs.rendered.database),
    ],
    ['whole order over HTTP', `${number(measured.ordersPerSecond)}/s`, ms(costs.order.web), ms(costs.order.database)],
    ['request for a cart', 'assumed', ms(costs.cart.web), ms(costs.cart.database)],
  ];
  const halfFull = (seconds: number) => number(0.5 / seconds);
  return `Measured on ${measured.at}, ${measured.cores} cores shared by shop, database and client; ${number(measured.idleMegabytes)} MB idle, ${number(measured.loadedMegabytes)} MB loaded.

| one of these | measured | core time of the node | core time of the database |
|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

So a node with one core of its own, half full, serves ${halfFull(costs.kept.web)} kept pages a second, or ${halfFull(costs.rendered.web)} rendered ones, or ${halfFull(costs.order.web)} orders; each core of the
database, full, takes ${number(1 / costs.order.database)} orders a second.`;
}

export function arithmeticTable(plans: readonly Plan[]): string {
  const line = (what: string, value: (plan: Plan) => string) => `| ${[what, ...plans.map(value)].join(' | ')} |`;
  return `| customers | ${plans.map(({ customers }) => number(customers)).join(' | ')} |
|---|${plans.map(() => '---|').join('')}
${[
  line('visits on the day', ({ visits }) => number(visits)),
  line('visits begun a second, busiest quarter of an hour', ({ busiest }) => plain(busiest.visits)),
  line('pages a second then', ({ busiest }) => plain(busiest.pages)),
  line('orders a second then', ({ busiest }) => plain(busiest.orders)),
  line('orders on the day', ({ visits, day }) => number(visits * day.habits.orderShare)),
  line('nodes that would be full', ({ webLoad }) => plain(webLoad)),
  line('database cores that would be full', ({ databaseLoad }) => plain(databaseLoad)),
  line('**nodes, half full**', ({ nodes }) => `**${number(nodes)}**`),
  line('**database cores, half full**', ({ databaseCores }) => `**${number(databaseCores)}**`),
  line('memory of all nodes at most, 400 MB each', ({ nodes }) => `${plain(nodes * 0.4)} GB`),
].join('\n')}`;
}

export type Outcome = { title: string; plan: Plan; simulated: Simulated };

export function rushTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ title, plan, simulated }) => {
    const { spans, spanSeconds } = simulated;
    const busiest = spans.reduce((most, span) => (span.requests > most.requests ? span : most));
    const evening = spans.slice(76, 84);
    const all = (value: (span: Span) => number) => evening.reduce((sum, span) => sum + value(span), 0);
    const share = (of: readonly Span[], busy: 'webBusy' | 'databaseBusy', by: number) =>
      of.reduce((sum, span) => sum + span[busy], 0) / of.length / spanSeconds / by;
    return [
      title,
      `${plain(busiest.requests / spanSeconds)}/s`,
      percent(all(({ hits }) => hits) / all(({ pages }) => pages)),
      percent(share([busiest], 'webBusy', plan.day.nodes)),
      percent(share([busiest], 'databaseBusy', plan.day.databaseCores)),
      `${ms(
        percentileOfAll(
          evening.map(({ waits }) => waits),
          0.5,
        ),
      )}, ${ms(
        percentileOfAll(
          evening.map(({ waits }) => waits),
          0.99,
        ),
      )}`,
      `${ms(
        percentileOfAll(
          evening.map(({ orderWaits }) => orderWaits),
          0.5,
        ),
      )}, ${ms(
        percentileOfAll(
          evening.map(({ orderWaits }) => orderWaits),
          0.99,
        ),
      )}`,
    ];
  });
  return `| customers | requests, busiest quarter | pages kept, 19:00 to 21:00 | nodes busy then | database busy then | time to an answer then, p50, p99 | for an order, p50, p99 |
|---|---|---|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`;
}

/** Puts a text between its two marks of a page. */
export function withBlock(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: written by bench/diwali-rush.ts -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/scale.md has no place for ${name}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}
