import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { OrderLine as Line, PrintedOrder } from '#contracts/console/order.ts';
import { orderSpecimen } from '../order-specimens.ts';
import { AddressLabel } from './address-label.tsx';
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
