// `npm run screenshots`: the pictures of the README, from a fresh demo shop.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { newDataDir, removeDataDir, startShop } from '../tests/support/shop.ts';
import { signInAs } from '../tests/support/visitor.ts';
import { chromiumPath } from './find-chromium.mjs';

const folder = join(import.meta.dirname, '../docs/screenshots');
const sizes = { phone: { width: 390, height: 844 }, wide: { width: 1440, height: 900 } };

type Person = 'Priya Sharma' | 'Asha Rao';
type Shot = { name: string; size: keyof typeof sizes; as?: Person; path: string; first?(page: Page): Promise<unknown> };

const shots: Shot[] = [
  { name: 'home', size: 'wide', path: '/' },
  { name: 'product-phone', size: 'phone', path: '/product/9', first: checkPincode },
  { name: 'search-phone', size: 'phone', path: '/shop', first: search },
  { name: 'paying-phone', size: 'phone', as: 'Priya Sharma', path: '/product/9', first: openPayment },
  { name: 'order-phone', size: 'phone', as: 'Priya Sharma', path: '/profile?tab=orders', first: openOrder },
  { name: 'dashboard', size: 'wide', as: 'Asha Rao', path: '/admin/dashboard?period=month' },
  { name: 'orders-phone', size: 'phone', as: 'Asha Rao', path: '/admin/orders' },
  { name: 'profit-phone', size: 'phone', as: 'Asha Rao', path: '/admin/expenses/profit' },
  { name: 'kitchen-phone', size: 'phone', as: 'Asha Rao', path: '/admin/kitchen' },
  { name: 'gst', size: 'wide', as: 'Asha Rao', path: '/admin/expenses/gst' },
  { name: 'settings-phone', size: 'phone', as: 'Asha Rao', path: '/admin/settings?tab=delivery' },
];

const dataDir = await newDataDir();
const shop = await startShop({ dataDir });
const browser = await chromium.launch({
  ...(chromiumPath() ? { executablePath: chromiumPath() as string } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  for (const shot of shots) await take(browser, shot);
} finally {
  await browser.close();
  await shop.stop();
  await removeDataDir(dataDir);
}

async function take(browser: Browser, { name, size, as, path, first }: Shot): Promise<void> {
  const context = await browser.newContext({
    baseURL: shop.url,
    viewport: sizes[size],
    deviceScaleFactor: size === 'phone' ? 1.5 : 1,
    reducedMotion: 'reduce',
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
  });
  if (as) {
    const { data } = await (await signInAs(shop.url, { account: as })).auth.getSession();
    await context.addInitScript(
      (session) => localStorage.setItem('mithaas-session', session),
      JSON.stringify(data.session),
    );
  }
  const page = await context.newPage();
  await page.goto(path, { waitUntil: 'networkidle' });
  await first?.(page);
  await page.waitForLoadState('networkidle');
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 72, effort: 6 })
    .toBuffer();
  await writeFile(join(folder, `${name}.webp`), picture);
  process.stdout.write(`${name}.webp, ${Math.round(picture.length / 1024)} KiB\n`);
  await context.close();
}

async function checkPincode(page: Page): Promise<void> {
  await page.getByLabel('Pincode').fill('560001');
  await page.getByRole('button', { name: 'Check' }).click();
  await page
    .getByText(/Arrives by|by .* at the latest/i)
    .first()
    .waitFor();
}

async function search(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Search' }).click();
  await page.getByRole('search').locator('input').pressSequentially('kaju ktli', { delay: 40 });
  await page.getByRole('option').first().waitFor();
}

async function openPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Buy Now' }).click();
  await page.getByRole('dialog', { name: 'Test payment' }).waitFor();
}

async function openOrder(page: Page): Promise<void> {
  await page.locator('details summary, [aria-expanded="false"]').filter({ hasText: '#' }).first().click();
}
