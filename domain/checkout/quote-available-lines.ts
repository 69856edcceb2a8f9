import { boxKey } from '../boxes/box.ts';
import type { CartLine } from '../cart/cart.ts';
import { isBox, type OrderLine } from './order-line.ts';

/** Why one product of a cart cannot be ordered now; with `boxKey`: why a box with it cannot. */
export type LineProblem = { productId: number; sentence: string; boxKey?: string };

/** What the server blames: a product, in whatever line it is, or a size of box. */
export type ToldProblem = { productId?: number; boxId?: number; sentence: string };

type Refused = { ok: false; problem: { reason: string; lines?: readonly ToldProblem[] } };

export type PartialQuote<Answer> = {
  /** The quote for the remaining lines; null when none remain. */
  answer: Answer | null;
  /** Lines that are not in the quote. */
  heldBack: LineProblem[];
};

/** A rejection for stock names one product at a time; its boxes go first, because the rest of it may be enough. */
const maxRounds = 9;

/** Quotes the lines that can be ordered: products that the server rejects by name are left out, and the rest is quoted again. */
export async function quoteAvailableLines<Line extends OrderLine, Answer extends { ok: true } | Refused>(
  lines: readonly Line[],
  ask: (lines: readonly Line[]) => Promise<Answer>,
): Promise<PartialQuote<Answer>> {
  const heldBack: LineProblem[] = [];
  for (let round = 1; ; round += 1) {
    const rest = withoutHeldBack(lines, heldBack);
    if (rest.length === 0) return { answer: null, heldBack };
    const answer = await ask(rest);
    const named = answer.ok ? [] : (answer.problem.lines ?? []).flatMap((told) => blamed(rest, told));
    if (named.length === 0 || round === maxRounds) return { answer, heldBack };
    heldBack.push(...named);
  }
}

export function withoutHeldBack<Line extends OrderLine>(
  lines: readonly Line[],
  heldBack: readonly LineProblem[],
): Line[] {
  return lines.filter((line) => !heldBack.some((held) => isAbout(held, line)));
}

const isAbout = (held: LineProblem, line: OrderLine): boolean =>
  isBox(line) ? held.boxKey === boxKey(line) : held.boxKey === undefined && held.productId === line.productId;

/** The boxes with that sweet, or of that size; where there are none, the product's own lines. */
function blamed(lines: readonly OrderLine[], { productId, boxId, sentence }: ToldProblem): LineProblem[] {
  const boxes = lines
    .filter(isBox)
    .filter((box) => box.boxId === boxId || box.contents.some((portion) => portion.productId === productId));
  if (boxes.length > 0) return boxes.map((box) => ({ productId: productId ?? 0, sentence, boxKey: boxKey(box) }));
  const isAmong = lines.some((line): line is CartLine => !isBox(line) && line.productId === productId);
  return isAmong && productId !== undefined ? [{ productId, sentence }] : [];
}
