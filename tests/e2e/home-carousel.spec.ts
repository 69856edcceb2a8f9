import { holdClock, openHome } from './home-visit.ts';
import { expect, type Page, test } from './shop-page.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });
// Drawn by the processor here, fireworks would only slow these down.
test.beforeEach(({ page }) =>
  page.route(/fireworks-worker/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' })),
);

const carousel = (page: Page) => page.getByRole('region', { name: 'From our kitchen', exact: true });
const dot = (page: Page, place: number) =>
  carousel(page).getByRole('button', { name: new RegExp(`^Slide ${place}: .`) });

async function expectSlide(page: Page, place: number): Promise<void> {
  await expect(dot(page, place)).toHaveAttribute('aria-current', 'true');
  await expect(carousel(page).locator('[aria-current]')).toHaveCount(1);
  const panel = carousel(page)
    .getByRole('group')
    .nth(place - 1);
  await expect(panel.getByRole('link')).toBeInViewport({ ratio: 0.5 });
}

/** Away from the carousel, on nothing that reacts. */
const leave = (page: Page) => page.mouse.move(2, 2);

test.describe('by itself', () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install();
    await openHome(page);
    await leave(page);
    await holdClock(page);
    // The five seconds start again when the pointer leaves.
    await carousel(page).hover();
    await leave(page);
  });

  test('moves on after five seconds, not earlier, and from the last slide to the first', async ({ page }) => {
    await page.clock.runFor(4900);
    await expectSlide(page, 1);
    await page.clock.runFor(100);
    await expectSlide(page, 2);
    await page.clock.runFor(5000);
    await expectSlide(page, 3);
    await page.clock.runFor(5000);
    await expectSlide(page, 1);
  });

  test('rests while the pointer is on it @soak', async ({ page }) => {
    await carousel(page).hover();
    await page.clock.runFor(20_000);
    await expectSlide(page, 1);
    await leave(page);
    await page.clock.runFor(5000);
    await expectSlide(page, 2);
  });

  test('rests while the focus is in it @soak', async ({ page }) => {
    await carousel(page).getByRole('group').first().getByRole('link').focus();
    await page.clock.runFor(20_000);
    await expectSlide(page, 1);
    await page.getByRole('link', { name: 'Try Them All' }).evaluate((link) => link.focus({ preventScroll: true }));
    await page.clock.runFor(5000);
    await expectSlide(page, 2);
  });

  test('stops with the pause button and continues with the play button @soak', async ({ page }) => {
    await carousel(page).getByRole('button', { name: 'Pause slides' }).click();
    await leave(page);
    await page.locator('main').evaluate((main) => main.focus({ preventScroll: true }));
    await page.clock.runFor(20_000);
    await expectSlide(page, 1);
    await carousel(page).getByRole('button', { name: 'Play slides' }).click();
    await page.clock.runFor(5000);
    await expectSlide(page, 2);
  });
});

test('dots, previous and next work by pointer @soak', async ({ page }) => {
  await openHome(page);
  await dot(page, 3).click();
  await expectSlide(page, 3);
  await carousel(page).getByRole('button', { name: 'Next slide' }).click();
  await expectSlide(page, 1);
  await carousel(page).getByRole('button', { name: 'Previous slide' }).click();
  await expectSlide(page, 3);
});

test('everything of it is reached and worked by keyboard @soak', async ({ page }) => {
  await openHome(page);
  const links = carousel(page).getByRole('group').getByRole('link');
  await links.first().focus();
  await page.keyboard.press('Tab');
  await expect(links.nth(1)).toBeFocused();
  await expectSlide(page, 2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(carousel(page).getByRole('button', { name: 'Pause slides' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(carousel(page).getByRole('button', { name: 'Play slides' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dot(page, 1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectSlide(page, 1);
  for (const name of ['Previous slide', 'Next slide']) {
    const button = carousel(page).getByRole('button', { name });
    while (!(await button.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  await expectSlide(page, 2);
});

test('it is swiped by scrolling, and comes to rest on a slide @soak', async ({ page }) => {
  await openHome(page);
  await carousel(page).getByRole('group').first().hover();
  const width = (await carousel(page).getByRole('group').first().boundingBox())?.width ?? 0;
  await page.mouse.wheel(width * 0.7, 0);
  await expectSlide(page, 2);
});

test('with reduced motion it does not move until the visitor presses play', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await openHome(page);
  await leave(page);
  await holdClock(page);
  await page.clock.runFor(20_000);
  await expectSlide(page, 1);
  await expect(carousel(page).getByRole('button', { name: 'Play slides' })).toBeVisible();
  await dot(page, 2).click();
  await expectSlide(page, 2);
});

test('moves from the last slide to the first without scrolling past the others', async ({ page }) => {
  await openHome(page);
  await dot(page, 3).click();
  await expectSlide(page, 3);
  const track = carousel(page).getByRole('group').first().locator('..');
  await track.evaluate((element) => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    element.addEventListener('scroll', () => seen.push(element.scrollLeft / element.clientWidth));
  });
  await carousel(page).getByRole('button', { name: 'Next slide' }).click();
  await expectSlide(page, 1);
  expect(await page.evaluate(() => (window as unknown as { seen: number[] }).seen)).toEqual([0]);
});
