// The day of delivery, chosen in a calendar: with a pointer, with the keyboard alone, and where it is read afterwards.
import { formatCalendarDay, formatDate } from '../../domain/time.ts';
import { newClient, publicEnvironment } from '../support/visitor.ts';
import { becomeCustomer, buyNow, expectOrderPlaced, pay } from './buyer.ts';
import { openCart } from './cart-lists.ts';
import { expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, test } from './shop-page.ts';

type Days = { days: { day: string; pack_on?: string; reason?: string }[] };

/** What the shop says of its days, as everybody may read it. */
async function daysOf(shopUrl: string, productIds: number[]): Promise<Days['days']> {
  const visitor = newClient(await publicEnvironment(shopUrl));
  const { data, error } = await visitor.rpc('delivery_calendar', { pincode: '400001', product_ids: productIds });
  if (error) throw error;
  return (data as Days).days;
}

const dayButton = (page: Page) => page.getByRole('button', { name: /^Delivery day/ });
const calendar = (page: Page) => page.getByRole('dialog', { name: 'Choose a delivery day' });
const cell = (page: Page, day: string) =>
  calendar(page).getByRole('button', { name: new RegExp(`, ${formatDate(day)}`) });

async function showMonthOf(page: Page, day: string): Promise<void> {
  const next = calendar(page).getByRole('button', { name: 'Next month' });
  while ((await cell(page, day).count()) === 0) await next.click();
}

test('a customer chooses a day in the cart, pays, and reads it wherever the order is @wide', async ({
  page,
  shopUrl,
}) => {
  await becomeCustomer(page, shopUrl);
  const days = await daysOf(shopUrl, [9]);
  const possible = days.filter(({ reason }) => !reason);
  const [earliest, later] = [possible[0]?.day ?? '', possible[12]?.day ?? ''];
  await openCart(page, shopUrl, { checkout: { 9: { 500: 1 } } });
  await expect(dayButton(page)).toHaveText(`Earliest: ${formatCalendarDay(earliest)}`);
  await expectStill(page);

  await dayButton(page).click();
  await expect(calendar(page).getByRole('grid')).toBeVisible();
  await expectAccessible(page);
  // An impossible day says why, and cannot be taken.
  const off = days.find(({ reason }) => reason === 'day-off')?.day ?? '';
  await showMonthOf(page, off);
  // It is aria-disabled, for which Playwright would wait.
  await cell(page, off).click({ force: true });
  await expect(calendar(page).getByRole('status')).toHaveText(
    `We don’t deliver on ${formatCalendarDay(off)}: it’s our weekly day off.`,
  );
  await expect(calendar(page).getByRole('button', { name: 'Choose another day' })).toBeDisabled();
  await calendar(page).getByRole('button', { name: 'Close' }).click();
  await expect(dayButton(page)).toHaveText(`Earliest: ${formatCalendarDay(earliest)}`);
  await dayButton(page).click();

  await showMonthOf(page, later);
  await cell(page, later).click();
  await expect(calendar(page).getByRole('status')).toContainText('We make and pack it on');
  await calendar(page)
    .getByRole('button', { name: `Deliver on ${formatCalendarDay(later)}` })
    .click();
  await expect(dayButton(page)).toHaveText(formatCalendarDay(later));
  await expect(page.getByText(`Arrives on ${formatCalendarDay(later)}`)).toBeVisible();

  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(page.getByText('Arrives on', { exact: true })).toBeVisible();
  await expect(page.getByText(formatCalendarDay(later), { exact: true })).toBeVisible();
  await page.goto('/profile?tab=orders');
  await expect(page.getByText(`Arrives on ${formatCalendarDay(later)}`).first()).toBeVisible();
});

test('the calendar works with the keyboard alone @wide', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  const days = await daysOf(shopUrl, [9]);
  const possible = days.filter(({ reason }) => !reason);
  const [earliest, next] = [possible[0]?.day ?? '', possible[1]?.day ?? ''];
  await openCart(page, shopUrl, { checkout: { 9: { 500: 1 } } });
  await expect(dayButton(page)).toHaveText(`Earliest: ${formatCalendarDay(earliest)}`);
  await dayButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(cell(page, earliest)).toBeVisible();
  // One stop for the tab key.
  for (let stops = 0; stops < 6; stops += 1) {
    if (await cell(page, earliest).evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(cell(page, earliest)).toBeFocused();
  const steps = (Date.parse(next) - Date.parse(earliest)) / 86_400_000;
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowRight');
  await expect(cell(page, next)).toBeFocused();
  await page.keyboard.press('PageDown');
  await expect(cell(page, next)).toHaveCount(0);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Escape');
  await expect(dayButton(page)).toBeFocused();
  await expect(dayButton(page)).toHaveText(`Earliest: ${formatCalendarDay(earliest)}`);

  await page.keyboard.press('Enter');
  await expect(cell(page, earliest)).toBeVisible();
  await cell(page, earliest).focus();
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await expect(calendar(page).getByRole('button', { name: `Deliver on ${formatCalendarDay(next)}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dayButton(page)).toHaveText(formatCalendarDay(next));
  await expect(dayButton(page)).toBeFocused();
});

test('a day is chosen on a product’s page for what is bought at once @wide', async ({ page, shopUrl }) => {
  const { client } = await becomeCustomer(page, shopUrl);
  const later = (await daysOf(shopUrl, [9])).filter(({ reason }) => !reason)[9]?.day ?? '';
  await page.goto('/product/9');
  await dayButton(page).click();
  await expect(calendar(page).getByRole('grid')).toBeVisible();
  await showMonthOf(page, later);
  await cell(page, later).click();
  await calendar(page)
    .getByRole('button', { name: `Deliver on ${formatCalendarDay(later)}` })
    .click();
  await expect(dayButton(page)).toHaveText(formatCalendarDay(later));
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  const { data } = await client.from('orders').select('deliver_on, delivery_by').single();
  expect(data).toEqual({ deliver_on: later, delivery_by: later });
});
