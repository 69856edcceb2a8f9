import { expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, test } from './shop-page.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const sections = (page: Page) => page.getByRole('tabpanel').getByRole('heading', { level: 2 });
const names = (page: Page) => page.getByRole('article').getByRole('heading');
const addressOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

/** The menu is part of a wide page and a sheet on a phone. */
async function choose(page: Page, choice: string): Promise<void> {
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  if ((await filters.getAttribute('aria-expanded')) !== 'true') await filters.click();
  const link = page.getByRole('region', { name: 'Filters' }).getByRole('link', { name: choice, exact: true });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'true');
  const done = page.getByRole('button', { name: /^Show \d+ items?$/ });
  if (!(await done.isVisible())) return;
  await done.click();
  await expect(filters).toHaveAttribute('aria-expanded', 'false');
}

async function ready(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toHaveAttribute(
    'aria-expanded',
    /true|false/,
  );
}

test('Box is the first tab and shows Chocolate, Laddu and Halwa; the others show their own', async ({ page }) => {
  await page.goto('/shop');
  await expect(tab(page, 'Box')).toHaveAttribute('aria-selected', 'true');
  await expect(sections(page).filter({ hasNotText: 'Filters' })).toHaveText(['Chocolate', 'Laddu', 'Halwa']);
  await tab(page, 'Gifts').click();
  await expect(page).toHaveURL('/shop?tab=gifts');
  await expect(sections(page).filter({ hasNotText: 'Filters' })).toHaveText(['Gift']);
  await tab(page, 'Takeaway').click();
  await expect(page).toHaveURL('/shop?tab=takeaway');
  await expect(page.getByRole('tabpanel', { name: 'Takeaway' })).toContainText('Punjabi Samosa');
});

test('each filter is in the address; back and forward step through them', async ({ page }) => {
  await page.goto('/shop');
  await ready(page);
  await choose(page, 'Laddu');
  await expect(page).toHaveURL('/shop?category=laddu');
  await choose(page, 'Price: low to high');
  await expect(page).toHaveURL('/shop?category=laddu&sort=l-h');
  await expect(names(page).first()).toHaveText('Rava Laddu');
  await choose(page, 'Below ₹300');
  await expect(page).toHaveURL('/shop?category=laddu&sort=l-h&price=below-300');
  await expect(names(page)).toHaveText(['Rava Laddu', 'Nariyal Laddu', 'Til Gud Laddu', 'Boondi Laddu']);
  await page.goBack();
  await expect(page.getByRole('status').getByText('8 items')).toBeVisible();
  await page.goBack();
  expect(addressOf(page)).toBe('/shop?category=laddu');
  await expect(names(page).first()).toHaveText('Besan Laddu');
  await page.goForward();
  await expect(names(page).first()).toHaveText('Rava Laddu');
  await page.reload();
  await expect(names(page).first()).toHaveText('Rava Laddu');
});

test('prices go up to and including the limit, or begin above it @soak', async ({ page }) => {
  await page.goto('/shop?category=halwa&price=below-200');
  await expect(names(page)).toHaveText(['Sooji Halwa']);
  await page.goto('/shop?category=laddu&price=below-300');
  await expect(page.getByRole('article').filter({ hasText: 'Boondi Laddu' })).toContainText('₹300');
  await page.goto('/shop?price=above-400&sort=h-l');
  await expect(names(page).first()).toHaveText('Rose Pistachio Truffles');
  await expect(page.getByRole('article').filter({ hasText: 'Motichoor Laddu' })).toHaveCount(0);
});

test('nothing found says so and clears the filters', async ({ page }) => {
  await page.goto('/shop?category=chocolate&price=below-100');
  await expect(page.getByRole('heading', { name: 'Nothing matches these filters.' })).toBeVisible();
  await page.getByRole('link', { name: 'Clear the filters' }).click();
  await expect(page).toHaveURL('/shop');
  await expect(names(page).first()).toBeVisible();
});

test('the footer leads to the right shelf @soak', async ({ page }) => {
  await page.goto('/shop');
  await page.getByRole('navigation', { name: 'Sweets' }).getByRole('link', { name: 'Halwa' }).click();
  await expect(page).toHaveURL('/shop?category=halwa');
  await expect(sections(page).filter({ hasNotText: 'Filters' })).toHaveText(['Halwa']);
});

test('the menu is open from 1024 pixels and closed below, and its button says so', { tag: '@wide' }, async ({
  page,
}) => {
  const toggle = page.getByRole('button', { name: 'Filters', exact: true });
  const menu = page.getByRole('region', { name: 'Filters' });
  for (const { width, open } of [
    { width: 1023, open: false },
    { width: 1024, open: true },
    { width: 1440, open: true },
  ]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/shop');
    await expect(toggle).toHaveAttribute('aria-expanded', String(open));
    await expect(menu).toBeVisible({ visible: open });
    await toggle.click();
    await expect(toggle).toHaveAttribute('aria-expanded', String(!open));
    await expect(menu).toBeVisible({ visible: !open });
  }
  await page.setViewportSize({ width: 1024, height: 900 });
  await page.goto('/shop');
  const menuBox = await menu.boundingBox();
  const first = await page.getByRole('article').first().boundingBox();
  expect(first && menuBox && first.y >= menuBox.y + menuBox.height, 'at 1024 the menu lies above the list').toBe(true);
});

