import { amountLabels, offerRow } from '../checkout/amount-labels.ts';
import { formatPaise } from '../money.ts';
import { formatDay, instantFrom } from '../time.ts';
import { type Block, type DetailRow, note } from './email.ts';
import type { OrderFacts, ShopFacts } from './facts.ts';
import { orderHistoryLink, shopLink, webLink } from './links.ts';

/** A calendar day as the database writes it; null when it is none. */
export function dayFrom(date: string | null): string | null {
  const midnight = date ? instantFrom(`${date}T00:00:00+05:30`) : null;
  return midnight && formatDay(midnight);
}

/** What was ordered and what it costs. */
export function summary(order: OrderFacts): Block[] {
  return [receipt(order), note('This is a summary of your order, not an invoice.')];
}

function receipt(order: OrderFacts): Block {
  const placed = instantFrom(order.placedAt);
  return {
    kind: 'receipt',
    title: `Order ${order.number}${placed ? `, placed on ${formatDay(placed)}` : ''}`,
    lines: order.items.map(({ name, quantity, sizeGrams, linePaise }) => ({
      name,
      amount: sizeGrams === null ? pieces(quantity) : `${quantity} × ${weight(sizeGrams)}`,
      price: formatPaise(linePaise),
    })),
    sums: [
      { label: amountLabels.subtotal, price: formatPaise(order.subTotalPaise) },
      ...offerSums(order),
      { label: amountLabels.tax, price: formatPaise(order.taxPaise) },
      ...(order.shippingPaise === 0
        ? [{ label: amountLabels.shipping(0), price: 'free' }]
        : [{ label: amountLabels.shipping(order.shippingTaxPaise ?? 0), price: formatPaise(order.shippingPaise) }]),
      { label: order.isPaid === false ? 'Total' : 'Total paid', price: formatPaise(order.totalPaise), isTotal: true },
    ],
  };
}

function offerSums({ discountPaise = 0, offers = '' }: OrderFacts): { label: string; price: string }[] {
  const row = offerRow(discountPaise, offers);
  return row ? [{ label: row.label, price: row.value }] : [];
}

const pieces = (quantity: number): string => `${quantity} ${quantity === 1 ? 'piece' : 'pieces'}`;

function weight(grams: number): string {
  return grams % 1000 === 0 ? `${grams / 1000} kg` : `${grams} g`;
}

export function destination(order: OrderFacts, shop: ShopFacts): DetailRow[] {
  if (order.fulfilment === 'pickup') return shop.address ? [{ label: 'Collect from', lines: [shop.address] }] : [];
  if (!order.address) return [];
  const { building, street, city, state, zip } = order.address;
  const lines = [order.name, building, street, `${city} ${zip}`, state, order.phone];
  return [{ label: 'Deliver to', lines: lines.filter((line) => line.trim() !== '') }];
}

export function expected(order: OrderFacts): DetailRow[] {
  const day = order.fulfilment === 'delivery' ? dayFrom(order.deliveryBy) : null;
  return day ? [{ label: order.deliverOn ? 'Arrives on' : 'Expected by', lines: [day] }] : [];
}

export function tracking({
  courier,
  trackingNumber,
  trackingUrl,
}: Pick<OrderFacts, 'courier' | 'trackingNumber' | 'trackingUrl'>): DetailRow[] {
  const href = webLink(trackingUrl);
  const number = trackingNumber ?? (href ? 'Track your parcel' : null);
  return [
    ...(courier ? [{ label: 'Courier', lines: [courier] }] : []),
    ...(number ? [{ label: 'Tracking', lines: [number], ...(href ? { href } : {}) }] : []),
  ];
}

/** As the order history names it, so that one can be found from the other. */
export const reference = (order: OrderFacts): DetailRow[] => [{ label: 'Reference', lines: [order.id.slice(0, 8)] }];

export function details(...rows: DetailRow[][]): Block[] {
  const all = rows.flat();
  return all.length > 0 ? [{ kind: 'details', rows: all }] : [];
}

/** The page of the order, which opens without a login. */
export const orderButton = (shop: ShopFacts, order: OrderFacts): Block =>
  order.followUrl
    ? { kind: 'button', label: 'Follow your order', href: shopLink(shop, order.followUrl) }
    : { kind: 'button', label: 'See your order', href: orderHistoryLink(shop, order) };

/** Where the order can be cancelled, ordered again and its invoice downloaded: with a login. */
export const historyRow = (shop: ShopFacts, order: OrderFacts): DetailRow[] =>
  order.followUrl
    ? [{ label: 'Your account', lines: ['Open order history'], href: orderHistoryLink(shop, order) }]
    : [];
