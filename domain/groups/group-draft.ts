import { maxQuantity, type Size, sizes } from '../cart/cart.ts';
import { giftMotifs } from '../gifts/gift.ts';
import {
  boxLetters,
  emptyRecipient,
  fieldNames,
  type GroupCard,
  maxRecipients,
  type RecipientFields,
} from './recipient.ts';

export type BoxLine = { productId: number; size: Size; quantity: number };
export type Box = BoxLine[];
/** `id` tells rows apart while they are edited and moved. */
export type Row = { id: number; fields: RecipientFields };

/** Everything that was typed, kept in the browser until it is paid for. */
export type GroupDraft = {
  boxes: Box[];
  rows: Row[];
  card: GroupCard;
  /** The payment that was opened last; it may have been made in a window that was closed. */
  begun: string | null;
  /** A payment that was made, or may have been: its orders are being placed. */
  paying: string | null;
};

export const emptyDraft: GroupDraft = {
  boxes: [[]],
  rows: [],
  card: { motif: 'diwali', senderName: '', note: '' },
  begun: null,
  paying: null,
};

/** What local storage holds, or what an older page or another hand left there: what makes no sense is left out. */
export function parseDraft(text: string | null): GroupDraft {
  let stored: Record<string, unknown>;
  try {
    stored = (JSON.parse(text ?? 'null') ?? {}) as Record<string, unknown>;
  } catch {
    return emptyDraft;
  }
  const boxes = listOf(stored.boxes)
    .slice(0, boxLetters.length)
    .map((box) => listOf(box).flatMap(lineFrom));
  const card = (stored.card ?? {}) as Record<string, unknown>;
  return {
    boxes: boxes.length > 0 ? boxes : emptyDraft.boxes,
    rows: listOf(stored.rows)
      .slice(0, maxRecipients)
      .map((row, place) => ({ id: place + 1, fields: fieldsFrom(row) })),
    card: {
      motif: giftMotifs.find((one) => one === card.motif) ?? emptyDraft.card.motif,
      senderName: textOf(card.senderName),
      note: textOf(card.note),
    },
    begun: textOf(stored.begun) || null,
    paying: textOf(stored.paying) || null,
  };
}

export const serializeDraft = ({ rows, ...draft }: GroupDraft): string =>
  JSON.stringify({ ...draft, rows: rows.map(({ fields }) => fields) });

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function lineFrom(value: unknown): Box {
  const { productId, size, quantity } = (value ?? {}) as Record<string, unknown>;
  const isWhole = (number: unknown, most: number): number is number =>
    Number.isSafeInteger(number) && (number as number) >= 1 && (number as number) <= most;
  const known = sizes.find((one) => one === size);
  return isWhole(productId, Number.MAX_SAFE_INTEGER) && known && isWhole(quantity, maxQuantity)
    ? [{ productId, size: known, quantity }]
    : [];
}

function fieldsFrom(value: unknown): RecipientFields {
  const row = (value ?? {}) as Record<string, unknown>;
  const fields = { ...emptyRecipient };
  for (const name of fieldNames) fields[name] = textOf(row[name]);
  return fields;
}
