import type { Sql } from 'postgres';
import { address } from '../support/buying.ts';
import { buyNow, expectOrderPlaced, pay } from './buyer.ts';
import { message, openCart } from './cart-lists.ts';
import { entryOf, expect, laddu, moveAlong, openHistory, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import { haveSession, type Page } from './shop-page.ts';

// A pincode outside all zones is refused, which the browser reports.
test.use({ expectedErrors: /409/ });

const note = 'शुभ दीपावली, नानी! 🪔\nSave one laddu for us.';
const cart = { checkout: { [laddu.productId]: { [laddu.size]: laddu.quantity } } };
const card = (page: Page) => page.getByRole('article', { name: 'Preview of the card' });
const giftSwitch = (page: Page) => page.getByRole('checkbox', { name: /^Send as a gift/ });

/** Fills the form of a new address, and saves it. */
async function addAddress(page: Page, change: Record<string, string> = {}): Promise<void> {
  await page.getByRole('button', { name: 'Add an address' }).click();
  const fields: Record<string, string> = {
    'Who gets the parcel': 'Kamala Devi',
    'Their mobile number': '098765 43210',
    'Building or apartment': '12, Shanti Sadan',
    Street: 'MG Road',
    'ZIP (pincode)': '411 001',
    City: 'Pune',
    'Save as (optional)': 'Nani',
    ...change,
  };
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).last().fill(value);
  await page.getByLabel('State', { exact: true }).last().selectOption('Maharashtra');
}

async function newestOrder(sql: Sql, userId: string) {
  const [row] = await sql<
    { id: string; number: number; total: string; sub: string; delivery_name: string; delivery_zip: string }[]
  >`
    select id, number::int, total_amount::text as total, sub_total::text as sub, delivery_name, delivery_zip
    from public.orders where user_id = ${userId} order by created_at desc limit 1`;
  if (!row) throw new Error('no order');
  return row;
}

