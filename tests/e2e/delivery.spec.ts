// Where a product can be sent and by when: what a customer reads, and how the owner changes it.
import { randomInt } from 'node:crypto';
import { dayAfter, journeyOf, type WorkingDays } from '../../domain/delivery/promise.ts';
import { formatCalendarDay } from '../../domain/time.ts';
import { newClient, publicEnvironment } from '../support/visitor.ts';
import { address, becomeCustomer } from './buyer.ts';
import { expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, signIn, test } from './shop-page.ts';

/** Keeps for 90 days. */
const bark = '/product/1';
const besan = '/product/9';
/** Keeps for 4 days. */
const beetroot = '/product/22';
const pincode = (page: Page) => page.getByLabel('Deliver to pincode');
const change = (page: Page) =>
  page.getByRole('main').or(page.getByRole('dialog')).getByRole('button', { name: 'Change pincode' });
const header = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Deliver to/ });
const answer = (page: Page) => page.getByRole('status').filter({ has: page.getByText(/Arrives by|t reach|6-digit/) });
const card = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name });

/** The shop's public calendar; the rule in domain/ says what is to be expected. */
async function calendarOf(shopUrl: string): Promise<WorkingDays> {
  const visitor = newClient(await publicEnvironment(shopUrl));
  const settings = await visitor.from('shop_settings').select('cutoff_time, weekly_off').single();
  const closures = await visitor.from('closures').select('starts_on, ends_on');
  return {
    cutoff: settings.data?.cutoff_time ?? '',
    weeklyOff: settings.data?.weekly_off ?? [],
    closures: (closures.data ?? []).map(({ starts_on, ends_on }) => ({ startsOn: starts_on, endsOn: ends_on })),
  };
}
/** Whether what is said can be read: nothing lies over its last line, nor over its first. */
const isReadable = (page: Page) =>
  answer(page).evaluate((said) => {
    const { left, top, bottom } = said.getBoundingClientRect();
    return [top + 4, bottom - 4].every((y) => said.contains(document.elementFromPoint(left + 8, y)));
  });

/** Where what follows the field begins: no answer may move it. */
const factsTop = (page: Page) =>
  page
    .getByText('Ingredients, storage and seller details')
    .evaluate((facts) => Math.round(facts.getBoundingClientRect().top + window.scrollY));

const arrival = (calendar: WorkingDays, workingDays: number) =>
  journeyOf(new Date(), workingDays, calendar)?.arrivesOn ?? '';

test.describe('a customer', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED/ });

  test('checks a pincode, is remembered, and reads in time what would not arrive fresh', async ({
    page,
    browser,
    shopUrl,
  }) => {
    const day = formatCalendarDay(arrival(await calendarOf(shopUrl), 3));
    await page.goto(besan);
    await expect(pincode(page)).toBeVisible();
    await expect(page.getByText('We deliver within India, in 1 to 7 business days.')).toBeVisible();
    const below = await factsTop(page);

    await pincode(page).fill('मुंबई');
    await pincode(page).press('Enter');
    await expect(answer(page)).toHaveText('Enter a 6-digit pincode.');
    await expect(pincode(page)).toHaveAttribute('aria-invalid', 'true');
    await expect(pincode(page)).toBeFocused();

    await pincode(page).fill('११०००१');
    await expect(answer(page)).toContainText(`Arrives by ${day}`);
    await expect(answer(page)).toContainText(/if ordered before 2 pm (today|tomorrow|on )/);
    await expect(answer(page)).toContainText('Delivery to 110001: ₹100 if you buy it now, ₹40 in a cart');
    expect(await factsTop(page)).toBe(below);
    await page.getByRole('radio', { name: '1000 g' }).check();
    await page.getByRole('button', { name: 'Increase quantity' }).click();
    await expect(answer(page)).toContainText('₹160 if you buy it now');
    // Scrolled, the header lies over half of a link, which then counts as too small.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessible(page);

    await page.context().setOffline(true);
    await pincode(page).fill('110002');
    await expect(page.getByText('We couldn’t check delivery just now.')).toBeVisible();
    await page.context().setOffline(false);
    await expect(answer(page)).toContainText('Delivery to 110002');

    // On a phone the bar with the buttons lies over the lower part of the screen: the answer is read above it.
    for (const height of [844, 667]) {
      await page.setViewportSize({ width: 390, height });
      for (const place of ['/shop?product=Besan+Laddu', besan]) {
        await page.goto(place);
        await change(page).click();
        await pincode(page).fill('');
        await pincode(page).evaluate((field) => field.scrollIntoView({ block: 'end' }));
        await pincode(page).pressSequentially('110001');
        await expect(answer(page)).toContainText('Delivery to 110001');
        await expect.poll(() => isReadable(page), `${place} at ${height}`).toBe(true);
      }
    }

    await page.goto(beetroot);
    await expect(header(page)).toHaveText('Deliver to 110001');
    await expect(answer(page)).toContainText(/^Can’t reach 110001 fresh \(\d days in transit, stays fresh for 4\)\./);
    await expect(page.getByRole('main').getByText('Send instead:').getByRole('link')).toHaveCount(3);
    await expectStill(page, 0.01);
    await page.getByRole('main').getByText('Send instead:').getByRole('link').first().click();
    await expect(answer(page)).toContainText(`Arrives by ${day}`);

    const plain = await browser.newPage({ javaScriptEnabled: false });
    await plain.goto(`${shopUrl}${besan}`);
    await expect(plain.getByText(/pincode|Arrives by/)).toHaveCount(0);
    await plain.close();
  });
});

