import type { CartLine } from '../cart/cart.ts';

/** Why one product of a cart cannot be ordered now. */
export type LineProblem = { productId: number; sentence: string };

type Refused = { ok: false; problem: { reason: string; lines?: readonly LineProblem[] } };

export type PartialQuote<Answer> = {
  /** The quote for the remaining lines; null when none remain. */
  answer: Answer | null;
  /** Lines that are not in the quote. */
  heldBack: LineProblem[];
};

/** A rejection for stock names one product at a time. */
const maxRounds = 6;

/** Quotes the lines that can be ordered: products that the server rejects by name are left out, and the rest is quoted again. */
export async function quoteAvailableLines<Answer extends { ok: true } | Refused>(
  lines: readonly CartLine[],
  ask: (lines: readonly CartLine[]) => Promise<Answer>,
): Promise<PartialQuote<Answer>> {
  const heldBack: LineProblem[] = [];
  for (let round = 1; ; round += 1) {
    const rest = withoutHeldBack(lines, heldBack);
    if (rest.length === 0) return { answer: null, heldBack };
    const answer = await ask(rest);
    const named = answer.ok ? [] : (answer.problem.lines ?? []).filter((line) => isAmong(rest, line));
    if (named.length === 0 || round === maxRounds) return { answer, heldBack };
    heldBack.push(...named);
  }
}

export function withoutHeldBack(lines: readonly CartLine[], heldBack: readonly LineProblem[]): CartLine[] {
  return lines.filter(({ productId }) => !heldBack.some((held) => held.productId === productId));
}

const isAmong = (lines: readonly CartLine[], { productId }: LineProblem) =>
  lines.some((line) => line.productId === productId);
