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
  whatsapp_number: '9820012345',
};

test.each([
  ['packing slip', PackingSlip],
  ['address label', AddressLabel],
])('the %s of a canceled order says so, and no other', (_name, Sheet) => {
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
