import { buyOverHttp, setAddress } from '../support/buying.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, signInAs } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, signIn, test } from './shop-page.ts';

const laddu = { productId: 9, quantity: 2, size: 500 } as const;

async function boughtBy(shopUrl: string, name: string): Promise<string> {
  const customer = await newCustomer(shopUrl, name);
  await setAddress(customer);
  return buyOverHttp(shopUrl, customer, [laddu]);
}

/** Another administrator, elsewhere. */
async function moveAlong(shopUrl: string, order_id: string, ...statuses: string[]): Promise<void> {
  const other = await signInAs(shopUrl, { account: 'Asha Rao' });
  for (const to_status of statuses) {
    const { data } = await other.rpc('admin_read_order', { order_id });
    const { updated_at: seen } = data as { updated_at: string };
    const { error } = await other.rpc('admin_move_order', { order_id, to_status, seen });
    if (error) throw error;
  }
}

/** The same one for every run: a courier that is there already is refused. */
async function haveCourier(shopUrl: string, name: string, tracking_pattern: string): Promise<void> {
  const owner = await signInAs(shopUrl, { account: 'Asha Rao' });
  await owner.rpc('admin_save_courier', { name, tracking_pattern });
}

const dialog = (page: Page) => page.getByRole('dialog');
const badge = (page: Page, text: string) => page.getByText(text, { exact: true }).first();

