import { address, becomeCustomer, buyNow, expectOrderPlaced, pay, payment } from './buyer.ts';
import { amount, emptyTitle, entry, list, message, openCart } from './cart-lists.ts';
import { expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, test } from './shop-page.ts';

test.use({ expectedErrors: /status of (4|5)\d\d|ERR_FAILED/ });

async function expectAmounts(page: Page, [subtotal, tax, shipping, total]: Four) {
  await expect(amount(page, 'Total')).toHaveText(total);
  await expect(amount(page, 'Subtotal')).toHaveText(subtotal);
  await expect(amount(page, 'Tax')).toHaveText(tax);
  await expect(amount(page, 'Shipping charge')).toHaveText(shipping);
}

type Four = [string, string, string, string];
const nothing: Four = ['₹0', '₹0', '₹0', '₹0'];
/** Only what the items cost by themselves. */
const unknown = (subtotal: string): Four => [subtotal, '—', '—', '—'];

test('every move recalculates the amounts, and nothing else moves', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  await openCart(page, shopUrl, { cart: { 5: { 500: 1 } }, checkout: { 9: { 500: 2 } } });
  await expectAmounts(page, ['₹640', '₹32', '₹40', '₹712']);
  // As the invoice splits it.
  await expect(page.getByText('GST on items')).toBeVisible();
  await expect(page.getByText('incl. GST ₹1.90')).toBeVisible();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toContainText('₹320 per 500 g₹336 incl. GST');
  await expect(page.getByText(/^Arrives by \w{3}, \d+ \w+$/)).toHaveCount(1);
  await expect(page.getByText('To 4B, Ranade Road, Mumbai, 400001')).toBeVisible();
  await expectStill(page);
  await expectAccessible(page);
  const place = await buyNow(page).boundingBox();

  await page.getByRole('button', { name: 'Move to checkout: Sea Salt Chocolate Chikki' }).click();
  await expectAmounts(page, ['₹980', '₹49', '₹40', '₹1,069']);
  await page.getByRole('button', { name: 'Move back to cart: Sea Salt Chocolate Chikki' }).click();
  await expect(amount(page, 'Total')).toHaveText('₹712');
  expect((await buyNow(page).boundingBox())?.height).toBe(place?.height);
  const quotes: unknown[] = [];
  page.on('request', (request) => request.url().includes('getShippingPrice') && quotes.push(request));
  const more = entry(page, 'Checkout', 'Besan Laddu').getByRole('button', { name: 'Increase quantity' });
  await more.evaluate(async (button: HTMLButtonElement) => {
    button.click();
    await new Promise(requestAnimationFrame);
    button.click();
  });
  await expectAmounts(page, ['₹1,280', '₹64', '₹40', '₹1,384']);
  expect(quotes, 'presses in a row are one question').toHaveLength(1);
  await page.getByRole('button', { name: 'Delete Besan Laddu' }).click();
  await expectAmounts(page, nothing);
  await expect(buyNow(page)).toBeDisabled();
});

test('a late response to an earlier request is ignored', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    '**/getShippingPrice',
    async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const asked = page.waitForRequest('**/getShippingPrice');
  await openCart(page, shopUrl, { checkout: { 9: { 500: 1 } } });
  const first = await asked;
  await entry(page, 'Checkout', 'Besan Laddu').getByRole('button', { name: 'Increase quantity' }).click();
  await expect(amount(page, 'Total')).toHaveText('₹712');
  release();
  await (await first.response())?.finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(amount(page, 'Total')).toHaveText('₹712');
});

test('a visitor reads why there are no totals, and more on Buy Now', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(page.getByText('You need to log in to calculate totals.')).toBeVisible();
  await expectAmounts(page, unknown('₹640'));
  await expect(message(page, 'You need to log in to calculate totals.')).toHaveCount(0);
  await buyNow(page).click();
  await expect(message(page, 'You need to log in to proceed with the purchase.')).toBeVisible();
});

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } });
  test('messages appear beside Buy Now', async ({ page, shopUrl }) => {
    await becomeCustomer(page, shopUrl, {});
    await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
    await buyNow(page).click();
    const said = message(page, 'Update mobile number and address');
    await expect(said).toBeVisible();
    const [toast, button] = [await said.boundingBox(), await buyNow(page).boundingBox()];
    expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThan(button?.x ?? 0);
    expect(toast?.width).toBeLessThanOrEqual(420);
  });
});

test('a customer without a phone number or an address reads which one is missing, with a link to the profile', async ({
  page,
  shopUrl,
}) => {
  const customer = await becomeCustomer(page, shopUrl, {});
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(page.getByText('Please update your address with a valid pincode to calculate shipping.')).toBeVisible();
  await expectAmounts(page, unknown('₹640'));
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to profile' })).toHaveAttribute('href', '/profile');
  for (const [change, warning] of [
    [{ phone: '', street: '' }, 'Update mobile number and address'],
    [{ phone: '' }, 'Update mobile number'],
    [{ street: '' }, 'Update address'],
  ] as const) {
    await customer.changeAddress(change);
    await buyNow(page).click();
    await expect(message(page, warning).and(page.getByText(warning, { exact: true }))).toBeVisible();
  }
  await page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: 'Go to profile' }).last().click();
  await expect(page).toHaveURL('/profile');
});

