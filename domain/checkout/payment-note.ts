import { type CartLine, type CartMap, cartMapFrom, linesOf, withAdded } from '../cart/cart.ts';

/** What a browser remembers of a payment that it has begun, should it be closed before it knows the end. */
export type PaymentNote = {
  providerOrderId: string;
  userId: string;
  source: 'cart' | 'direct';
  lines: CartLine[];
  startedAt: number;
  standing: Standing;
};

/** `open`: its dialog was there when last heard of. `doubtful`: it was paid, or nobody knows, as its answer never came. */
export type Standing = 'open' | 'closed' | 'doubtful';

const day = 24 * 60 * 60_000;
const most = 5;

/** What local storage holds, made safe; notes older than a day are left out. */
export function notesFrom(text: string | null, now: number): PaymentNote[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.flatMap(noteFrom).filter(({ startedAt }) => now - startedAt < day && startedAt <= now);
  } catch {
    return [];
  }
}

function noteFrom(value: Record<string, unknown> | null): PaymentNote[] {
  const { providerOrderId, userId, source, lines, startedAt, standing } = value ?? {};
  if (typeof providerOrderId !== 'string' || typeof userId !== 'string' || typeof startedAt !== 'number') return [];
  if (source !== 'cart' && source !== 'direct') return [];
  return [
    {
      providerOrderId,
      userId,
      source,
      lines: linesOf(cartMapFrom(lines)),
      startedAt,
      standing: standing === 'open' || standing === 'doubtful' ? standing : 'closed',
    },
  ];
}

export function notesText(notes: readonly PaymentNote[]): string {
  return JSON.stringify(notes.map((note) => ({ ...note, lines: mapOf(note.lines) })));
}

function mapOf(lines: readonly CartLine[]): CartMap {
  return lines.reduce<CartMap>((map, { productId, size, quantity }) => withAdded(map, productId, size, quantity), {});
}

export function withNote(notes: readonly PaymentNote[], note: PaymentNote): PaymentNote[] {
  return [...withoutNote(notes, note.providerOrderId), note].slice(-most);
}

export function withoutNote(notes: readonly PaymentNote[], providerOrderId: string): PaymentNote[] {
  return notes.filter((note) => note.providerOrderId !== providerOrderId);
}

/** Payments of this person for just these lines, the latest first. */
export function notesFor(
  notes: readonly PaymentNote[],
  { userId, source, lines }: Pick<PaymentNote, 'userId' | 'source'> & { lines: readonly CartLine[] },
): PaymentNote[] {
  const wanted = textOf(lines);
  return notes
    .filter((note) => note.userId === userId && note.source === source && textOf(note.lines) === wanted)
    .toReversed();
}

function textOf(lines: readonly CartLine[]): string {
  return lines
    .map(({ productId, size, quantity }) => `${productId}/${size}/${quantity}`)
    .sort()
    .join();
}
