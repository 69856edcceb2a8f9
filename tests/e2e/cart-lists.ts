import type { Page } from './shop-page.ts';

type Lists = { cart?: unknown; 'cart.1'?: string; checkout?: unknown };

/** Opens the cart of a visitor whose browser has stored these lists: product → size → quantity. */
export async function openCart(page: Page, shopUrl: string, lists: Lists): Promise<void> {
  const cookies = Object.entries(lists).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : encodeURIComponent(JSON.stringify(value)),
    url: shopUrl,
  }));
  await page.context().addCookies(cookies);
  await page.goto('/cart');
}

export const list = (page: Page, name: 'Cart' | 'Checkout') => page.getByRole('list', { name, exact: true });
export const entry = (page: Page, name: 'Cart' | 'Checkout', product: string) =>
  list(page, name)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: product, exact: true }) });
export const message = (page: Page, text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text);
export const emptyTitle = (page: Page) => page.getByRole('heading', { name: 'Your cart is empty' });
export const amount = (page: Page, name: 'Subtotal' | 'Tax' | 'Shipping charge' | 'Total') =>
  page.locator('dl > div', { has: page.getByRole('term').getByText(name, { exact: true }) }).getByRole('definition');
/** What a visitor sees of the totals: the items by themselves. */
export const goods = (page: Page) => amount(page, 'Subtotal');
