import { expect, signIn, test } from './shop-page.ts';

const laterCode = /\/assets\/(home-below|page-footer|carousel-controls)-/;

test('what is below the first screen stays while its code is on the way, and reacts when it has come', async ({
  page,
}) => {
  await signIn(page, 'Priya Sharma');
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(laterCode, async (route) => {
    await held;
    await route.continue();
  });
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
  letThrough();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
  for (const part of parts) await expect(part).toBeVisible();
  await page.getByRole('button', { name: 'Order In Bulk' }).click();
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
