import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AddressLabel } from './address-label.tsx';
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