test('a gift is bought from the cart, to an address added there; nothing in the parcel has a price @wide', async ({
  page,
  browser,
  shopUrl,
  customer,
  owner,
  sql,
}) => {
  test.slow(); // From the cart to the console's printer.
  const userId = (await customer.auth.getUser()).data.user?.id ?? '';
  const profile = async () =>
    (await customer.from('user_profiles').select('full_name, phone, building_no, street, city, state, zip')).data;
  const before = await profile();
  await openCart(page, shopUrl, cart);
  await expect(page.getByText('To 4B, Ranade Road')).toBeVisible();
  await page.getByRole('button', { name: 'Change address' }).click();
  await addAddress(page, { 'Their mobile number': '12345' });
  await page.getByRole('button', { name: 'Save and send here' }).click();
  await expect(page.getByText('Enter a 10-digit Indian mobile number')).toBeVisible();
  await expect(page.getByLabel('Their mobile number')).toBeFocused();
  await page.getByLabel('Their mobile number').fill('098765 43210');
  await page.getByRole('button', { name: 'Save and send here' }).click();
  await expect(page.getByText('To Kamala Devi, 12, Shanti Sadan, MG Road, Pune, 411001')).toBeVisible();

  await giftSwitch(page).check();
  await page.getByLabel('Your note').fill(note);
  await page.getByRole('textbox', { name: 'From' }).fill('');
  await page.getByRole('radio', { name: 'Rakhi' }).check();
  await page.getByLabel('Their email').fill('nani@example.com');
  await expect(card(page)).toContainText('शुभ दीपावली, नानी!');
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  // A reload loses no word.
  await page.reload();
  await expect(page.getByLabel('Your note')).toHaveValue(note);
  await expect(page.getByText('To Kamala Devi')).toBeVisible();
  await buyNow(page).click();
  await expect(page.getByText('Enter the name to print on the card.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'From' })).toBeFocused();
  await page.getByRole('textbox', { name: 'From' }).fill('Mirchi');
  await expect(card(page)).toContainText('With love fromMirchi');
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(page.getByRole('region', { name: 'Delivering to' })).toContainText('Kamala Devi');
  // Asked after a gift, and never ticked for them.
  const reminder = page.getByRole('checkbox', { name: 'Email me my gift list before festivals' });
  await expect(reminder).toBeEnabled();
  await expect(reminder).not.toBeChecked();
  await reminder.check();
  await expect(page.getByText(/^Reminders are on since /)).toBeVisible();
  const order = await newestOrder(sql, userId);
  expect(order).toMatchObject({ delivery_name: 'Kamala Devi', delivery_zip: '411001' });
  expect(await profile()).toEqual(before);

  await openHistory(page);
  await expect(entryOf(page, order.id)).toContainText('Gift for Kamala Devi');
  await entryOf(page, order.id).locator('summary').click();
  await expect(entryOf(page, order.id).getByRole('region', { name: 'Gift' })).toContainText('Save one laddu for us.');
  await expect(entryOf(page, order.id).getByRole('region', { name: 'Gift' })).toContainText('From Mirchi.');

  // In the console.
  await moveAlong(owner, order.id, 'Confirmed', 'Preparing', 'Packed');
  const counter = await (await browser.newContext({ baseURL: shopUrl, viewport: page.viewportSize() })).newPage();
  await haveSession(counter, owner);
  await counter.goto(`/admin/orders/${order.id}`);
  await expect(counter.getByRole('region', { name: 'Gift' })).toContainText('nani@example.com gets one email');
  await counter.goto(`/admin/orders?search=${order.number}`);
  await expect(counter.getByRole('row').filter({ hasText: String(order.number) })).toContainText('Gift');
  for (const [doc, sheet] of [
    ['slip', 'Packing slip'],
    ['label', 'Address label'],
    ['card', 'Gift card'],
  ]) {
    await counter.goto(`/admin/orders/print?doc=${doc}&ids=${order.id}`);
    const printed = counter.getByRole('article', { name: `${sheet} for order ${order.number}` });
    await expect(printed).toBeVisible();
    const room = await counter.evaluate(() => document.documentElement.clientWidth);
    expect(await counter.evaluate(() => document.documentElement.scrollWidth), sheet).toBe(room);
    const text = (await printed.innerText()).replaceAll(',', '');
    for (const hidden of ['₹', 'Meera', address.phone, Number(order.total).toString(), Number(order.sub).toString()])
      expect(text, `${sheet}: ${hidden}`).not.toContain(hidden);
  }
  await counter.context().close();
});

test('the direct purchase sends a gift to another person without leaving the product @wide', async ({
  page,
  customer,
  sql,
}) => {
  const userId = (await customer.auth.getUser()).data.user?.id ?? '';
  await page.goto(`/product/${laddu.productId}`);
  await page.getByRole('button', { name: 'Send as a gift or to another address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send Besan Laddu' });
  await expect(dialog.getByText('4B, Ranade Road, Mumbai 400001').first()).toBeVisible();
  await addAddress(page);
  await dialog.getByRole('button', { name: 'Save and send here' }).click();
  await expect(dialog.getByRole('radio', { name: /^Nani/ })).toBeChecked();
  await giftSwitch(page).check();
  await dialog.getByLabel('Your note').fill(note);
  await expect(dialog.getByRole('definition').last()).toContainText('₹');
  await dialog.getByRole('button', { name: 'Buy Now' }).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  expect(await newestOrder(sql, userId)).toMatchObject({ delivery_name: 'Kamala Devi', delivery_zip: '411001' });
  // The next order is not a gift.
  await page.goto(`/product/${laddu.productId}`);
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  expect(await newestOrder(sql, userId)).toMatchObject({ delivery_name: 'Meera Joshi', delivery_zip: '400001' });
});

test('a customer who presses before the page knows them is not sent to log in', async ({ page, customer }) => {
  await customer.auth.getUser();
  let release = () => {};
  const isReleased = new Promise<void>((done) => {
    release = done;
  });
  // What reads the session comes late, as on a slow line.
  await page.route(/\/assets\/session-work-/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.goto(`/product/${laddu.productId}`);
  await page.getByRole('button', { name: 'Send as a gift or to another address' }).click();
  release();
  await expect(page.getByRole('dialog', { name: 'Send Besan Laddu' })).toBeVisible();
  await expect(page.getByText('4B, Ranade Road, Mumbai 400001')).toBeVisible();
});

test('an address that we do not reach says so in the cart, and another one helps', async ({
  page,
  shopUrl,
  customer,
}) => {
  await customer.auth.getUser();
  await openCart(page, shopUrl, cart);
  await page.getByRole('button', { name: 'Change address' }).click();
  await addAddress(page, { 'ZIP (pincode)': '744101' });
  await page.getByRole('button', { name: 'Save and send here' }).click();
  await expect(page.getByText('We don’t deliver to 744101 yet.')).toBeVisible();
  await expect(buyNow(page)).toBeDisabled();
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByRole('radio', { name: /^My address/ }).check();
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(buyNow(page)).toBeEnabled();
  await expect(message(page, 'Something went wrong')).toHaveCount(0);
});

test('the address book is edited below the profile, which stays as it is @wide', async ({ page, customer }) => {
  await page.goto('/profile');
  const book = page.getByRole('region', { name: 'Address book' });
  await addAddress(page);
  await book.getByRole('button', { name: 'Save address' }).click();
  await expect(book.getByRole('listitem')).toContainText('12, Shanti Sadan, MG Road, Pune 411001');
  await book.getByRole('button', { name: 'Edit Nani' }).click();
  await book.getByLabel('Street').fill('FC Road');
  await book.getByRole('button', { name: 'Save address' }).click();
  await expect(book.getByRole('listitem')).toContainText('FC Road');
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  const { data } = await customer.from('user_profiles').select('street');
  expect(data).toEqual([{ street: 'Ranade Road' }]);
  await book.getByRole('button', { name: 'Delete Nani' }).click();
  await page.getByRole('button', { name: 'Delete address' }).click();
  await expect(book.getByRole('listitem')).toHaveCount(0);
  expect((await customer.from('customer_addresses').select('id')).data).toEqual([]);
});
