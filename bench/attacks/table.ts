// The table of attacks in docs/security.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { measuredCommit } from '../report.ts';
import type { AttackReport } from './load-generator.ts';
import type { VisitorImpact } from './other-visitors.ts';

export const limitMs = 150;
const page = join(import.meta.dirname, '../../docs/security.md');
const [begin, end] = ['<!-- attacks: written by bench/attacks.ts -->', '<!-- end of attacks -->'];

/** `idle`: what others notice with the same load generator aimed at a server that does no work. */
export type Measured = {
  what: string;
  impact: VisitorImpact;
  attack: { report: AttackReport; idle: VisitorImpact } | null;
};

export const isMissed = ({ impact }: Measured): boolean =>
  !(impact.p99 < limitMs) || impact.failures.length > 0 || impact.orders === 0;

const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;

const responses = ({ statuses }: AttackReport) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`)
    .join(', ');

export function line({ what, impact, attack }: Measured): string {
  const p99 = impact.p99 < limitMs ? milliseconds(impact.p99) : `**${milliseconds(impact.p99)}**`;
  const failed = [...new Set(impact.failures)].join(', ');
  const orders = failed ? `${impact.orders}, **failed: ${failed}**` : String(impact.orders);
  const client = attack
    ? [responses(attack.report), `${(attack.report.cpuMs / 1000).toFixed(1)} s`, milliseconds(attack.idle.p99)]
    : ['–', '–', '–'];
  return `| ${[what, milliseconds(impact.p50), p99, orders, ...client].join(' | ')} |`;
}

function summary(measured: readonly Measured[]): string {
  const missed = measured.filter(isMissed).length;
  return missed === 0
    ? `In every row the p99 is below ${limitMs} ms and orders go on.`
    : `${missed} of ${measured.length} rows miss the goal of ${limitMs} ms, or an order failed.`;
}

export function writeTable(measured: readonly Measured[], seconds: number): void {
  const [before, rest] = readFileSync(page, 'utf8').split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the table`);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB)`;
  const table = [
    `Measured ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${measuredCommit()}, Node ${process.versions.node}, ${machine} shared by the shop, its`,
    `database and all clients; ${seconds} s for each attack. ${summary(measured)}`,
    '',
    '| one address sends | others: home page p50 | p99 | their orders | responses to the attacker | client: CPU time | p99 of others with this client at an empty server |',
    '|---|---|---|---|---|---|---|',
    ...measured.map(line),
  ].join('\n');
  writeFileSync(page, `${before}${begin}\n${table}\n${end}${after}`);
}
