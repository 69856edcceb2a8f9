import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AddressLabel } from './address-label.tsx';
import type { OrderLine as Line } from './order-data.ts';
import { orderSpecimen } from './order-specimens.ts';
import { PackingSlip } from './packing-slip.tsx';

const shop = {
  name: 'Mithaas',
  address: 'Ranade Road',
  fssai_number: '',
  gstin: '',
  email: 'shop@example.com',
  whatsapp_number: '+919000000000',
};

const sheets = [
  ['packing slip', PackingSlip],
  ['address label', AddressLabel],
] as const;

test.each(sheets)('the %s of a canceled order says so, and no other', (_name, Sheet) => {
  const printed = (order: typeof orderSpecimen) => renderToStaticMarkup(createElement(Sheet, { order, shop }));
  expect(printed({ ...orderSpecimen, status: 'canceled' })).toContain('CANCELED');
  expect(printed(orderSpecimen)).not.toContain('CANCELED');
});

test('the packing slip says what is in the box apart from what may be', () => {
  const [laddu, samosa] = orderSpecimen.lines as [Line, Line];
  const lines = [
    { ...laddu, allergens: 'Nuts (almond); may contain milk, peanut' },
    { ...samosa, allergens: 'Milk' },
  ];
  const slip = renderToStaticMarkup(createElement(PackingSlip, { order: { ...orderSpecimen, lines }, shop }));
  expect(slip).toContain('</strong> Contains: Nuts (almond), Milk. May contain: peanut.');
  expect(slip).toContain('<small>Contains: Nuts (almond). May contain: milk, peanut. Best within');
});

test.each(sheets)('the %s has phone numbers as people read them', (_name, Sheet) => {
  for (const phone of ['+919820012345', '+91-9820012345', '+91 9820012345']) {
    const order = { ...orderSpecimen, delivery: { ...orderSpecimen.delivery, phone } };
    const printed = renderToStaticMarkup(createElement(Sheet, { order, shop }));
    expect(printed).toContain('+91 98200 12345');
    expect(printed).toContain('+91 90000 00000');
  }
});
