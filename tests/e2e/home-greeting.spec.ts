import { haveFireworksToday, openHome } from './home-visit.ts';
import { expect, type Page, test } from './shop-page.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const banner = (page: Page) => page.getByRole('complementary', { name: 'Greeting' });
const fireworks = (page: Page) => page.locator('canvas');

test.beforeAll(async () => {
  await haveFireworksToday(process.env.SHOP_URL ?? '');
});

/** Notes when a canvas comes and goes, so that "there was none" can be said afterwards. */
async function watchCanvas(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { came: 0, went: 0 };
    Object.assign(window, { seen });
    new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        if ([...addedNodes].some((node) => node.nodeName === 'CANVAS')) seen.came = performance.now();
        if ([...removedNodes].some((node) => node.nodeName === 'CANVAS')) seen.went = performance.now();
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

const seenCanvas = (page: Page) =>
  page.evaluate(() => (window as unknown as { seen: { came: number; went: number } }).seen);

/** Later than everything that waits for the page to come to rest. */
async function afterRest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(done))));
}

test('a dismissed greeting stays dismissed, without a trace while the page loads', async ({ page }) => {
  await openHome(page);
  await expect(banner(page)).toBeVisible();
  await banner(page).getByRole('button', { name: 'Dismiss greeting' }).click();
  await expect(banner(page)).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  const painted = page.waitForResponse('/');
  await page.reload({ waitUntil: 'commit' });
  expect(await (await painted).text(), 'the page is the same for every visitor').toContain('aria-label="Greeting"');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(banner(page)).toBeHidden();
  await openHome(page);
  await expect(banner(page)).toHaveCount(0);
});

test('the greeting of another day is shown to those who dismissed one', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('mithaas-greeting-0', 'dismissed'));
  await openHome(page);
  await expect(banner(page)).toBeVisible();
});

test('the banner is dismissed by keyboard and its link leads on', async ({ page }) => {
  await openHome(page);
  const link = banner(page).getByRole('link');
  await expect(link).toHaveAttribute('href', /^\/shop/);
  await link.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(banner(page)).toHaveCount(0);
});

test('fireworks last about three seconds, once a visit, and block no press @soak', async ({ page }) => {
  await watchCanvas(page);
  await openHome(page);
  await expect(fireworks(page)).toHaveAttribute('aria-hidden', 'true');
  await expect(fireworks(page)).toHaveCSS('pointer-events', 'none');
  await expect(fireworks(page)).toHaveCount(0, { timeout: 10_000 });
  const { came, went } = await seenCanvas(page);
  expect(went - came).toBeGreaterThan(2500);
  expect(went - came).toBeLessThan(5000);
  await page.reload();
  await afterRest(page);
  expect(await seenCanvas(page), 'no second time').toEqual({ came: 0, went: 0 });
});

test('dismissing the greeting ends its fireworks @soak', async ({ page }) => {
  await openHome(page);
  await expect(fireworks(page)).toHaveCount(1);
  await banner(page).getByRole('button', { name: 'Dismiss greeting' }).click();
  await expect(fireworks(page)).toHaveCount(0, { timeout: 2000 });
});

test('with reduced motion there are no fireworks, and the lamp simply burns @soak', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await watchCanvas(page);
  await openHome(page);
  await afterRest(page);
  expect(await seenCanvas(page)).toEqual({ came: 0, went: 0 });
  const moving = await banner(page).evaluate((element) => element.getAnimations({ subtree: true }).length);
  expect(moving).toBe(0);
});
