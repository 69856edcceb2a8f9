import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProductDetails } from '#domain/catalog/product.ts';
import { paise } from '#domain/money.ts';
import { customer, productOf, showPart, visitor } from '../../../tests/support/component-page.tsx';
import NotifyToggle from './notify-toggle.tsx';
import { ProductModalContent } from './product-modal-content.tsx';
import { ProductMissing, ProductPage } from './product-page.tsx';
import { AverageRating } from './product-parts.tsx';

const actions = { addToCart: vi.fn(), buyNow: vi.fn(async () => {}) };

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

const showModal = (product: ProductDetails) =>
  showPart(<ProductModalContent product={product} delivery={() => null} {...actions} />);
const showPage = (product: ProductDetails) =>
  showPart(
    <ProductPage
      product={product}
      facts={[]}
      reviews={null}
      reviewsId="reviews"
      delivery={() => null}
      goesWellWith={null}
      {...actions}
    />,
  );
const button = (name: string) => screen.getByRole('button', { name });
const press = (name: string) => fireEvent.click(button(name));
const price = () => screen.getByLabelText('Price').textContent;

describe('buying', () => {
  test('in the modal counts from 0, and at 0 nothing can be added or bought', () => {
    showModal(productOf());
    press('Decrease quantity');
    expect(button('Decrease quantity')).toHaveProperty('disabled', true);
    expect(button('Add to Cart')).toHaveProperty('disabled', true);
    expect(button('Buy Now')).toHaveProperty('disabled', true);
  });

  test('on the product page counts from 1', () => {
    showPage(productOf());
    expect(button('Decrease quantity')).toHaveProperty('disabled', true);
    expect(button('Add to Cart')).toHaveProperty('disabled', false);
  });

  test('ends at 25', () => {
    showPage(productOf());
    for (let times = 1; times < 25; times += 1) press('Increase quantity');
    expect(button('Increase quantity')).toHaveProperty('disabled', true);
    press('Add to Cart');
    expect(actions.addToCart).toHaveBeenCalledWith(expect.objectContaining({ id: 9 }), 500, 25);
  });

  test('multiplies the price by size and quantity', () => {
    showPage(productOf({ pricePaise: paise(32_050) }));
    fireEvent.click(screen.getByRole('radio', { name: '1000 g' }));
    press('Increase quantity');
    press('Increase quantity');
    expect(price()).toBe('₹1,923');
  });

  test('begins with 500 g', () => {
    showPage(productOf());
    expect(screen.getByRole('radio', { name: '500 g' })).toHaveProperty('checked', true);
  });

  test('says that shipping is calculated at checkout', () => {
    showPage(productOf());
    expect(screen.getByText('Shipping Calculated at checkout.')).toBeTruthy();
  });

  test('is not possible when the product is out of stock', async () => {
    showPage(productOf({ available: false }));
    expect(await screen.findByRole('switch', { name: 'Notify me when it’s back' })).toBeTruthy();
    expect(screen.getByText('Out of stock')).toBeTruthy();
    expect(button('Add to Cart')).toHaveProperty('disabled', true);
    expect(button('Buy Now')).toHaveProperty('disabled', true);
  });
});

test('a product nobody has reviewed says so', () => {
  showPart(<AverageRating rating={null} reviewCount={0} />);
  expect(screen.getByText('No reviews yet')).toBeTruthy();
});

test('a product that does not exist has a page with a way back', () => {
  showPart(<ProductMissing />);
  expect(screen.getByRole('heading', { name: 'Loading product...' })).toBeTruthy();
});

describe('the description in the modal', () => {
  const description = `${'Slow-roasted gram flour. '.repeat(10)}The end.`;
  const setPhone = (isPhone: boolean) =>
    vi.stubGlobal('matchMedia', () => ({ matches: isPhone, addEventListener() {}, removeEventListener() {} }));

  test('ends after at most 120 characters on a phone, with a link to read more', () => {
    setPhone(true);
    showModal(productOf({ description }));
    const words = screen.getByRole('link', { name: 'Read more' }).parentElement?.textContent ?? '';
    expect(words.replace(' Read more', '')).toMatch(/^.{100,120}…$/);
  });

  test('is whole on a wider screen', () => {
    setPhone(false);
    showModal(productOf({ description }));
    expect(screen.getByText(/The end\.$/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Read more' })).toBeNull();
  });
});

describe('asking to be notified', () => {
  const rasmalai = <NotifyToggle productId={28} productName="Rasmalai" />;
  const toggle = () => screen.getByRole('switch', { name: 'Notify me when it’s back' });
  const isOn = () => toggle().getAttribute('aria-checked') === 'true';
  /** The function `notify` as the shop serves it: it remembers, or it is out of order. */
  function serveNotify(isWorking = true): void {
    let subscribed = false;
    vi.stubGlobal('fetch', async (_url: unknown, { method }: RequestInit) => {
      if (!isWorking && method !== 'GET') return Response.json({}, { status: 500 });
      if (method !== 'GET') subscribed = method === 'POST';
      return Response.json({ subscribed });
    });
  }

  test('needs a log in', async () => {
    showPart(rasmalai);
    fireEvent.click(toggle());
    expect(await screen.findByText('Please log in to manage notifications.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
    expect(visitor.signIn).toHaveBeenCalled();
  });

  test('is confirmed, and so is ending it', async () => {
    serveNotify();
    showPart(rasmalai, { session: customer });
    fireEvent.click(toggle());
    expect(await screen.findByText("We'll notify you when Rasmalai is back in stock!")).toBeTruthy();
    await waitFor(() => expect(isOn()).toBe(true));
    fireEvent.click(toggle());
    expect(await screen.findByText('You will no longer be notified about Rasmalai.')).toBeTruthy();
    await waitFor(() => expect(isOn()).toBe(false));
  });

  test('that fails is said, and the switch stays off', async () => {
    serveNotify(false);
    showPart(rasmalai, { session: customer });
    fireEvent.click(toggle());
    expect(await screen.findByText('There was an issue managing your notification.')).toBeTruthy();
    expect(isOn()).toBe(false);
  });

  test('with a session that has ended asks to log in again', async () => {
    serveNotify();
    showPart(rasmalai, {
      session: { ...customer, token: async () => ({ ok: false, reason: 'not-refreshed' }) },
    });
    fireEvent.click(toggle());
    expect(await screen.findByText('Could not authenticate your session. Please log in again.')).toBeTruthy();
  });
});
