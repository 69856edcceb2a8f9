import { signInAs } from '../support/visitor.ts';
import { expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, signIn, signInAsNewCustomer, test } from './shop-page.ts';

const address = {
  Phone: '98765 43210',
  'Building or apartment': '<script>alert("4B")</script>',
  Street: 'गांधी मार्ग 12',
  City: 'Pune',
  'ZIP (pincode)': '411 007',
};

async function fillAddress(page: Page) {
  for (const [label, text] of Object.entries(address)) await page.getByLabel(label).fill(text);
  await page.getByLabel('State').selectOption('Maharashtra');
}

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click();

test('a visitor is asked to log in and returns to the same page', async ({ page }) => {
  await page.goto('/profile?tab=orders');
  await expect(page.getByRole('heading', { name: 'Log in to see your orders and address' })).toBeVisible();
  await expectStill(page);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Continue as Priya Sharma' }).click();
  await expect(page.getByRole('tab', { name: 'Order History' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/\/profile\?tab=orders$/);
});

test('a new customer has an empty profile, fills it in, and finds it again', async ({ page }) => {
  const { email } = await signInAsNewCustomer(page, 'मीरा <b>Joshi</b>');
  await page.goto('/profile');
  const account = page.getByRole('complementary', { name: 'Your account' });
  await expect(account).toContainText('मीरा <b>Joshi</b>');
  await expect(account).toContainText(email);
  await expect(page.getByText('Update mobile number and address')).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
  await expect(page.getByLabel('Email', { exact: true })).not.toBeEditable();
  await expect(page.getByLabel('Full name')).toHaveValue('मीरा <b>Joshi</b>');

  await page.getByLabel('Full name').fill('मीरा <i>Kale</i>');
  await fillAddress(page);
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Profile updated successfully!');
  await expect(page.getByText('Update mobile number and address')).toHaveCount(0);
  await expect(account).toContainText('मीरा <i>Kale</i>');

  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('मीरा <i>Kale</i>');
  await expect(page.getByLabel('Phone')).toHaveValue('9876543210');
  await expect(page.getByLabel('Building or apartment')).toHaveValue('<script>alert("4B")</script>');
  await expect(page.getByLabel('Street')).toHaveValue('गांधी मार्ग 12');
  await expect(page.getByLabel('State')).toHaveValue('Maharashtra');
  await expect(page.getByLabel('ZIP (pincode)')).toHaveValue('411007');
});

test('an address that was missing for the cart leads back to it', async ({ page, shopUrl }) => {
  await signInAsNewCustomer(page);
  await page.context().addCookies([{ name: 'checkout', value: encodeURIComponent('{"9":{"500":1}}'), url: shopUrl }]);
  await page.goto('/profile');
  await page.getByLabel('Phone').fill(address.Phone);
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Profile updated successfully!');
  await expect(page.getByRole('link', { name: 'Back to your cart' })).toHaveCount(0);
  await fillAddress(page);
  await save(page);
  await page.getByRole('link', { name: 'Back to your cart' }).click();
  await expect(page.getByText(/^Arrives by/)).toBeVisible();
});

test('an address that was missing for a product leads back to it, as it was chosen', async ({ page }) => {
  await signInAsNewCustomer(page);
  await page.goto('/product/9');
  const main = page.getByRole('main');
  await main.getByRole('radio', { name: '1000 g' }).check();
  await main.getByRole('button', { name: 'Buy Now' }).click();
  await page.getByRole('link', { name: 'Go to profile' }).click();
  await page.getByLabel('Phone').fill(address.Phone);
  await fillAddress(page);
  await save(page);
  await page.getByRole('link', { name: 'Back to the product' }).click();
  await expect(page).toHaveURL(/\/product\/9$/);
  await expect(main.getByRole('radio', { name: '1000 g' })).toBeChecked();
});

test('a saved name is still there after the next log in, whatever the account is called there @soak', async ({
  page,
  shopUrl,
}) => {
  const person = await signInAsNewCustomer(page, 'Name at Google');
  await page.goto('/profile');
  await page.getByLabel('Full name').fill('Meera K.');
  await save(page);
  await expect(page.getByRole('alert')).toHaveText('Profile updated successfully!');
  const again = await (await signInAs(shopUrl, person)).auth.getSession();
  await page.evaluate(
    (session) => localStorage.setItem('mithaas-session', session),
    JSON.stringify(again.data.session),
  );
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('Meera K.');
  await expect(page.getByRole('complementary', { name: 'Your account' })).toContainText('Meera K.');
});

test.describe('sessions', () => {
  // This browser forgets a session that has ended already.
  test.use({ expectedErrors: /status of 403/ });

  test('the profile lists where one is logged in, and logs one device out, then all', async ({ page, shopUrl }) => {
    const person = await signInAsNewCustomer(page);
    const phone = await signInAs(shopUrl, person);
    await page.goto('/profile');
    const sessions = page.getByRole('region', { name: 'Where you’re logged in' });
    const entries = sessions.getByRole('listitem');
    await expect(entries).toHaveCount(2);
    await expect(entries.first()).toContainText('This device');
    await expect(entries.first().getByRole('button')).toHaveCount(0);
    await expectAccessible(page, 'main');
    await entries
      .last()
      .getByRole('button', { name: /^Log out of / })
      .click();
    await expect(entries).toHaveCount(1);
    await expect(sessions.getByRole('status')).toContainText('Logged out of ');
    expect((await phone.auth.refreshSession()).error).not.toBeNull();

    const laptop = await signInAs(shopUrl, person);
    await sessions.getByRole('button', { name: 'Log out everywhere…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click();
    await expect(page).toHaveURL((url) => url.pathname === '/');
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
    expect((await laptop.auth.refreshSession()).error).not.toBeNull();
  });
});

test.describe('after the session was ended on another device', () => {
  test.use({ expectedErrors: /status of 40[13]/ });
  test('a device that was logged out elsewhere shows so at its next request', async ({ page, shopUrl }) => {
    const person = await signInAsNewCustomer(page);
    await page.goto('/profile');
    await expect(page.getByRole('region', { name: 'Where you’re logged in' }).getByRole('listitem')).toHaveCount(1);
    const laptop = await signInAs(shopUrl, person);
    await laptop.rpc('end_my_sessions').throwOnError();
    await page.reload();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mithaas-session'))).toBeNull();
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  });
});

test('what is missing is said, and a customer without a name is New User', async ({ page }) => {
  await signInAsNewCustomer(page);
  await page.goto('/profile');
  await fillAddress(page);
  await page.getByLabel('Phone').fill('');
  await page.getByLabel('Full name').fill('  ');
  await save(page);
  await expect(page.getByText('Update mobile number', { exact: true })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Your account' })).toContainText('New User');
  await expect(page.getByRole('link', { name: 'Profile of New User' })).toBeVisible();
  await page.getByLabel('Phone').fill('9876543210');
  await page.getByLabel('Street').fill('');
  await save(page);
  await expect(page.getByText('Update address', { exact: true })).toBeVisible();
});

test('a wrong phone number or pincode is refused beside its field, and nothing is stored @soak', async ({ page }) => {
  await signInAsNewCustomer(page);
  await page.goto('/profile');
  await fillAddress(page);
  await page.getByLabel('Phone').fill('12345');
  await page.getByLabel('ZIP (pincode)').fill('012345');
  await save(page);
  await expect(page.getByLabel('Phone')).toBeFocused();
  await expect(page.getByLabel('Phone')).toHaveAccessibleDescription(/10-digit Indian mobile number/);
  await expect(page.getByLabel('ZIP (pincode)')).toHaveAccessibleDescription(/6-digit pincode/);
  await expectAccessible(page, 'main');
  await page.getByLabel('Phone').fill('9876543210');
  await expect(page.getByText('10-digit Indian mobile number')).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('Phone')).toHaveValue('');
});

test('when the backend fails, the customer gets a message and loses no input', async ({ page, context }) => {
  await signInAsNewCustomer(page);
  const broken = await context.newPage(); // not watched: the browser reports the failed requests
  await broken.goto('/profile');
  await broken.getByLabel('City').fill('Pune');
  await broken.route('**/rest/v1/user_profiles**', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  await save(broken);
  await expect(broken.getByRole('alert')).toHaveText('Failed to update profile.');
  await expect(broken.getByLabel('City')).toHaveValue('Pune');

  await broken.reload();
  await expect(broken.getByText('We couldn’t load your profile.')).toBeVisible();
  await broken.unroute('**/rest/v1/user_profiles**');
  await broken.getByRole('button', { name: 'Try again' }).click();
  await expect(broken.getByLabel('City')).toHaveValue('');
});

test('a profile is saved, also when the session was ended on another device', async ({ page, context }) => {
  await signInAsNewCustomer(page);
  const ended = await context.newPage(); // not watched: the browser reports the refused request
  await ended.goto('/profile');
  await ended.getByLabel('City').fill('Pune');
  await ended.route('**/auth/v1/user', (route) =>
    route.fulfill({ status: 403, json: { code: 403, error_code: 'session_not_found', msg: 'no session' } }),
  );
  await save(ended);
  await expect(ended.getByRole('alert')).toHaveText('Profile updated successfully!');
  await page.goto('/profile');
  await expect(page.getByLabel('City')).toHaveValue('Pune');
});

test('the order history lists what was bought, newest first', async ({ page }) => {
  await signIn(page, 'Priya Sharma');
  await page.goto('/profile');
  const tab = page.getByRole('tab', { name: /^Order History \(\d+\)$/ });
  await expect(tab).toBeVisible();
  const count = Number(/\d+/.exec((await tab.textContent()) ?? '')?.[0]);
  await tab.click();
  await expect(page).toHaveURL(/\?tab=orders$/);
  const orders = page.getByRole('tabpanel', { name: /Order History/ }).locator('details');
  await expect(orders).toHaveCount(count);
  expect(count).toBeGreaterThan(9);

  const days = await orders
    .locator('summary time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
  expect(days).toEqual(days.toSorted().reverse());
  const canceled = orders.locator('.status-canceled');
  await expect(canceled.first()).toHaveText('canceled');

  const order = orders.last();
  await expect(order.locator('summary')).toContainText(
    /^Order [0-9a-f]{8} #\d+\d{1,2} \w{3,4} \d{4}Delivered₹[\d,.]+Delivered on /,
  );
  await expect(order.locator('.status-delivered')).toBeVisible();
  await order.locator('summary').click();
  const item = order.getByRole('list', { name: 'Items' }).getByRole('listitem').first();
  await expect(item).toContainText(/Quantity \d+₹[\d,.]+/);
  const picture = item.locator('img');
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  await page.goBack();
  await expect(page.getByLabel('Full name')).toBeVisible();
});

test('a customer without orders is shown the way to the shop', async ({ page }) => {
  await signInAsNewCustomer(page);
  await page.goto('/profile?tab=orders');
  await expect(page.getByRole('tab', { name: 'Order History (0)' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Choose your sweets' }).click();
  await expect(page).toHaveURL(/\/shop$/);
});

test('tabs, form and orders work from the keyboard alone', async ({ page }) => {
  await signIn(page, 'Priya Sharma');
  await page.goto('/profile');
  const orders = page.getByRole('tabpanel', { name: /Order History/ });
  await expect(page.getByLabel('Full name')).toBeVisible();
  await page.getByRole('tab', { name: 'Profile' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Order History' })).toBeFocused();
  await expect(orders).toBeVisible();
  await expect(orders.locator('summary').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Logout' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(orders.locator('summary').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(orders.locator('details').first()).toHaveAttribute('open');
  await page.getByRole('tab', { name: 'Order History' }).focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('tab', { name: 'Profile' })).toBeFocused();
  await expect(page.getByLabel('ZIP (pincode)')).toBeVisible();
  await page.getByLabel('ZIP (pincode)').focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeFocused();
});

test('looking at the orders keeps what was typed @soak', async ({ page }) => {
  await signIn(page, 'Priya Sharma');
  await page.goto('/profile');
  await page.getByLabel('Full name').fill('Priya S.');
  await page.getByRole('tab', { name: 'Order History' }).click();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Priya S.');
});

for (const path of ['/profile', '/profile?tab=orders']) {
  test(`${path} is accessible in light and dark mode, and does not shift`, async ({ page }) => {
    await signIn(page, 'Priya Sharma');
    await page.goto(path);
    await expect(page.getByRole('tab', { name: /\(\d+\)/ })).toBeVisible();
    await expect(page.locator('[aria-busy]:visible')).toHaveCount(0);
    await expectStill(page);
    if (path.endsWith('orders')) await page.locator('summary:visible').first().click();
    await expectAccessible(page);
  });
}

test('profile and orders fit 320 pixels @soak', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, 'Priya Sharma');
  for (const path of ['/profile', '/profile?tab=orders']) {
    await page.goto(path);
    await expect(page.getByRole('tab', { name: /\(\d+\)/ })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  }
});

test('logging out leads to the home page, and Back does not show the profile again @soak', async ({ page }) => {
  await signInAsNewCustomer(page);
  await page.goto('/profile?tab=orders');
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Log in to see your orders and address' })).toBeVisible();
  await page.goto('/logout');
  await expect(page).toHaveURL(/:\d+\/$/);
});

test('without JavaScript, profile and logout say what to do', async ({ browser, shopUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shopUrl });
  const page = await context.newPage();
  await page.goto('/profile');
  await expect(page.locator('noscript > p')).toBeVisible();
  expect(await page.locator('noscript > p').innerText()).toContain('Turn on JavaScript to see your profile and orders');
  await page.goto('/logout');
  await expect(page.locator('noscript > p')).toBeVisible();
  expect(await page.locator('noscript > p').innerText()).toContain('Turn it on and reload this page');
  await expect(page.getByRole('link', { name: 'Back to the shop' })).toBeVisible();
  await context.close();
});
