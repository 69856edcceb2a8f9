import { formatGrams } from '../catalog/weight.ts';
import { formatPaise, type Paise, paise } from '../money.ts';
import { calendarDay, formatCalendarDay, formatTime, instantFrom } from '../time.ts';
import { dayAfter } from './promise.ts';

/** A sweet that would not survive the journey. */
export type Spoiled = {
  product_id: number;
  product: string;
  shelf_life_days: number;
  travel_days: number;
  can_be_collected: boolean;
};

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`);

/** Why a sweet cannot be delivered, without its name. */
export function unreachableSentence({ shelf_life_days, travel_days }: Spoiled, pincode: string): string {
  return `Can’t reach ${pincode} fresh (${days(travel_days)} in transit, stays fresh for ${shelf_life_days}).`;
}

/** The same of several, of three at most by name, and what can be done instead. */
export function spoiledSentences(spoiled: readonly Spoiled[], pincode: string): string {
  const [only, ...others] = spoiled;
  if (!only) return '';
  const reason =
    others.length === 0
      ? `${only.product} ${lowerFirst(unreachableSentence(only, pincode))}`
      : `${listed(spoiled)} can’t reach ${pincode} fresh (${days(only.travel_days)} in transit, stay fresh for ${daysOf(spoiled)}).`;
  return spoiled.every(({ can_be_collected }) => can_be_collected)
    ? `${reason} You can pick ${others.length === 0 ? 'it' : 'them'} up at our counter.`
    : reason;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** For phone orders: a warning that does not block the order. */
export function spoiledCaution(spoiled: readonly Spoiled[]): string {
  const said = spoiled.map(({ product, shelf_life_days }) => `${product} (stays fresh for ${days(shelf_life_days)})`);
  const travel = days(spoiled[0]?.travel_days ?? 0);
  return `After ${travel} in transit, less than a third of the shelf life would be left: ${said.join(', ')}. Customers can’t order this, but you can.`;
}

function listed(spoiled: readonly Spoiled[]): string {
  const names = spoiled.map(({ product }) => product);
  if (names.length > 3) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function daysOf(spoiled: readonly Spoiled[]): string {
  const lives = spoiled.map(({ shelf_life_days }) => shelf_life_days);
  const [least, most] = [Math.min(...lives), Math.max(...lives)];
  return least === most ? days(least) : `${least} to ${days(most)}`;
}

/** A closure that moves the day, under way or to come. */
type Closed = { from: string; until: string; reason: string };

export type Suggestion = { product_id: number; product: string };

/** Parses the result of check_delivery; null when it is invalid. */
export type DeliveryCheck =
  | {
      ok: true;
      arrivesOn: string;
      today: string;
      orderBefore: Date;
      chargePaise: Paise;
      cartChargePaise: Paise;
      /** The cart's flat charge applies below this weight; null: to any weight. */
      cartFlatBelowGrams: number | null;
      closed: Closed | null;
      collectFrom: string | null;
      spoiled: Spoiled[];
      /** Up to three sweets that would arrive fresh, if the requested one would not. */
      instead: Suggestion[];
    }
  | { ok: false; reason: 'not-a-pincode' | 'too-heavy' | 'outside-zones' | 'closed' };

export function parseDeliveryCheck(answer: unknown): DeliveryCheck | null {
  const row = (answer ?? {}) as Record<string, unknown>;
  if (row.ok === false && typeof row.reason === 'string') return { ok: false, reason: row.reason as 'closed' };
  const orderBefore = typeof row.order_before === 'string' ? instantFrom(row.order_before) : null;
  if (row.ok !== true || !orderBefore || typeof row.arrives_on !== 'string' || typeof row.today !== 'string')
    return null;
  return {
    ok: true,
    arrivesOn: row.arrives_on,
    today: row.today,
    orderBefore,
    chargePaise: paise(Number(row.charge_paise)),
    cartChargePaise: paise(Number(row.cart_charge_paise)),
    cartFlatBelowGrams: typeof row.cart_flat_below_grams === 'number' ? row.cart_flat_below_grams : null,
    closed: (row.closed ?? null) as Closed | null,
    collectFrom: typeof row.collect_from === 'string' ? row.collect_from : null,
    spoiled: Array.isArray(row.spoiled) ? (row.spoiled as Spoiled[]) : [],
    instead: Array.isArray(row.instead) ? (row.instead as Suggestion[]) : [],
  };
}

/** 2 pm, 2:30 pm. */
function hourOf(moment: Date): string {
  return formatTime(moment).replace(':00', '');
}

/** The order deadline for that day: before 2 pm today, before 2 pm on Mon, 23 Nov. */
export function orderBeforeWords(orderBefore: Date, today: string): string {
  const day = calendarDay(orderBefore);
  const when = day === today ? 'today' : day === dayAfter(today, 1) ? 'tomorrow' : `on ${formatCalendarDay(day)}`;
  return `if ordered before ${hourOf(orderBefore)} ${when}`;
}

export const arrivesBy = (day: string): string => `Arrives by ${formatCalendarDay(day)}`;

export const closedSentence = 'We’re closed right now and can’t give you a delivery date. Please write to us.';

/** Until a day, on a day, or from one to another: Diwali. */
function closedWords({ from, until, reason }: Closed, today: string): string {
  const last = formatCalendarDay(until);
  const when =
    from <= today ? `until ${last}` : from === until ? `on ${last}` : `from ${formatCalendarDay(from)} to ${last}`;
  return `We are closed ${when}: ${reason}.`;
}

const refusals = {
  'not-a-pincode': () => 'Enter a 6-digit pincode.',
  'too-heavy': () => 'One order can weigh at most 30 kg.',
  'outside-zones': (pincode: string) => `We don’t deliver to ${pincode} yet.`,
  closed: () => closedSentence,
} as const;

/** Which carts pay the flat charge: in a cart, in a cart under 2 kg. */
export const inCart = (flatBelowGrams: number | null): string =>
  flatBelowGrams === null ? 'in a cart' : `in a cart under ${formatGrams(flatBelowGrams)}`;

export type DeliveryMessage = { tone: 'good' | 'bad'; head: string; lines: string[]; instead: Suggestion[] };

/** The delivery message for a pincode: for one sweet bought now, or for the whole cart. */
export function deliveryMessage(
  check: DeliveryCheck,
  pincode: string,
  bought: 'now' | 'from-cart',
  sweets = 1,
): DeliveryMessage {
  if (!check.ok)
    return { tone: 'bad', head: (refusals[check.reason] ?? refusals.closed)(pincode), lines: [], instead: [] };
  const [first] = check.spoiled;
  if (first) {
    const lines =
      check.spoiled.length < sweets ? [`Everything else arrives by ${formatCalendarDay(check.arrivesOn)}.`] : [];
    if (bought === 'now' && first.can_be_collected) lines.push('You can pick it up at our counter.');
    if (check.collectFrom && check.collectFrom !== check.today && check.spoiled.every((one) => one.can_be_collected))
      lines.push(`Our counter opens again on ${formatCalendarDay(check.collectFrom)}.`);
    if (check.closed) lines.push(closedWords(check.closed, check.today));
    const head = bought === 'now' ? unreachableSentence(first, pincode) : spoiledSentences(check.spoiled, pincode);
    return { tone: 'bad', head, lines, instead: check.instead };
  }
  const cart = formatPaise(check.cartChargePaise);
  const lines = [
    orderBeforeWords(check.orderBefore, check.today),
    bought === 'from-cart' || check.chargePaise === check.cartChargePaise
      ? `Delivery to ${pincode}: ${cart}`
      : `Delivery to ${pincode}: ${formatPaise(check.chargePaise)} if you buy it now, ${cart} ${inCart(check.cartFlatBelowGrams)}`,
  ];
  if (check.closed) lines.push(closedWords(check.closed, check.today));
  return { tone: 'good', head: arrivesBy(check.arrivesOn), lines, instead: [] };
}

export type CardNote = { tone: 'good' | 'bad'; text: string };

/** The line on a product's card: by when it arrives, or that it cannot; null where there is nothing to say. */
export function cardNote(check: DeliveryCheck, productId: number, pincode: string): CardNote | null {
  if (!check.ok)
    return check.reason === 'outside-zones' ? { tone: 'bad', text: `No delivery to ${pincode} yet` } : null;
  const spoiled = check.spoiled.find(({ product_id }) => product_id === productId);
  if (!spoiled) return { tone: 'good', text: arrivesBy(check.arrivesOn) };
  return { tone: 'bad', text: spoiled.can_be_collected ? 'Pick up at our counter' : `Can’t reach ${pincode} fresh` };
}
