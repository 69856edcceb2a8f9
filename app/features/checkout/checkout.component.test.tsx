import { render, screen } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WhereNext, Words } from '#app/parts/confirmation/words.tsx';
import { paise } from '#domain/money.ts';
import { customer, showPart } from '../../../tests/support/component-page.tsx';
import { AmountRows } from './amount-rows.tsx';
import { createOrder } from './checkout-backend.ts';

const rows = () =>
  [...document.querySelectorAll('dl > div')].map((row) => [
    row.querySelector('dt > span')?.textContent,
    row.querySelector('dd')?.textContent,
  ]);

describe('the amounts of an order', () => {
  test('are Subtotal, Tax, Shipping charge and Total', () => {
    render(
      <AmountRows
        amounts={{
          subTotalPaise: paise(120_000),
          taxPaise: paise(6000),
          shippingPaise: paise(4000),
          shippingTaxPaise: paise(190),
          totalPaise: paise(130_000),
        }}
      />,
    );
    expect(rows()).toEqual([
      ['Subtotal', '₹1,200'],
      ['Tax', '₹60'],
      ['Shipping charge', '₹40'],
      ['Total', '₹1,300'],
    ]);
  });

  test('are a dash while they are not known', () => {
    render(<AmountRows amounts={{ subTotalPaise: paise(120_000) }} />);
    expect(rows().map(([, amount]) => amount)).toEqual(['₹1,200', '—', '—', '—']);
  });

  test('keep their place while they load, and are marked busy', () => {
    render(<AmountRows amounts={null} isBusy />);
    expect(rows().map(([, amount]) => amount)).toEqual(['', '', '', '']);
    expect(document.querySelector('dl')?.getAttribute('aria-busy')).toBe('true');
  });
});

describe('the words about a payment', () => {
  const words = (title: string) => (
    <Words title={title} actions={null}>
      <p>We’re confirming your payment.</p>
    </Words>
  );

  test('begin with a title that takes the focus, and so does the next title', () => {
    const { rerender } = render(words('Confirming your payment'));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Confirming your payment' }));
    rerender(words('Order placed successfully!'));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Order placed successfully!' }));
  });

  test('leave the focus alone while the title stays', () => {
    const { rerender } = render(words('Confirming your payment'));
    (document.activeElement as HTMLElement).blur();
    rerender(words('Confirming your payment'));
    expect(document.activeElement).toBe(document.body);
  });

  test('lead on to the order history and to the shop', () => {
    showPart(<WhereNext />);
    expect(screen.getByRole('link', { name: 'Order history' }).getAttribute('href')).toBe('/profile?tab=orders');
    expect(screen.getByRole('link', { name: 'Continue shopping' }).getAttribute('href')).toBe('/shop');
  });
});

test('the order at the payment provider is in INR', async () => {
  const bodies: unknown[] = [];
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('fetch', async (_url: unknown, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    return Response.json({ id: 'order_1', provider: 'test', amount: 130_000, name: 'Mithaas', timeout: 600 });
  });
  const quote = {
    id: 'quote-1',
    subTotalPaise: paise(120_000),
    taxPaise: paise(6000),
    shippingPaise: paise(4000),
    shippingTaxPaise: paise(190),
    totalPaise: paise(130_000),
    offers: [],
    codeProblem: null,
    collectFrom: null,
    expiresAt: new Date(),
    deliveryBy: null,
  };
  expect(await createOrder(customer, 'token', quote)).toMatchObject({ ok: true, order: { amountPaise: 130_000 } });
  expect(bodies).toEqual([{ amount: 1300, currency: 'INR', quote_id: 'quote-1' }]);
});