test.describe('with refusals', () => {
  test.use({ expectedErrors: /status of (409|422)/ });

  test('an order is corrected, confirmed, shipped, delivered and refunded in part', async ({ page, shopUrl }) => {
    test.slow(); // the whole life of an order
    const id = await boughtBy(shopUrl, 'Meera Joshi');
    await haveCourier(shopUrl, 'Pavan Parcel', 'https://courier.example/{tracking}');
    await signIn(page, 'Asha Rao');
    await page.goto(`/admin/orders/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();

    await page.getByRole('button', { name: 'Edit address' }).click();
    await dialog(page).getByLabel('Pincode').fill('999999');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page).getByText('We do not deliver to 999999.')).toBeVisible();
    await dialog(page).getByLabel('Pincode').fill('400050');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Mumbai 400050')).toBeVisible();

    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await dialog(page).getByLabel('Note to the customer').fill('We pack it fresh.');
    await dialog(page).getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Start preparing' })).toBeVisible();
    // A change in the kitchen at the same time: this page is updated.
    await moveAlong(shopUrl, id, 'Preparing', 'Packed');
    await expect(page.getByRole('button', { name: 'Edit address' })).toBeHidden();
    await page.getByRole('button', { name: 'Ship', exact: true }).click();
    await dialog(page).getByLabel('Courier').fill('Pavan Parcel');
    await dialog(page).getByLabel('Tracking number').fill('PP-77');
    await expect(dialog(page).getByLabel('Tracking link')).toHaveValue('https://courier.example/PP-77');
    await dialog(page).getByRole('button', { name: 'Ship', exact: true }).click();
    await expect(page.getByRole('link', { name: 'PP-77' })).toHaveAttribute('href', 'https://courier.example/PP-77');
    await page.getByRole('button', { name: 'Mark as delivered' }).click();
    await dialog(page).getByRole('button', { name: 'Mark as delivered' }).click();

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog(page).getByLabel('Amount', { exact: true }).fill('99999');
    await dialog(page).getByLabel('Reason').fill('One box crushed');
    await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(dialog(page).getByText(/^At most ₹[\d,.]+ can be refunded\.$/)).toBeVisible();
    await dialog(page).getByLabel('Amount', { exact: true }).fill('50');
    await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Refunds' }).getByText('One box crushed')).toBeVisible();
    await expect(badge(page, 'Delivered')).toBeVisible();
    await expect(page.getByText(/^(Refund in progress|Partly refunded)$/).first()).toBeVisible();

    await page.getByLabel('New note').fill('Photo came by WhatsApp.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Photo came by WhatsApp.' })).toContainText('Asha Rao');
    await page.getByRole('button', { name: 'Resend “Confirmed”' }).click();
    await expect(page.getByText('Sending “Confirmed” again.')).toBeVisible();

    const story = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await expect(story.filter({ hasText: 'We pack it fresh.' })).toContainText('Confirmed');
    await expect(story.filter({ hasText: 'pincode: 400001 → 400050' })).toContainText('Asha Rao');
    await expect(story.filter({ hasText: 'Refund of ₹50 started' })).toBeVisible();
    await expectAccessible(page);
  });

  test('the change of another administrator is shown, not overwritten', async ({ page, shopUrl }) => {
    const id = await boughtBy(shopUrl, 'Kiran Rao');
    await signIn(page, 'Asha Rao');
    await page.goto(`/admin/orders/${id}`);
    await page.getByRole('button', { name: 'Edit address' }).click();
    await dialog(page).getByLabel('Name').fill('Kiran R. Rao');

    await moveAlong(shopUrl, id, 'Confirmed');

    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('Changed by someone else.');
    await expect(page.getByText('Confirmed', { exact: true }).first()).toBeAttached();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Kiran R. Rao').first()).toBeVisible();
    await expect(badge(page, 'Confirmed')).toBeVisible();
  });
});

test('an order by phone is taken without the mouse, paid, canceled, and the money given back', async ({ page }) => {
  test.slow(); // typed key by key
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/orders/new');
  await expect(page.getByLabel('Phone')).toBeFocused();
  // A returning caller: the demo shop knows the number.
  await page.keyboard.type('9000000115');
  await expect(page.getByLabel('Name')).toHaveValue('Usha Trivedi');
  await expect(page.getByLabel('Pincode')).toHaveValue('400077');
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('Maharashtra');
  // What was filled in stays when something else is typed.
  await page.getByLabel('Note for packing').fill('Rings twice');
  await expect(page.getByLabel('Name')).toHaveValue('Usha Trivedi');

  await expectAccessible(page);
  await page.getByLabel('Add an item').focus();
  await page.keyboard.type('besan');
  await expect(page.getByRole('option', { name: /^Besan Laddu/ })).toBeVisible();
  // While it is open, Base UI hides all but the field and its list from screen readers.
  await expectAccessible(page, '[role="combobox"][aria-expanded="true"], [role="listbox"]');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Quantity of Besan Laddu')).toBeFocused();
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Add an item')).toBeFocused();
  // Faster than the response: the choice still applies.
  await page.keyboard.type('samosa');
  await page.keyboard.press('Enter');
  const lines = page.getByRole('list', { name: 'Items in this order' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  await expect(lines.nth(1)).toContainText('₹');
  const total = await page.locator('output').textContent();
  await page.keyboard.press('Control+Enter');

  await expect(page.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();
  await expect(page.getByText('Amount due')).toBeVisible();
  await expect(page.getByText(total ?? 'no total').first()).toBeVisible();
  await page.getByRole('link', { name: 'Packing slip' }).click();
  const slip = page.getByRole('article');
  await expect(slip).toContainText(`Collect ${total}`);
  await expect(slip).toContainText('Rings twice');
  await page.goBack();
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await dialog(page).getByLabel('Payment mode').selectOption('UPI');
  await dialog(page).getByRole('button', { name: 'Mark as paid' }).click();
  await expect(badge(page, 'Paid offline')).toBeVisible();

  await page.getByRole('button', { name: 'Cancel order' }).click();
  await dialog(page).getByLabel('Reason').fill('Called off');
  await dialog(page).getByRole('button', { name: 'Cancel order' }).click();
  const owed = page.getByText(/still has to be paid back offline/);
  await expect(owed).toBeVisible();
  // A missing value moves the focus to its field.
  const number = (await page.getByRole('heading', { level: 1 }).textContent())?.replace('Order ', '') ?? '';
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Refunds due' }).click();
  await page.getByRole('link', { name: number, exact: true }).click();
  await expect(owed).toBeVisible();
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await dialog(page).getByLabel('Reason').fill('Called off');
  await dialog(page).getByRole('button', { name: 'Record refund' }).click();
  await expect(dialog(page).getByText(/Enter the UTR or transaction number/)).toBeVisible();
  await dialog(page).getByLabel('Reference').fill('432109876543');
  await dialog(page).getByRole('button', { name: 'Record refund' }).click();
  await expect(badge(page, 'Refunded')).toBeVisible();
  await expect(page.getByText('Reference 432109876543')).toBeVisible();
});

test('slips and labels are printed one to a sheet, without the console around them', async ({ page }) => {
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  const orders = await sql<{ id: string; number: string; zip: string }[]>`
    select id, number, delivery_zip as zip from public.orders where fulfilment = 'delivery' and source = 'cart'
    order by number limit 2`;
  await sql.end();
  await signIn(page, 'Asha Rao');
  await page.goto(`/admin/orders/print?doc=slip&ids=${orders.map(({ id }) => id).join(',')},nonsense`);
  const sheets = page.getByRole('article');
  await expect(sheets).toHaveCount(2);
  for (const [place, { number }] of orders.entries()) {
    await expect(sheets.nth(place)).toContainText(String(number));
    await expect(sheets.nth(place).getByRole('img', { name: `Barcode ${number}` })).toBeVisible();
    await expect(sheets.nth(place)).toContainText('FSSAI licence');
  }
  await page.getByRole('link', { name: 'Address labels' }).click();
  await expect(sheets.nth(1).getByText(orders[1]?.zip ?? 'no pincode', { exact: true })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeHidden();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  expect(pdf).toMatch(/\/MediaBox\s*\[0 0 288 432\]/);
});
