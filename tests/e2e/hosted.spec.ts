// The pages on one origin, the project on another: what a browser asks before it lets them talk is answered by both.
import sharp from 'sharp';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { type RunningShape, startShape } from '../support/shapes.ts';
import { newCustomer, publicEnvironment, signInAs } from '../support/visitor.ts';
import { amount, openCart } from './cart-lists.ts';
import { entryOf, laddu, moveAlong, openHistory } from './order-visit.ts';
import { expect, haveSession, test as shopTest } from './shop-page.ts';

const test = shopTest.extend<object, { hosted: RunningShape }>({
  hosted: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
    async ({}, use) => {
      const shape = await startShape('hosted');
      await use(shape);
      await shape.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  shopUrl: ({ hosted }, use) => use(hosted.shopUrl),
});
test.describe.configure({ mode: 'default' });

test('a customer signs in at the project, returns to the shop, and stays signed in @soak', async ({
  page,
  shopUrl,
  hosted,
}) => {
  await page.goto('/terms');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveTitle('Demo sign-in');
  expect(new URL(page.url()).origin).toBe(hosted.backendUrl);
  await page.getByRole('button', { name: 'Continue as Priya Sharma' }).click();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
  expect(new URL(page.url()).origin).toBe(shopUrl);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
});

test('amounts come from a function of the project, and order status changes appear live @soak', async ({
  page,
  shopUrl,
}) => {
  const customer = await newCustomer(shopUrl, 'Meera Joshi');
  await setAddress(customer);
  await haveSession(page, customer);
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(amount(page, 'Total')).toHaveText('₹712');
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  await openHistory(page);
  await expect(entryOf(page, id).locator('.status-pending')).toBeVisible();
  await moveAlong(await signInAs(shopUrl, { account: 'Asha Rao' }), id, 'Confirmed');
  await expect(entryOf(page, id).locator('.status-confirmed')).toBeVisible();
});

test('the owner stores a picture in the project, customers see it, and a list is saved as a file @soak', async ({
  page,
  shopUrl,
  hosted,
}) => {
  const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  await haveSession(page, asha);
  const { data: product } = await asha.from('Products').select('Id, Name').eq('Id', 9).single();
  await page.goto(`/admin/products/${product?.Id}`);
  const buffer = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#f4a300' } })
    .png()
    .toBuffer();
  await page.getByLabel('Picture file').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Use picture' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText(`${product?.Name} saved.`)).toBeVisible();

  const saved = page.waitForEvent('download');
  await page.goto('/admin/products/import');
  await page.getByRole('button', { name: 'Export all products' }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/);

  await page.goto(`/product/${product?.Id}`);
  const picture = page.locator(`img[src^="${(await publicEnvironment(shopUrl)).url}/storage/"]`).first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await picture.getAttribute('src')).toContain(hosted.backendUrl);
});
