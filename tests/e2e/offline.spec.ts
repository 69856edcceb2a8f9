import { type Proxy as Line, startProxy } from '../support/proxy.ts';
import { signInAs } from '../support/visitor.ts';
import { expect, haveSession, type Page, test } from './shop-page.ts';

/** The shop behind a line of its own, which can be cut; a page that has the service worker and is not watched for errors. */
async function visit(page: Page): Promise<void> {
  await page.goto('/shop');
  await page.waitForLoadState('networkidle');
  await page.mouse.move(120, 300);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((taken) => navigator.serviceWorker.addEventListener('controllerchange', taken, { once: true }));
  });
}

const storedAddresses = (page: Page) =>
  page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(all.map((cache) => cache.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });

test.describe('the service worker', () => {
  let line: Line;
  test.beforeEach(async ({ shopUrl }) => {
    line = await startProxy(() => [Number(new URL(shopUrl).port)]);
  });
  test.afterEach(async () => {
    await line.stop().catch(() => {}); // the test may have cut it
  });

  test('keeps visited pages and the cart offline, and paying says why it waits', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: line.url, serviceWorkers: 'allow', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto('/shop');
    await page.evaluate(() => caches.open('mithaas-visited-pages-of-an-earlier-build'));
    await visit(page);
    expect(await page.evaluate(() => caches.keys()), 'a new build leaves nothing of an earlier one').not.toContain(
      'mithaas-visited-pages-of-an-earlier-build',
    );
    await page.goto('/product/9');
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await expect(page.getByText('Added 1x Besan Laddu (500g) to cart')).toBeVisible();
    await page.goto('/cart');
    await expect(page.getByRole('button', { name: 'Move to checkout: Besan Laddu' })).toBeVisible();

    await line.stop();
    await context.setOffline(true);

    await page.goto('/product/9');
    await expect(page.getByRole('heading', { level: 1, name: 'Besan Laddu' })).toBeVisible();
    await expect(page.getByText('You’re offline. You can look around')).toBeVisible();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Cart/ }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Your cart' })).toBeVisible();
    await page.getByRole('button', { name: 'Increase quantity' }).click();
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Cart/ })).toContainText(
      '2',
    );
    await page.getByRole('button', { name: 'Move to checkout: Besan Laddu' }).click();
    await page.getByRole('button', { name: 'Buy Now' }).click();
    await expect(page.getByText('You’re offline, so we can’t take your payment yet.')).toBeVisible();

    await page.reload();
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Cart/ })).toContainText(
      '2',
    );
    await page.goto('/terms');
    await expect(page.getByRole('heading', { level: 1, name: 'You’re offline' })).toBeVisible();
    const picture = page.getByRole('main').locator('img');
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    await context.close();
  });

  test('does not touch sign-in: its requests are sent once', async ({ browser, shopUrl }) => {
    // Not behind the line: sign-in returns to the shop's own address.
    const context = await browser.newContext({ baseURL: shopUrl, serviceWorkers: 'allow', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await visit(page);
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click();
    await page.getByRole('button', { name: 'Continue as Rahul Verma' }).click();
    await expect(page.getByRole('link', { name: 'Profile of Rahul Verma' })).toBeVisible();
    await expect(page).toHaveURL('/shop');
    await context.close();
  });

  test('clears visited pages when the customer logs out', async ({ browser, shopUrl }) => {
    const context = await browser.newContext({ baseURL: line.url, serviceWorkers: 'allow', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await haveSession(page, await signInAs(shopUrl, { account: 'Rahul Verma' }));
    await visit(page);
    await page.goto('/product/9');
    await expect.poll(() => storedAddresses(page)).toContain('/product/9');
    await page.goto('/profile?tab=orders');
    await expect(page.getByRole('tab', { name: /Order History \(\d+\)/ })).toBeVisible();
    const personal = /^\/(rest|auth|functions|realtime|admin|logout|order-confirmation)/;
    expect((await storedAddresses(page)).filter((path) => personal.test(path))).toEqual([]);
    await page.goto('/logout');
    await expect(page).toHaveURL(`${line.url}/`);
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible();
    expect(await storedAddresses(page)).not.toContain('/product/9');
    await context.close();
  });
});
