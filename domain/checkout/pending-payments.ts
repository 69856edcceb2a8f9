import { linesFrom } from '../boxes/box-lists.ts';
import { type CartLine, type CartMap, cartMapFrom, linesOf } from '../cart/cart.ts';
import { withAdded } from '../cart/cart-lists.ts';
import { isBox, isProduct, lineKey, type OrderLine } from './order-line.ts';

/** A started payment, stored in the browser in case it is closed before the result is known. */
export type PendingPayment = {
  providerOrderId: string;
  userId: string;
  source: 'cart' | 'direct';
  lines: OrderLine[];
  startedAt: number;
  standing: DialogState;
};

/** `open`: the payment dialog was still open. `doubtful`: paid, or unknown because the response never came. */
export type DialogState = 'open' | 'closed' | 'doubtful';

const day = 24 * 60 * 60_000;
const maxPayments = 5;

/** Parses local storage; entries older than a day are dropped. */
export function parsePendingPayments(text: string | null, now: number): PendingPayment[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.flatMap(parsePendingPayment).filter(({ startedAt }) => now - startedAt < day && startedAt <= now);
  } catch {
    return [];
  }
}

function parsePendingPayment(value: Record<string, unknown> | null): PendingPayment[] {
  const { providerOrderId, userId, source, lines, boxes, startedAt, standing } = value ?? {};
  if (typeof providerOrderId !== 'string' || typeof userId !== 'string' || typeof startedAt !== 'number') return [];
  if (source !== 'cart' && source !== 'direct') return [];
  return [
    {
      providerOrderId,
      userId,
      source,
      lines: [...linesOf(cartMapFrom(lines)), ...linesFrom(boxes)],
      startedAt,
      standing: standing === 'open' || standing === 'doubtful' ? standing : 'closed',
    },
  ];
}

export function serializePendingPayments(notes: readonly PendingPayment[]): string {
  return JSON.stringify(
    notes.map(({ lines, ...note }) => ({ ...note, lines: mapOf(lines.filter(isProduct)), boxes: lines.filter(isBox) })),
  );
}

function mapOf(lines: readonly CartLine[]): CartMap {
  return lines.reduce<CartMap>((map, { productId, size, quantity }) => withAdded(map, productId, size, quantity), {});
}

export function withPendingPayment(notes: readonly PendingPayment[], note: PendingPayment): PendingPayment[] {
  return [...withoutPendingPayment(notes, note.providerOrderId), note].slice(-maxPayments);
}

export function withoutPendingPayment(notes: readonly PendingPayment[], providerOrderId: string): PendingPayment[] {
  return notes.filter((note) => note.providerOrderId !== providerOrderId);
}

/** Pending payments of this customer for exactly these lines, latest first. */
export function pendingPaymentsFor(
  notes: readonly PendingPayment[],
  { userId, source, lines }: Pick<PendingPayment, 'userId' | 'source'> & { lines: readonly OrderLine[] },
): PendingPayment[] {
  const wanted = textOf(lines);
  return notes
    .filter((note) => note.userId === userId && note.source === source && textOf(note.lines) === wanted)
    .toReversed();
}

function textOf(lines: readonly OrderLine[]): string {
  return lines
    .map((line) => `${lineKey(line)}/${line.quantity}`)
    .sort()
    .join();
}