test('everything works with the keyboard alone', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/shop');
  await ready(page);
  await tab(page, 'Box').focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Gifts')).toBeFocused();
  await page.keyboard.press('End');
  await expect(tab(page, 'Takeaway')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/shop?tab=gifts');
  await page.keyboard.press('Tab');
  const toggle = page.getByRole('button', { name: 'Filters', exact: true });
  await expect(toggle).toBeFocused();
  if ((await toggle.getAttribute('aria-expanded')) === 'false') {
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Filters' })).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Close filters' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(toggle).toBeFocused();
    await expect(page.getByRole('region', { name: 'Filters' })).toBeHidden();
  }
});

test('tabs, filters and cards are links that work without JavaScript', async ({ browser, shopUrl, viewport }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport });
  const page = await context.newPage();
  await page.goto(`${shopUrl}/shop`);
  await tab(page, 'Gifts').click();
  await expect(sections(page).filter({ hasNotText: 'Filters' })).toHaveText(['Gift']);
  await tab(page, 'Box').click();
  if (viewport && viewport.width < 1024) await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('region', { name: 'Filters' }).getByRole('link', { name: 'Laddu' }).click();
  await expect(page).toHaveURL(`${shopUrl}/shop?category=laddu`);
  await page.getByRole('link', { name: 'Besan Laddu' }).click();
  await expect(page).toHaveURL(`${shopUrl}/product/9`);
  await expect(page.getByRole('heading', { level: 1, name: 'Besan Laddu' })).toBeVisible();
  await context.close();
});

test('a card shows price, offer, rating and stock, and puts one into the cart', async ({ page }) => {
  await page.goto('/shop');
  await ready(page);
  const card = (name: string) =>
    page.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) });
  await expect(card('Gajar Halwa')).toContainText(/20% off.*₹360.*₹450.*per 500 g.*₹378 incl\. GST/);
  await expect(card('Besan Laddu')).not.toContainText('% off');
  await expect(card('Besan Laddu').getByRole('img', { name: /out of 5 stars/ })).toBeVisible();
  await expect(card('Motichoor Laddu')).toContainText('10% off');
  const soldOut = card('Tirunelveli Wheat Halwa');
  await expect(soldOut, 'what is sold out keeps its price').toContainText(/Out of stock.*₹\d+.*per 500 g/);
  await expect(soldOut.getByRole('button')).toHaveText(['Notify me when Tirunelveli Wheat Halwa is back']);
  await soldOut.getByRole('button').click();
  await expect(page.getByText('Please log in to manage notifications.')).toBeVisible();
  await page.getByRole('button', { name: 'Add Besan Laddu to Cart' }).click();
  await expect(page.getByText('Added 1x Besan Laddu (500g) to cart')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Cart/ })).toContainText('1');
});

test('bad addresses show the shop, not an error', async ({ page, request }) => {
  const odd = [
    'tab=%F0%9F%8D%AC',
    'category=%E0%A4%B2%E0%A4%A1%E0%A5%8D%E0%A4%A1%E0%A5%82',
    'sort=<script>',
    'price=-1',
  ];
  for (const query of [...odd, 'shown=1e308', 'tab=box&tab=gifts', `category=${'x'.repeat(10_000)}`]) {
    const response = await request.get(`/shop?${query}`);
    expect([query.slice(0, 40), response.status()]).toEqual([query.slice(0, 40), 200]);
  }
  await page.goto('/shop?tab=<b>&category=%00&sort=%F0%9F%8D%AC');
  await expect(sections(page).filter({ hasNotText: 'Filters' })).toHaveText(['Chocolate', 'Laddu', 'Halwa']);
});

test('search engines see one address per shelf', async ({ page, shopUrl }) => {
  await page.goto('/shop?category=laddu&sort=h-l&price=below-400');
  await expect(page).toHaveTitle('Laddu · Mithaas');
  const canonical = page.locator('link[rel=canonical]');
  await expect(canonical).toHaveAttribute('href', `${shopUrl}/shop?category=laddu`);
});

test('the page keeps still and fits 320 pixels', async ({ page }) => {
  await page.goto('/shop');
  await ready(page);
  await expectStill(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/shop?tab=gifts');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('the page is accessible, its menu open', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/shop?category=halwa');
  await ready(page);
  const toggle = page.getByRole('button', { name: 'Filters', exact: true });
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  await expect(page.getByRole('region', { name: 'Filters' })).toBeVisible();
  await expectAccessible(page);
});

test('each category has its own colour, and any other category is white', async ({ page }) => {
  await page.goto('/product/9');
  const colours = await page.locator('p > [data-category="Laddu"]').evaluate((badge: HTMLElement) =>
    ['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift', 'Namkeen'].map((category) => {
      badge.dataset.category = category;
      return getComputedStyle(badge).backgroundColor;
    }),
  );
  const other = colours.pop();
  expect(other).toBe('rgb(255, 255, 255)');
  expect(new Set(colours).size).toBe(5);
  expect(colours).not.toContain(other);
});
