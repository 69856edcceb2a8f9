import { becomeCustomer } from './buyer.ts';
import { amount, openCart } from './cart-lists.ts';
import { expect, type Locator, type Page, test } from './shop-page.ts';

/** How much of the screen stays covered while the page scrolls under it. */
const coveredHeight = (page: Page) =>
  page.evaluate(async () => {
    window.scrollTo({ top: 600, behavior: 'instant' });
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const bars = [...document.querySelectorAll('header, header nav, main *')].filter((element) => {
      const { position } = getComputedStyle(element);
      return position === 'fixed' || position === 'sticky';
    });
    const inSight = bars
      .map((bar) => bar.getBoundingClientRect())
      .filter(({ bottom, top }) => bottom > 0 && top < innerHeight);
    return inSight.reduce((sum, { height }) => sum + height, 0);
  });

// A phone held sideways, and a laptop of 1440 × 900 at 200 %.
for (const viewport of [
  { width: 667, height: 375 },
  { width: 720, height: 450 },
]) {
  const size = `${viewport.width} × ${viewport.height}`;

  test(`at ${size} no bar stays in the way of the page`, async ({ page, shopUrl }) => {
    await page.setViewportSize(viewport);
    await openCart(page, shopUrl, { checkout: { 9: { 500: 2 }, 10: { 500: 1 }, 5: { 500: 1 } } });
    await expect(amount(page, 'Subtotal')).toHaveText(/^₹[1-9]/);
    expect(await coveredHeight(page), '/cart').toBe(0);
    for (const path of ['/', '/shop', '/product/9']) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await expect(page.getByRole('button', { name: /^Deliver to/ })).toBeInViewport({ ratio: 1 });
      expect(await coveredHeight(page), path).toBe(0);
    }
    // The buy bar is no bar any more, so it must not stand where the bar has its place: after everything else.
    const main = page.getByRole('main');
    const top = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().top);
    const buy = await top(main.getByRole('button', { name: 'Buy Now' }));
    expect(buy).toBeLessThan(await top(main.getByRole('heading', { name: /^Reviews/ })));
    expect(buy).toBeLessThan(await top(main.getByText('Ingredients, storage and seller details')));
  });

  test(`at ${size} the modal can be read, used and closed`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/shop?product=Besan+Laddu');
    const dialog = page.getByRole('dialog', { name: 'Besan Laddu' });
    const buy = dialog.getByRole('button', { name: 'Buy Now' });
    await buy.scrollIntoViewIfNeeded();
    await expect(buy).toBeInViewport({ ratio: 1 });
    await expect(
      dialog.getByRole('button', { name: 'Close', exact: true }),
      'in reach however far it is scrolled',
    ).toBeInViewport({
      ratio: 1,
    });
    // They stay while the rest scrolls under them: nothing that can be pressed may come there. Pictures are cut by their frame.
    const left = await dialog
      .getByRole('link', { name: /^See full details of/ })
      .evaluate((link) => link.getBoundingClientRect().left);
    const rights = await dialog
      .locator('button:not([aria-label="Close"], li button), input, a:not([aria-label^="See full details"])')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...rights)).toBeLessThanOrEqual(left);
    const description = dialog.getByText('Allergens');
    await description.scrollIntoViewIfNeeded();
    // Nothing lies over it.
    await description.click({ trial: true });
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(dialog).toBeHidden();
  });

  test(`at ${size} the calendar shows a day, what it means and the button that takes it`, async ({ page, shopUrl }) => {
    await page.setViewportSize(viewport);
    await becomeCustomer(page, shopUrl);
    await openCart(page, shopUrl, { checkout: { 9: { 500: 1 } } });
    await page.getByRole('button', { name: /^Delivery day/ }).click();
    const calendar = page.getByRole('dialog', { name: 'Choose a delivery day' });
    const day = calendar.locator('td[aria-selected="true"] button');
    for (const part of [day, calendar.getByRole('status'), calendar.getByRole('button', { name: /^Deliver on/ })])
      await expect(part).toBeInViewport({ ratio: 1 });
    // Nothing lies over it.
    await day.click({ trial: true });
  });
}