test('an order that cannot be delivered says so once, and Try again helps after a failed request', async ({
  page,
  shopUrl,
}) => {
  const customer = await becomeCustomer(page, shopUrl, { ...address, zip: '744101' });
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  const failed = 'Could not calculate totals. Please try again.';
  await expect(page.getByText('We don’t deliver to 744101 yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' }), 'only another address helps').toHaveCount(0);
  await expectAmounts(page, unknown('₹640'));
  await expect(page.getByText(failed), 'nothing went wrong').toHaveCount(0);
  await expect(page.getByText(`To ${address.building_no}, ${address.street}`)).toContainText('744101');
  await expect(page.getByRole('button', { name: 'Change address' })).toBeVisible();
  await expect(buyNow(page)).toBeDisabled();

  await customer.changeAddress({});
  await page.route('**/getShippingPrice', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('main').getByText(failed)).toBeVisible();
  await expect(message(page, failed)).toBeVisible();
  await expectAmounts(page, nothing);
  await page.unroute('**/getShippingPrice');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(amount(page, 'Total')).toHaveText('₹712');
});

test('a line that cannot be sent is marked, and the rest is priced and bought without it', async ({
  page,
  shopUrl,
}) => {
  // Beetroot Halwa keeps for four days, Besan Laddu for fifteen.
  await becomeCustomer(page, shopUrl, { ...address, zip: '110001' });
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 }, 22: { 500: 1 } } });
  await expectAmounts(page, ['₹640', '₹32', '₹40', '₹712']);
  const beetroot = entry(page, 'Checkout', 'Beetroot Halwa');
  await expect(beetroot).toContainText(
    /Can’t reach 110001 fresh \(\d days in transit, stays fresh for 4\)\. Not included in the total\./,
  );
  await expect(entry(page, 'Checkout', 'Besan Laddu').getByRole('status').last()).not.toContainText('fresh');
  await expect(page.getByText(/^Arrives by/)).toBeVisible();
  await expectAccessible(page);

  await entry(page, 'Checkout', 'Besan Laddu')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(page.getByText('These items can’t be ordered right now.')).toBeVisible();
  await expect(amount(page, 'Total')).toHaveText('—');
  await expect(buyNow(page)).toBeDisabled();
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 }, 22: { 500: 1 } } });
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await page.goto('/cart');
  await expect(entry(page, 'Checkout', 'Beetroot Halwa')).toBeVisible();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toHaveCount(0);
  await beetroot.getByRole('button', { name: /^Remove/ }).click();
  await expect(emptyTitle(page)).toBeVisible();
});

test('a session that cannot be refreshed asks to log in again', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await page.route('**/auth/v1/token?*', (route) =>
    route.fulfill({ status: 400, json: { code: 'refresh_token_not_found' } }),
  );
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('mithaas-session') ?? '{}');
    localStorage.setItem('mithaas-session', JSON.stringify({ ...session, expires_at: 1 }));
  });
  await entry(page, 'Checkout', 'Besan Laddu').getByRole('button', { name: 'Increase quantity' }).click();
  const lost = 'Failed to retrieve access token. Please log in again.';
  await expect(message(page, lost)).toBeVisible();
  await expect(page.getByRole('main').getByText(lost)).toBeVisible();
  await expectAmounts(page, unknown('₹960'));
});

test('only takeaway can be picked up, and then nothing is shipped', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl, { phone: address.phone });
  await openCart(page, shopUrl, { cart: { 9: { 500: 1 } }, checkout: { 30: { 500: 2 } } });
  await expect(page.getByRole('radio', { name: 'Pick up at the counter' })).toBeChecked();
  await expectAmounts(page, ['₹175', '₹8.75', '₹0', '₹183.75']);
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(page.getByRole('region', { name: 'Pick up at' })).toContainText('17 Ranade Road');
});

test('another tab emptied the list: nothing is bought', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await page.context().clearCookies();
  await buyNow(page).click();
  await expect(message(page, 'Item not found in checkout.')).toBeVisible();
  await expect(emptyTitle(page)).toBeVisible();

  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await page.context().addCookies([{ name: 'checkout', value: '{%2210%22:{%22500%22:1}}', url: shopUrl }]);
  await buyNow(page).click();
  await expect(message(page, 'Your checkout was changed in another tab.')).toBeVisible();
  await expect(list(page, 'Checkout')).toContainText('Motichoor Laddu');
  await expect(payment(page)).toHaveCount(0);
});
