import { type ShopClient, signInAs } from '../support/visitor.ts';
import { expect, haveSession, type Page, signInAsNewCustomer, test } from './shop-page.ts';

const bar = (page: Page) => page.locator('div[class^="_bar_"]').first();
const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Holds back what matches until it is let go. */
async function holdBack(page: Page, what: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await promise;
    await route.continue().catch(() => {}); // the request was cancelled
  });
  return resolve;
}

test('a tap shows the pending bar immediately, also when the page is slow', async ({ page }) => {
  await page.goto('/terms');
  await page.waitForLoadState('networkidle');
  await expect(bar(page)).toBeHidden();
  const letGo = await holdBack(page, /\/shop\.data/);
  await main(page).getByRole('link', { name: 'Shop' }).click();
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole('status').getByText('Loading…')).toBeAttached();
  letGo();
  await expect(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeVisible();
  await expect(bar(page)).toBeHidden();
});

test('a tap before the code has come shows the bar, too', async ({ page }) => {
  // Noted by the page itself: a page that is about to be left answers no questions.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const bar = document.querySelector('div[class^="_bar_"]');
      if ('pending' in document.documentElement.dataset && bar)
        sessionStorage.setItem('bar', getComputedStyle(bar).visibility);
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-pending'] });
  });
  const letGo = await holdBack(page, /\/assets\/.*\.js/);
  await page.goto('/terms', { waitUntil: 'commit' });
  await main(page).getByRole('link', { name: 'Cart' }).click();
  letGo();
  await expect(page.getByRole('heading', { level: 1, name: 'Your cart is empty' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('bar'))).toBe('visible');
});

test('links in view are fetched ahead once the visitor moves, and /logout never is', async ({ browser, shopUrl }) => {
  const context = await browser.newContext({ baseURL: shopUrl, serviceWorkers: 'allow', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signInAsNewCustomer(page);
  await page.goto('/profile');
  const ahead = page.locator('link[rel="prefetch"][href^="/shop.data"]');
  await expect(page.getByRole('link', { name: 'Logout' })).toBeVisible();
  await expect(ahead, 'nothing is fetched for a visitor who only reads').toHaveCount(0);
  await page.mouse.move(100, 300);
  await expect(ahead).toHaveCount(1);
  expect(await page.locator('link[href*="logout"]').count()).toBe(0);
  const rules = await page.locator('script[type="speculationrules"]').textContent();
  expect(rules).toContain('/product/:id');
  expect(rules).not.toContain('logout');
  await context.close();
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('the picture of a card moves into the product it opens', async ({ page }) => {
    await page.addInitScript(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = ((update: () => Promise<void>) => {
        const named = () => {
          const all = [...document.querySelectorAll('main *, dialog *')];
          return all.filter((element) => getComputedStyle(element).viewTransitionName === 'product-picture').length;
        };
        moved.push(`before ${named()}`);
        return start(async () => {
          await update();
          moved.push(`after ${named()}`);
        });
      }) as typeof document.startViewTransition;
    });
    await page.goto('/shop');
    await page.waitForLoadState('networkidle');
    const card = page.getByRole('article').first();
    await card.getByRole('link').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    const moved = () => page.evaluate(() => (window as unknown as { moved: string[] }).moved);
    await expect.poll(moved, 'one picture of the name on each side').toEqual(['before 1', 'after 1']);
    await page.getByRole('link', { name: /^See full details of/ }).click();
    await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible();
    await expect.poll(moved).toEqual(['before 1', 'after 1', 'before 1', 'after 1']);
  });
});

test.describe('a customer with a stored session', () => {
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('never sees Login, not even before any code has come', async ({ page, shopUrl }) => {
    await haveSession(page, await signInAs(shopUrl, { account: 'Priya Sharma' }));
    await page.route(/\/assets\/.*\.js/, (route) => route.abort());
    await page.goto('/terms');
    const banner = page.getByRole('banner');
    await expect(banner.getByRole('button', { name: 'Login' })).toBeHidden();
    await expect(banner.getByRole('link', { name: 'Profile', exact: true })).toBeVisible();
  });
});

/** A session whose access token has expired: it has to be refreshed before anything is known. */
async function haveExpiredSession(page: Page, client: ShopClient): Promise<void> {
  const { data } = await client.auth.getSession();
  const expired = { ...data.session, expires_at: Math.floor(Date.now() / 1000) - 60, expires_in: -60 };
  await page
    .context()
    .addInitScript((session) => localStorage.setItem('mithaas-session', session), JSON.stringify(expired));
}

test.describe('when sign-in does not respond', () => {
  test.use({ expectedErrors: /net::ERR_FAILED|503/ });

  test('the profile says so after five seconds, and the customer is not shown as logged out', async ({
    page,
    shopUrl,
  }) => {
    await haveExpiredSession(page, await signInAs(shopUrl, { account: 'Priya Sharma' }));
    const letGo = await holdBack(page, /\/auth\/v1\/token/);
    await page.clock.install();
    await page.goto('/profile');
    await page.waitForRequest(/\/auth\/v1\/token/);
    await expect(page.getByText('We can’t reach sign-in right now.')).toHaveCount(0);
    await page.clock.runFor(5_500);
    await expect(page.getByText('We can’t reach sign-in right now.')).toBeVisible();
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeHidden();
    letGo();
  });

  test('Login says so instead of leading to an empty page', async ({ page }) => {
    await page.route(/\/auth\/v1\/health/, (route) => route.abort());
    await page.goto('/terms');
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click();
    await expect(
      page.getByText('We can’t reach sign-in right now. Check your connection and try again.'),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/terms$/);
  });
});

test('the profile asks for each thing once', async ({ page, shopUrl }) => {
  await haveSession(page, await signInAs(shopUrl, { account: 'Priya Sharma' }));
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(rest|auth|functions)\/v1\//.test(pathname) && request.method() !== 'OPTIONS')
      asked.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`);
  });
  const socket = page.waitForEvent('websocket');
  await page.goto('/profile?tab=orders');
  await (await socket).waitForEvent('framereceived', {
    predicate: ({ payload }) => String(payload).includes('Subscribed to PostgreSQL'),
  });
  await expect(page.getByRole('tab', { name: /Order History \(\d+\)/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked.filter((request, index) => asked.indexOf(request) !== index)).toEqual([]);
});
