import { expectAccessible } from './page-quality.ts';
import { expect, test } from './shop-page.ts';

const all = [
  'Terms of sale',
  'Prices and payment',
  'Product information and allergens',
  'Shipping and refund policy',
  'Privacy policy',
  'Complaints and grievance officer',
  'Governing law',
];

test('the terms are there in full, with and without JavaScript', async ({ page, browser, shopUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shopUrl });
  for (const reader of [page, await context.newPage()]) {
    await reader.goto('/terms');
    await expect(reader.getByRole('heading', { level: 1, name: 'Terms and conditions' })).toBeVisible();
    await expect(reader.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(all);
    await expect(reader.getByRole('main')).toContainText('1 to 7 business days');
    await expect(reader.getByRole('main')).toContainText('governed by Indian law');
    await expect(reader.getByRole('main')).toContainText('FSSAI licence');
  }
  await context.close();
});

test('each policy has its own page, with a link back to all', async ({ page }) => {
  for (const [policy, title, inIt] of [
    ['shipping', 'Shipping and refund policy', 'Delivery'],
    ['PRIVACY', 'Privacy policy', 'What we store, and why'],
    ['', 'Terms and conditions', 'Terms of sale'],
    ['policy', 'Terms and conditions', 'Privacy policy'],
  ] as const) {
    await page.goto(`/terms?policy=${policy}`);
    await expect(page).toHaveTitle(`${title} · Mithaas`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('main').getByRole('heading', { level: 2, name: inIt })).toBeVisible();
  }
  await page.goto('/terms?policy=shipping');
  await page.getByRole('link', { name: 'All terms and conditions' }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(all);
});

test('an unknown policy says that it does not exist', async ({ page }) => {
  for (const policy of ['nonsense', '🪔🍬', '<script>alert(1)</script>', 'x'.repeat(10_000)]) {
    const answer = await page.goto(`/terms?policy=${encodeURIComponent(policy)}`);
    expect(answer?.status()).toBe(200);
    await expect(page.getByText('No matching policy found.')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Read all terms and conditions' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy policy' })).toBeVisible();
});

test('the contents lead to their policy', async ({ page }) => {
  await page.goto('/terms');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Privacy policy' }).click();
  await expect(page).toHaveURL(/#privacy$/);
  await expect(page.getByRole('heading', { name: 'Privacy policy' })).toBeInViewport();
});

test('the terms are accessible, in light and in dark', async ({ page }) => {
  for (const path of ['/terms', '/terms?policy=nonsense']) {
    await page.goto(path);
    await expectAccessible(page);
  }
});

test('the terms fit 320 pixels @soak', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/terms');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
