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

test('cart, profile, product and home are painted with their text and styles before any code is loaded', async ({
  page,
}) => {
  await hold(page, /\/assets\/framework-/);
  await page.goto('/cart', { waitUntil: 'commit' });
  await expect(page.getByText('Choose what to buy now. The rest stays saved for 7 days.')).toBeVisible();
  await page.goto('/profile', { waitUntil: 'commit' });
  await expect(page.getByText('We deliver to this address.')).toBeVisible();
  await page.goto('/product/1', { waitUntil: 'commit' });
  const others = page.getByRole('region', { name: 'Goes well with' });
  await expect(others.getByRole('list')).toHaveCSS('display', 'grid');
  await expect(others.getByRole('article').first()).toHaveCSS('position', 'relative');
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(page.getByRole('region', { name: 'Browse the shop' }).getByRole('list').first()).not.toHaveCSS(
    'list-style-type',
    'disc',
  );
});

test('what is put into the cart before the page has its code is in the cart', async ({ page }) => {
  const letThrough = await hold(page, /\/assets\/framework-/);
  await page.goto('/product/9', { waitUntil: 'commit' });
  await page.getByRole('radio', { name: '1000 g' }).check();
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page).toHaveURL(/\/cart$/);
  letThrough();
  await expect(page.getByRole('main').getByRole('link', { name: 'Besan Laddu' }).first()).toBeVisible();
  await expect(page.getByRole('main').getByText('1000 g').first()).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart, 1 item' }),
  ).toBeVisible();
});

test('the small button of a card and Login work before the page has its code', async ({ page }) => {
  const letThrough = await hold(page, /\/assets\/framework-/);
  await page.goto('/shop', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Add Besan Laddu to Cart' }).click();
  await expect(page).toHaveURL(/\/cart$/);
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/profile\??$/);
  letThrough();
  await page.goto('/cart');
  await expect(page.getByRole('main').getByRole('link', { name: 'Besan Laddu' }).first()).toBeVisible();
});

test('a size chosen before the page is interactive is the one that is bought', async ({ page }) => {
  const letThrough = await hold(page, /\/assets\/framework-/);
  await page.goto('/product/9', { waitUntil: 'commit' });
  for (const size of ['1000 g', '500 g', '1000 g']) await page.getByRole('radio', { name: size }).check();
  letThrough();
  await page.waitForLoadState('networkidle');
  await page.getByRole('main').getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page.getByText(/^Added 1x .* \(1000g\) to cart/)).toBeVisible();
});

test('every page has its styles, whichever page was opened first @soak', async ({ page }) => {
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

test('what is below the first screen stays while its code is loaded, and reacts when it is there', async ({ page }) => {
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
  // The session is being read at the same time; that must not remove the markup.
  await page.waitForRequest(/\/auth\/v1|\/rest\/v1/, { timeout: 15_000 });
  for (const part of parts) await expect(part).toBeVisible();
  letThrough();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
  for (const part of parts) await expect(part).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Order In Bulk' }).click();
  await expect(page.getByRole('dialog', { name: 'Order In Bulk' })).toBeVisible();
});

test('a part whose code cannot be loaded does not take the page with it', async ({ browser, shopUrl }) => {
  // A page of its own: a request that fails is an error in the console.
  const page = await browser.newPage();
  await page.route(/\/assets\/page-footer-/, (route) => route.abort());
  await page.goto(`${shopUrl}/shop`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Add Besan Laddu to Cart' }).click();
  await expect(page.getByText('Added 1x Besan Laddu (500g) to cart')).toBeVisible();
  await page.close();
});
