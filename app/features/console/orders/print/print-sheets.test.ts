import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { OrderLine as Line, PrintedOrder } from '#contracts/console/order.ts';
import { orderSpecimen } from '../order-specimens.ts';
import { AddressLabel } from './address-label.tsx';
import { GiftCards } from './gift-cards.tsx';
import { PackingSlip } from './packing-slip.tsx';

const shop = {
  name: 'Mithaas',
  address: 'Ranade Road',
  fssai_number: '',
  gstin: '',
  email: 'shop@example.com',
  whatsapp_number: '+919000000000',
};

const printedOrder: PrintedOrder = { ...orderSpecimen, note: '' };

const sheets = [
  ['packing slip', PackingSlip],
  ['address label', AddressLabel],
] as const;

test.each(sheets)('the %s of a canceled order says so, and no other', (_name, Sheet) => {
  const printed = (order: PrintedOrder) => renderToStaticMarkup(createElement(Sheet, { order, shop }));
  expect(printed({ ...printedOrder, status: 'canceled' })).toContain('CANCELLED');
  expect(printed(printedOrder)).not.toContain('CANCELLED');
});

test('the packing slip says what is in the box apart from what may be', () => {
  const [laddu, samosa] = orderSpecimen.lines as [Line, Line];
  const lines = [
    { ...laddu, allergens: 'Nuts (almond); may contain milk, peanut' },
    { ...samosa, allergens: 'Milk' },
  ];
  const slip = renderToStaticMarkup(createElement(PackingSlip, { order: { ...printedOrder, lines }, shop }));
  expect(slip).toContain('</strong> Contains: Nuts (almond), Milk. May contain: peanut.');
  expect(slip).toContain('<small>Contains: Nuts (almond). May contain: milk, peanut. Best within');
});

test.each(sheets)('the %s has phone numbers as people read them', (_name, Sheet) => {
  for (const phone of ['+919820012345', '+91-9820012345', '+91 9820012345']) {
    const order = { ...printedOrder, delivery: { ...printedOrder.delivery, phone } };
    const printed = renderToStaticMarkup(createElement(Sheet, { order, shop }));
    expect(printed).toContain('+91 98200 12345');
    expect(printed).toContain('+91 90000 00000');
  }
});

test.each(sheets)('the %s of an unpaid order says what to collect, and carries its note', (_name, Sheet) => {
  const printed = (order: Partial<PrintedOrder>) =>
    renderToStaticMarkup(createElement(Sheet, { order: { ...printedOrder, ...order }, shop }));
  const unpaid = { payment_status: 'unpaid', total_paise: 139_900 } as const;
  expect(printed({ ...unpaid, note: 'Call before noon' })).toContain('Collect ₹1,399');
  expect(printed({ ...unpaid, note: 'Call before noon' })).toContain('Call before noon');
  expect(printed({ note: 'Call before noon' })).toContain('Call before noon');
  for (const settled of [{}, { ...unpaid, status: 'canceled' } as const, { payment_status: 'paid_offline' } as const])
    expect(printed(settled)).not.toContain('Collect ₹');
});

test('a long address is printed smaller, so that the pincode stays on the label', () => {
  const street =
    'Behind the old Ganesh temple, third lane on the left after the water tank, near Shivaji Maharaj Chowk, Dadar West';
  const label = (delivery: PrintedOrder['delivery']) =>
    renderToStaticMarkup(createElement(AddressLabel, { order: { ...printedOrder, delivery }, shop }));
  expect(label({ ...printedOrder.delivery, street })).toContain('data-dense');
  expect(label(printedOrder.delivery)).not.toContain('data-dense');
});

const gift = {
  note: 'शुभ दीपावली, नानी! 🪔',
  motif: 'diwali',
  sender_name: 'Mirchi',
  recipient_email: 'nani@example.com',
} as const;
// Amounts that no other number on the sheets has in it.
const amounts = { sub_total_paise: 7_313_700, tax_paise: 365_700, shipping_paise: 8_300, total_paise: 7_687_700 };

describe('of a gift', () => {
  const lines = orderSpecimen.lines.map((line) => ({ ...line, unit_price_paise: 3_656_900, line_paise: 7_313_700 }));
  const order: PrintedOrder = { ...printedOrder, ...amounts, lines, gift };

  test.each([
    ...sheets,
    [
      'card',
      ({ order: of, shop: from }: { order: PrintedOrder; shop: typeof shop }) =>
        createElement(GiftCards, { orders: [of], shop: from, paper: 'a6' }),
    ],
  ] as const)('the %s holds no price, nor the email of the recipient', (_name, Sheet) => {
    for (const payment_status of ['paid', 'unpaid'] as const) {
      const printed = renderToStaticMarkup(createElement(Sheet, { order: { ...order, payment_status }, shop }));
      expect(printed).not.toContain('₹');
      for (const amount of ['73137', '73,137', '3657', '3,657', '83.00', '76877', '76,877', '36569', '36,569'])
        expect(printed).not.toContain(amount);
      expect(printed).not.toContain('nani@example.com');
    }
  });

  test('the packing slip says so, and from whom', () => {
    const printed = renderToStaticMarkup(createElement(PackingSlip, { order, shop }));
    expect(printed).toContain('</strong> with a card from Mirchi. No prices in the parcel.');
    expect(renderToStaticMarkup(createElement(PackingSlip, { order: printedOrder, shop }))).not.toContain('Gift');
  });

  test('the card says the note and the sender, and cards are four to a sheet of A4, or single ones of A6', () => {
    const cards = (many: number, paper: 'a4' | 'a6' = 'a4') =>
      renderToStaticMarkup(
        createElement(GiftCards, {
          orders: Array.from({ length: many }, (_, place) => ({ ...order, id: `${place}`, number: 2000 + place })),
          shop,
          paper,
        }),
      );
    expect(cards(1)).toContain(gift.note);
    expect(cards(1)).toContain('<bdi>Mirchi</bdi>');
    expect(cards(3, 'a6').match(/class="[^"]*sheet/g)).toHaveLength(3); // the cards' own
    expect(cards(3, 'a6')).not.toContain('marks');
    expect(cards(9).match(/<article/g)).toHaveLength(9);
    expect(cards(9).match(/class="[^"]*sheet/g)).toHaveLength(9 + 3);
    expect(cards(9).match(/class="[^"]*marks/g)).toHaveLength(3);
  });

  test('an order that is no gift has no card', () => {
    expect(renderToStaticMarkup(createElement(GiftCards, { orders: [printedOrder], shop, paper: 'a4' }))).toBe('');
  });
});
