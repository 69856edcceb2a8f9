import { emptyTitle, entry, list, message, openCart } from './cart-lists.ts';
import { expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, test } from './shop-page.ts';

const full = {
  cart: { 2: { 500: 1 }, 9: { 500: 2, 1000: 1 }, 21: { 1000: 1 }, 25: { 500: 3 } },
  checkout: { 20: { 1000: 2 }, 28: { 500: 1 } },
};
const loaded = (page: Page) => entry(page, 'Cart', 'Besan Laddu');

test('the page is called Cart, and neither caches nor search engines keep it', async ({ page, shopUrl }) => {
  const answer = await page.goto('/cart');
  await expect(page).toHaveTitle('Cart · Mithaas');
  expect(answer?.headers()['cache-control']).toContain('no-store');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  const robots = await page.request.get(`${shopUrl}/cart`);
  expect(await robots.text(), 'the same page for every visitor').not.toContain('Besan Laddu');
});

test('it is accessible, empty and full, in light and in dark', async ({ page, shopUrl }) => {
  await page.goto('/cart');
  await expect(emptyTitle(page)).toBeVisible();
  await expectAccessible(page);
  await openCart(page, shopUrl, full);
  await expect(loaded(page)).toBeVisible();
  await expectAccessible(page);
});

test('the layout does not shift while the products load slowly', async ({ page, shopUrl }) => {
  let answer = () => {};
  const waited = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/rest/v1/Products?*', async (route) => {
    await waited;
    await route.continue();
  });
  await openCart(page, shopUrl, full);
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeAttached();
  await expect(loaded(page)).toHaveCount(0);
  answer();
  await expect(loaded(page)).toBeVisible();
  await expectStill(page);

  await page.context().clearCookies();
  await page.goto('/cart');
  await expect(emptyTitle(page)).toBeVisible();
  await expectStill(page);
});

test('nothing is wider than the screen, down to 320 pixels', async ({ page, shopUrl }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await openCart(page, shopUrl, { cart: { 35: { 500: 25 }, 2: { 500: 25, 1000: 25 } }, checkout: { 35: { 500: 25 } } });
  await expect(entry(page, 'Cart', 'Rose Pistachio Truffles')).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
  await page.context().clearCookies();
  await page.reload();
  await expect(emptyTitle(page)).toBeVisible();
  expect(await width()).toBeLessThanOrEqual(320);
});

test('everything works from the keyboard, and the focus is never lost', { tag: '@wide' }, async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 2, 1000: 1 } } });
  await loaded(page).getByRole('radio', { name: '500 g' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(loaded(page).getByRole('radio', { name: '1000 g' })).toBeChecked();
  const move = page.getByRole('button', { name: 'Move to checkout' });
  for (let presses = 0; presses < 8 && !(await move.evaluate((it) => it === document.activeElement)); presses += 1)
    await page.keyboard.press('Tab');
  await expect(move).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toContainText('1000 g');
  await expect(move).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeFocused();

  await page.getByRole('button', { name: 'Delete Besan Laddu (500 g) from the checkout' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeFocused();
  await page.getByRole('button', { name: 'Decrease quantity' }).focus();
  await page.keyboard.press('Space');
  await expect(emptyTitle(page)).toBeFocused();
});

test('a change in another tab shows when the visitor returns to the cart', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 2 } } });
  await expect(loaded(page)).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(`${shopUrl}/cart`);
  await other.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(message(other, 'Item moved to checkout successfully!')).toBeVisible();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toBeVisible();
  await expect(list(page, 'Cart')).toHaveCount(0);
});

test('when the sweets cannot be looked up, the cart says so, keeps them and tries again', async ({ page, shopUrl }) => {
  let broken = true;
  await page.route('**/rest/v1/Products?*', (route) =>
    broken ? route.fulfill({ contentType: 'application/json', body: 'nothing' }) : route.continue(),
  );
  await openCart(page, shopUrl, { cart: { 9: { 500: 2 } } });
  await expect(page.getByRole('alert')).toContainText('They are still in your cart.');
  broken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(loaded(page).getByRole('status')).toHaveText('2');
});

test('without JavaScript the page says what it needs', async ({ browser, shopUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${shopUrl}/cart`);
  await expect(page.locator('noscript > p')).toBeVisible();
  await context.close();
});
