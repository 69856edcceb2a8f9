import type { AddressFields } from '../addresses/address-book.ts';
import type { BoxLine } from '../boxes/box.ts';
import { type CartLine, defaultSize, maxQuantity, sizes } from '../cart/cart.ts';
import { formatGrams } from '../catalog/weight.ts';
import { formatPaise, paise } from '../money.ts';
import { type Gift, giftMotifs } from './gift.ts';

/** A line of an earlier gift, and what is different today. Prices are those of 500 g, of a piece, or of a box. */
export type LineAgain = {
  /** 0 for a box that the customer filled. */
  productId: number;
  box: Omit<BoxLine, 'quantity'> | null;
  name: string;
  /** null for what is sold by the piece. */
  sizeGrams: number | null;
  quantity: number;
  paiseThen: number;
  paiseNow: number;
  /** `resized`: it is now sold by the piece instead of by weight, or the other way round. */
  state: 'available' | 'out-of-stock' | 'resized' | 'gone';
  /** The sweets in a box that cannot be had today. */
  missing: string[];
};

/** Where it goes: an address of the book, the customer's own, or one that is in the book no more. */
export type DestinationAgain = Omit<AddressFields, 'label'> & {
  addressId: string | null;
  isOwn: boolean;
  isChanged: boolean;
  isReached: boolean;
};

export type GiftAgain = { gift: Gift; to: DestinationAgain; lines: LineAgain[] };

type Row = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** As `my_gift_again` returns it; null: there is no such gift. */
export function parseGiftAgain(answer: unknown): GiftAgain | null {
  const { gift, to, lines } = (answer ?? {}) as { gift?: Row; to?: Row; lines?: unknown };
  const motif = giftMotifs.find((one) => one === gift?.motif);
  if (!gift || !to || !motif || !Array.isArray(lines)) return null;
  return {
    gift: {
      motif,
      note: text(gift.note),
      senderName: text(gift.sender_name),
      recipientEmail: text(gift.recipient_email),
    },
    to: {
      addressId: typeof to.address_id === 'string' ? to.address_id : null,
      isOwn: to.is_own === true,
      isChanged: to.is_changed === true,
      isReached: to.is_reached === true,
      name: text(to.name),
      phone: text(to.phone),
      buildingNo: text(to.building_no),
      street: text(to.street),
      city: text(to.city),
      state: text(to.state),
      zip: text(to.zip),
    },
    lines: lines.map(lineAgain),
  };
}

/** Lines as the database lists them (private.lines_as_sold_today); null: there are none. */
export function linesAgain(answer: unknown): LineAgain[] | null {
  return Array.isArray(answer) ? answer.map(lineAgain) : null;
}

/** A line of an earlier order as the database lists it (private.lines_as_sold_today). */
export function lineAgain(row: Row): LineAgain {
  return {
    productId: Number(row.product_id),
    box: boxOf(row),
    name: text(row.name),
    sizeGrams: row.has_size === true ? Number(row.size) : null,
    quantity: Math.min(Number(row.quantity), maxQuantity),
    paiseThen: Number(row.paise_then),
    paiseNow: Number(row.paise_now ?? 0),
    state: stateOf(row),
    missing: Array.isArray(row.missing) ? row.missing.map(text) : [],
  };
}

function stateOf({ is_sold, is_available, is_other_size }: Row): LineAgain['state'] {
  if (is_sold !== true) return 'gone';
  if (is_other_size === true) return 'resized';
  return is_available === true ? 'available' : 'out-of-stock';
}

function boxOf({ box_id, contents }: Row): LineAgain['box'] {
  if (typeof box_id !== 'number' || !Array.isArray(contents)) return null;
  const portions: Row[] = contents;
  return {
    boxId: box_id,
    contents: portions.map(({ product_id, pieces }) => ({ productId: Number(product_id), pieces: Number(pieces) })),
  };
}

/** The filled boxes that can be bought of it today. */
export function boxesToSend(lines: readonly LineAgain[]): BoxLine[] {
  return lines.flatMap(({ box, quantity, state }) => (box && state === 'available' ? [{ ...box, quantity }] : []));
}

/** What can be bought of it today, but boxes; by the piece it stands under the default size. */
export function linesToSend(lines: readonly LineAgain[]): CartLine[] {
  return lines
    .filter(({ box, state }) => box === null && state === 'available')
    .map(({ productId, sizeGrams, quantity }) => ({
      productId,
      size: sizes.find((size) => size === sizeGrams) ?? defaultSize,
      quantity,
    }));
}

/** What changed of the goods since then, a sentence each. */
export function goodsChanges(lines: readonly LineAgain[]): string[] {
  return lines.flatMap((line) => {
    const name = line.sizeGrams === null ? line.name : `${line.name} (${formatGrams(line.sizeGrams)})`;
    if (line.missing.length > 0 && line.state !== 'available')
      return [
        `${name}: ${line.missing.join(', ')} can’t be had right now, so this box is left out. You can fill a new one.`,
      ];
    if (line.state === 'resized')
      return [
        `${line.name} is now sold ${line.sizeGrams === null ? 'by weight' : 'by the piece'} and is left out. Choose how much you’d like in the shop.`,
      ];
    if (line.state === 'gone') return [`${name} is no longer available and is left out.`];
    if (line.state === 'out-of-stock') return [`${name} is out of stock right now and is left out.`];
    if (line.paiseNow === line.paiseThen) return [];
    const [now, then] = [line.paiseNow, line.paiseThen].map((price) => formatPaise(priceOf(line, price)));
    return [`${name} now costs ${now}. It was ${then}.`];
  });
}

const priceOf = ({ sizeGrams }: LineAgain, price: number) => paise(Math.round((price * (sizeGrams ?? 500)) / 500));

/** What changed since then: of the goods and of the address. */
export function giftChanges({ to, lines }: GiftAgain): string[] {
  return [...goodsChanges(lines), ...addressChanges(to)];
}

function addressChanges({ addressId, isOwn, isChanged, isReached, name, zip }: DestinationAgain): string[] {
  const changes: string[] = [];
  if (addressId === null && !isOwn)
    changes.push(`The address of ${name} is no longer in your address book. We’ll add it again.`);
  if (isChanged) changes.push('The address has changed since. It goes to the one in your address book.');
  if (!isReached) changes.push(`We no longer deliver to ${zip}. Choose another address at checkout.`);
  return changes;
}
