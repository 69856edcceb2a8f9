import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/** `why`: what is known of a budget that is missed. */
export type Row = { what: string; measured: string; budget: string; held: boolean; why?: string | undefined };

export const row = (what: string, measured: string, budget: string, held: boolean, why?: string): Row => ({
  what,
  measured,
  budget,
  held,
  why,
});

export function printed({ what, measured, budget, held }: Row): string {
  return `${held ? 'held  ' : 'MISSED'}  ${what}: ${measured}, budget ${budget}\n`;
}

/** What was measured: a commit, and whether more than it. Reports are no part of it. */
export function measuredCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', ':/', ':!/docs', ':!/bench/results.md', ':!/bench/growth.svg');
    return `commit ${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' and changes to it' : ''}`;
  } catch {
    return 'no commit';
  }
}

/** bench/results.md: what was seen, on what, when. */
export function resultsPage(rows: readonly Row[], at: Date, isWhole: boolean): string {
  const missed = rows.filter(({ held }) => !held).length;
  const verdict = missed === 0 ? 'Every budget was held.' : `${missed} of ${rows.length} budgets were missed.`;
  const lines = rows.map(
    ({ what, measured, budget, held }) => `| ${held ? '' : '**missed** '}${what} | ${measured} | ${budget} |`,
  );
  const reasons = rows.flatMap(({ what, held, why }) => (!held && why ? [`- **${what}.** ${why}`] : []));
  return `# What \`npm run bench\` measured

${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} cores (${process.arch}) shared by shop, database and client, Node ${process.versions.node}, ${measuredCommit()}. ${isWhole ? verdict : 'Not finished.'}

| what | measured | budget |
|---|---|---|
${lines.join('\n')}
${reasons.length > 0 ? `\n## Missed, and why\n\n${reasons.join('\n')}\n` : ''}
How the console grows with the shop: 2,000, 20,000 and 200,000 orders.

![Time in the database at 1, 10 and 100 times the data](growth.svg)
`;
}
