import { cpus } from 'node:os';

export type Row = { what: string; measured: string; budget: string; held: boolean };

export const row = (what: string, measured: string, budget: string, held: boolean): Row => ({
  what,
  measured,
  budget,
  held,
});

export function printed({ what, measured, budget, held }: Row): string {
  return `${held ? 'held  ' : 'MISSED'}  ${what}: ${measured}, budget ${budget}\n`;
}

/** bench/results.md: what was seen, on what, when. */
export function resultsPage(rows: readonly Row[], at: Date): string {
  const missed = rows.filter(({ held }) => !held).length;
  const verdict = missed === 0 ? 'Every budget was held.' : `${missed} of ${rows.length} budgets were missed.`;
  const lines = rows.map(
    ({ what, measured, budget, held }) => `| ${held ? '' : '**missed** '}${what} | ${measured} | ${budget} |`,
  );
  return `# What \`npm run bench\` measured

${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus().length} cores (${process.arch}) shared by shop, database and client, Node ${process.versions.node}. ${verdict}

| what | measured | budget |
|---|---|---|
${lines.join('\n')}

How the console grows with the shop: 2,000, 20,000 and 200,000 orders.

![Time in the database at 1, 10 and 100 times the data](growth.svg)
`;
}
