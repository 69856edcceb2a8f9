import { signInAs } from '../support/visitor.ts';
import { expect, type Page } from './shop-page.ts';

/**
 * The banner brings a script that leaves when React has taken the page over; until then nothing reacts. The carousel
 * and what is below follow a moment later: React leaves its mark on what it has taken over.
 */
export async function openHome(page: Page): Promise<void> {
  await page.goto('/');
  await reactsToVisitors(page);
}

export async function reactsToVisitors(page: Page): Promise<void> {
  await expect(page.locator('script[data-greeting]')).toHaveCount(0, { timeout: 20_000 });
  for (const name of ['Next slide', 'Order In Bulk']) {
    const button = page.getByRole('button', { name });
    await expect
      .poll(() => button.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))))
      .toBe(true);
  }
}

/** Freezes the page's clock; from then on only `page.clock.runFor` moves it. */
export async function holdClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 1000);
}

/**
 * Some festivals have no fireworks, so a test of fireworks brings its own greeting. Of equals the first one added is
 * shown, so tests that run side by side do not change each other's banner.
 */
export async function haveFireworksToday(shopUrl: string): Promise<void> {
  const owner = await signInAs(shopUrl, { account: 'Asha Rao' });
  const { data } = await owner.rpc('page_frame', {});
  if ((data as { greeting: { has_fireworks: boolean } | null } | null)?.greeting?.has_fireworks) return;
  const { error } = await owner.from('greetings').insert({
    title: 'A day for fireworks',
    message: 'And for something sweet.',
    link: '/shop',
    starts_at: '2020-01-01T00:00:00+05:30',
    ends_at: '2100-01-01T00:00:00+05:30',
    priority: 1000,
    has_fireworks: true,
  });
  expect(error).toBeNull();
}
