import type { Page } from '@playwright/test';
import { expect, signIn, test } from './shop-page.ts';

/** Keeps files on their way until they are let through. */
async function hold(page: Page, files: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const laterCode = /\/assets\/(home-below|page-footer|carousel-controls)-/;

/** They are asked for after the first paint, which a busy machine may keep waiting for longer than the network is idle. */
async function haveModules(page: Page): Promise<void> {
  await page.waitForFunction(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length > 5,
  );
}

for (const path of ['/', '/shop', '/product/1'])
  test(`${path} is painted with the styles that came with it, and its code is fetched after that`, async ({ page }) => {
    await page.goto(path);
    await haveModules(page);
    const { painted, fetched } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
      fetched: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
    }));
    const modules = fetched.filter(({ name }) => name.endsWith('.js'));
    for (const { name, startTime } of modules) expect(startTime, name).toBeGreaterThanOrEqual(painted);
    const styles = fetched.filter(({ name, startTime }) => /\.css\b/.test(name) && startTime < painted);
    expect(styles).toEqual([]);
  });

test('cart, profile and product are painted with their text and styles before any code has come', async ({ page }) => {
  await hold(page, /\/assets\/framework-/);
  await page.goto('/cart', { waitUntil: 'commit' });
  await expect(page.getByText('Choose what to buy now. The rest stays saved for 7 days.')).toBeVisible();
  await page.goto('/profile', { waitUntil: 'commit' });
  await expect(page.getByText('We deliver to this address.')).toBeVisible();
  await page.goto('/product/1', { waitUntil: 'commit' });
  const others = page.getByRole('region', { name: 'Goes well with' });
  await expect(others.getByRole('list')).toHaveCSS('display', 'grid');
  await expect(others.getByRole('article').first()).toHaveCSS('position', 'relative');
});

test('what is pressed before its code has come does its work when it has, in its order', async ({ page }) => {
  const letThrough = await hold(page, /\/assets\/framework-/);
  await page.goto('/product/9', { waitUntil: 'commit' });
  for (const size of ['1000 g', '500 g', '1000 g']) await page.getByRole('radio', { name: size }).check();
  const increase = page.getByRole('main').getByRole('button', { name: 'Increase quantity' });
  await increase.click();
  await increase.click();
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click();
  letThrough();
  await expect(page.getByText(/^Added 3x .* \(1000g\) to cart/)).toBeVisible();
});

test('every page keeps its styles on the way through the shop, also the first one @soak', async ({ page }) => {
  const firstCard = page.getByRole('main').getByRole('article').first();
  const look = () =>
    firstCard.evaluate((card) =>
      [card, card.querySelector('a')].map((part) => getComputedStyle(part as Element).cssText),
    );
  const bar = page.getByRole('navigation', { name: 'Main' });
  await page.goto('/shop');
  await expect(firstCard).toBeVisible();
  const shop = await look();
  await page.goto('/', { waitUntil: 'networkidle' });
  const home = await look();
  await bar.getByRole('link', { name: 'Shop' }).click();
  await expect(page.getByRole('tab', { name: 'Box' })).toBeVisible();
  expect(await look()).toEqual(shop);
  await bar.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { name: 'A Taste Of Authenticity' })).toBeVisible();
  expect(await look()).toEqual(home);
});

test('what is below the first screen stays while its code is on the way, and reacts when it has come', async ({
  page,
}) => {
  await signIn(page, 'Priya Sharma');
  const letThrough = await hold(page, laterCode);
  const asked = page.waitForRequest(laterCode);
  await page.goto('/', { waitUntil: 'commit' });
  await asked;
  const parts = [
    page.getByRole('heading', { name: 'Combo Packs' }),
    page.getByRole('button', { name: 'Next slide' }),
    page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }),
  ];
  // The session is being read meanwhile; that must not take the markup away.
  await page.waitForRequest(/\/auth\/v1|\/rest\/v1/, { timeout: 15_000 });
  for (const part of parts) await expect(part).toBeVisible();
  await page.getByRole('button', { name: 'Order In Bulk' }).click();
  letThrough();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
  for (const part of parts) await expect(part).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Order In Bulk' })).toBeVisible();
});

test('a part whose code cannot be had does not take the page with it', async ({ browser, shopUrl }) => {
  // A page of its own: a request that fails is an error in the console.
  const page = await browser.newPage();
  await page.route(/\/assets\/page-footer-/, (route) => route.abort());
  await page.goto(`${shopUrl}/shop`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Add Besan Laddu to Cart' }).click();
  await expect(page.getByText('Added 1x Besan Laddu (500g) to cart')).toBeVisible();
  await page.close();
});