test('the cart asks what delivery costs for its own weight, and again when that changes', async ({ page }) => {
  const askedFor = (grams: number) => page.waitForRequest(new RegExp(`check_delivery.*&grams=${grams}$`));
  await page.goto(besan);
  await page.getByRole('radio', { name: '1000 g' }).check();
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page.getByText(/^Added 2x/)).toBeVisible();
  await page.goto('/cart');
  const inCart = askedFor(2000);
  await pincode(page).fill('110001');
  await inCart;
  await expect(answer(page)).toContainText('Delivery to 110001: ₹40');
  await page.getByRole('button', { name: 'Move to checkout' }).click();
  const inCheckout = askedFor(3000);
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  await inCheckout;
});

test('the pincode is asked once, in the header, and every card says by when in one request', async ({
  page,
  shopUrl,
}) => {
  const day = formatCalendarDay(arrival(await calendarOf(shopUrl), 3));
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('check_delivery') && asked.push(request.url()));
  await page.goto('/shop?category=halwa');
  await expect(header(page)).toHaveText('Deliver to Enter pincode');
  await expect(card(page, 'Karachi Halwa')).toBeVisible();
  expect(asked).toEqual([]);

  await header(page).click();
  const dialog = page.getByRole('dialog', { name: 'Where should we deliver?' });
  await dialog.getByLabel('Your pincode').fill('744101');
  await dialog.getByRole('button', { name: 'Deliver here' }).click();
  await expect(dialog.getByText('We don’t deliver to 744101 yet.')).toBeVisible();
  await dialog.getByLabel('Your pincode').fill('56003');
  await dialog.getByRole('button', { name: 'Deliver here' }).click();
  await expect(dialog.getByText('Enter a 6-digit pincode.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Your pincode').fill('560034');
  await dialog.getByLabel('Your pincode').press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(
    page.getByText(/^Delivering to 560034\. Arrives by [A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2,3}\.$/),
  ).toBeVisible();
  await expect(header(page)).toHaveText('Deliver to 560034');
  await expect(card(page, 'Karachi Halwa')).toContainText(`Arrives by ${day}`);
  await expect(card(page, 'Beetroot Halwa')).toContainText('Can’t reach 560034 fresh');

  asked.length = 0;
  await page.goto('/');
  await expect(card(page, 'Karachi Halwa')).toContainText(`Arrives by ${day}`);
  await expect(header(page)).toHaveText('Deliver to 560034');
  expect(asked, 'all cards of a page are one request').toHaveLength(1);
  await expectStill(page, 0.02);
  await expectAccessible(page);
});

test('the pincode of the profile is filled in, and never replaces what the customer types', async ({
  page,
  shopUrl,
}) => {
  await becomeCustomer(page, shopUrl, { ...address, zip: '110001' });
  await page.goto(bark);
  await expect(header(page)).toHaveText('Deliver to 110001');
  await expect(answer(page)).toContainText('Delivery to 110001');

  const held = Promise.withResolvers<void>();
  await page.route('**/rest/v1/user_profiles?select=zip*', async (route) => {
    await held.promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/rest/v1/user_profiles?select=zip*');
  await page.goto(bark);
  await asked;
  await pincode(page).focus();
  const answered = page.waitForResponse('**/rest/v1/user_profiles?select=zip*');
  held.resolve();
  await answered;
  await pincode(page).pressSequentially('560034');
  await expect(pincode(page)).toHaveValue('560034');
  await expect(header(page)).toHaveText('Deliver to 560034');
});

test('the owner opens a zone and closes for a festival, and the promise moves @soak', async ({ page, shopUrl }) => {
  // As far ahead as a zone may promise, so that hardly any other test's promise reaches it.
  const far = `9${randomInt(10_000, 99_999)}`;
  const calendar = await calendarOf(shopUrl);
  const first = arrival(calendar, 7);
  const moved = arrival(
    { ...calendar, closures: [...calendar.closures, { startsOn: first, endsOn: dayAfter(first, 1) }] },
    7,
  );
  const dialog = page.getByRole('dialog');
  const preview = page.getByRole('status', { name: 'What customers see' });
  const save = () => dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await signIn(page, 'Asha Rao');

  await page.goto('/admin/settings?tab=delivery');
  await page.getByRole('link', { name: 'Add zone' }).click();
  await dialog.getByLabel('Name').fill(`Army post ${far}`);
  await dialog.getByLabel('Pincode prefixes').fill('Kashmir');
  await dialog.getByLabel('First kg').fill('250');
  await dialog.getByLabel('Each additional kg').fill('90');
  await dialog.getByLabel('Maximum working days').fill('7');
  await save();
  await expect(dialog.getByText('“Kashmir” is not a pincode prefix')).toBeVisible();
  await dialog.getByLabel('Pincode prefixes').fill(far);
  await save();
  await expect(dialog).toHaveCount(0);
  await page.getByLabel('Pincode', { exact: true }).fill(far);
  await expect(preview).toContainText(formatCalendarDay(first));
  await expect(preview).toContainText('₹250');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Add closure' }).click();
  await dialog.getByLabel('Reason').fill(`Utsav ${far}`);
  await dialog.getByLabel('First day').fill(first);
  await dialog.getByLabel('Last day').fill(dayAfter(first, 1));
  await save();
  await expect(preview).toContainText(formatCalendarDay(moved));

  await page.goto(bark);
  await pincode(page).fill(far);
  await expect(answer(page)).toContainText(`Arrives by ${formatCalendarDay(moved)}`);

  await page.goto('/admin/log');
  await expect(page.getByText(`(Utsav ${far})`)).toBeVisible();
  for (const name of [`Utsav ${far}`, `Army post ${far}`]) {
    await page.goto('/admin/settings?tab=delivery');
    await page.getByRole('link', { name }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  }
});
