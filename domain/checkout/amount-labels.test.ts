import { expect, test } from 'vitest';
import { amountLabels, shippingDetail } from './amount-labels.ts';

test('the GST in shipping is said where there is some', () => {
  expect(shippingDetail(429)).toBe('incl. GST ₹4.29');
  expect(shippingDetail(0)).toBeNull();
  expect(amountLabels.shipping(190)).toBe('Shipping charge (incl. GST ₹1.90)');
  expect(amountLabels.shipping(0)).toBe('Shipping charge');
  expect(amountLabels.tax).toBe('Tax (GST on items)');
});
