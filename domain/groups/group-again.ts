import { type GiftMotif, giftMotifs } from '../gifts/gift.ts';
import { goodsChanges, type LineAgain, lineAgain, linesToSend } from '../gifts/send-again.ts';
import { type Box, emptyDraft, type GroupDraft } from './group-draft.ts';
import { boxLetters, emptyRecipient, maxRecipients, type RecipientFields } from './recipient.ts';

type Row = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An earlier group as a list that can be sent again, and what changed since, a sentence each. */
export type GroupAgain = { draft: GroupDraft; changes: string[] };

/** As `my_group_again` returns it; null: there is no such group. Chosen days are past and stay empty. */
export function groupAgainFrom(answer: unknown): GroupAgain | null {
  const { card, recipients } = (answer ?? {}) as { card?: Row; recipients?: unknown };
  if (!Array.isArray(recipients) || recipients.length === 0) return null;
  const rows: Row[] = recipients.slice(0, maxRecipients);
  const contents = rows.map(({ lines }) => (Array.isArray(lines) ? lines.map(lineAgain) : []));
  const kinds = [...new Map(contents.map((lines) => [keyOf(lines), lines])).values()].slice(0, boxLetters.length);
  const letters = new Map(kinds.map((lines, place) => [keyOf(lines), boxLetters[place] ?? '']));
  const notes = new Set(rows.map(({ note }) => text(note)));
  const [only = ''] = notes;
  const sharedNote = notes.size === 1 ? only : '';
  const motif: GiftMotif = giftMotifs.find((one) => one === card?.motif) ?? emptyDraft.card.motif;
  return {
    draft: {
      ...emptyDraft,
      boxes: kinds.map((lines): Box => linesToSend(lines)),
      rows: rows.map((row, place) => ({
        id: place + 1,
        fields: fieldsOf(row, letters.get(keyOf(contents[place] ?? [])) ?? '', sharedNote),
      })),
      card: { motif, senderName: text(card?.sender_name), note: sharedNote },
    },
    changes: [...new Set(kinds.flatMap(goodsChanges)), ...unreached(rows)],
  };
}

/** Which boxes are the same: by what is in them. */
const keyOf = (lines: readonly LineAgain[]): string =>
  lines
    .map(({ productId, sizeGrams, quantity }) => `${productId} ${sizeGrams} ${quantity}`)
    .sort()
    .join();

function fieldsOf(row: Row, box: string, sharedNote: string): RecipientFields {
  return {
    ...emptyRecipient,
    name: text(row.name),
    phone: text(row.phone),
    buildingNo: text(row.building_no),
    street: text(row.street),
    city: text(row.city),
    state: text(row.state),
    pincode: text(row.zip),
    box,
    note: sharedNote === '' ? text(row.note) : '',
    email: text(row.email),
  };
}

const mostNamed = 3;

function unreached(rows: readonly Row[]): string[] {
  const names = rows
    .filter(({ is_reached }) => is_reached === false)
    .map(({ name, zip }) => `${text(name)} (${text(zip)})`);
  if (names.length === 0) return [];
  const more = names.length - mostNamed;
  const named = names.slice(0, mostNamed).join(', ');
  return [`We no longer deliver to ${named}${more > 0 ? ` and ${more} more` : ''}. Change the address or remove them.`];
}
