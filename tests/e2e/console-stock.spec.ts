// Buying from a vendor, minding the shelf and counting it, each as one journey.
import type { Sql } from 'postgres';
import { connectToShop, insertPaidOrder, insertProduct, insertUser, newMark } from '../support/rows.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, test as shopTest, signIn } from './shop-page.ts';

const test = shopTest.extend<{ sql: Sql }>({
  sql: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await signIn(page, 'Asha Rao');
    await use(sql);
    await sql.end();
  },
});
test.use({ expectedErrors: /status of 4(09|22)/ });

const onHand = async (sql: Sql, productId: number) =>
  (await sql`select on_hand from public.stock_levels where product_id = ${productId}`)[0]?.on_hand;
const save = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a vendor is added, goods are ordered, received and paid, and customers who wait are emailed once it is listed', async ({
  page,
  sql,
}) => {
  const [vendor, sweet] = [newMark('Gokul'), newMark('Kulfi')];
  const productId = await insertProduct(sql, { name: sweet, listed: false });
  const customer = await insertUser(sql);
  await sql`insert into public.notify_subscriptions (product_id, user_id) values (${productId}, ${customer})`;

  await page.goto('/admin/vendors');
  await page.getByRole('link', { name: 'Add vendor' }).click();
  await page.getByLabel('Name').fill(vendor);
  await page.getByLabel('Phone').fill('9820012345');
  await page.getByLabel('GSTIN').fill('27aapfu0939f1zw');
  await page.getByLabel('Payment terms').fill('10');
  await save(page, 'Add vendor');
  await expect(page.getByText('This GSTIN is not valid. Check each character.')).toBeVisible();
  await page.getByLabel('GSTIN').fill('27aapfu0939f1zv');
  await save(page, 'Add vendor');
  await expect(page.getByRole('heading', { name: vendor })).toBeVisible();
  await expect(page.getByText('27AAPFU0939F1ZV')).toBeVisible();

  await page.getByRole('link', { name: 'Create purchase order' }).first().click();
  await page.getByLabel('Item', { exact: true }).fill(sweet);
  await expect(page.getByText('Adds to stock', { exact: true })).toBeVisible();
  await page.getByLabel('Quantity').fill('1.5');
  await page.getByLabel('₹ per piece').fill('34.50');
  await save(page, 'Save draft');
  await expect(page.getByText('Enter a whole number.').first()).toBeVisible();
  await page.getByLabel('Quantity').fill('24');
  await save(page, 'Add item');
  await page.getByLabel('Item', { exact: true }).nth(1).fill(newMark('Dry ice'));
  await page.getByLabel('Quantity').nth(1).fill('2.5');
  await page.getByLabel('₹ per kg').fill('80');
  await expect(page.getByText('Total with GST ₹1,079.40')).toBeVisible();
  await expectAccessible(page);
  await save(page, 'Save and mark as ordered');
  await expect(page.getByText('Nothing received yet.')).toBeVisible();

  await save(page, 'Receive goods');
  const received = page.getByLabel(new RegExp(sweet)).first();
  await received.fill('25');
  await save(page, 'Receive goods');
  await expect(received).toHaveAccessibleDescription(/More than the 24 pieces ordered/);
  await expect(received).toBeFocused();
  await received.fill('20');
  await page.getByLabel('Vendor’s bill number').fill('GO/17');
  await expect(page.getByText('Amount payable ₹934.50')).toBeVisible();
  await expectAccessible(page);
  await save(page, 'Receive goods');
  await expect(page.getByText('Partly received').first()).toBeVisible();
  await expect(page.getByText('Bill GO/17 of ₹934.50', { exact: false })).toBeVisible();
  expect(await onHand(sql, productId)).toBe(20);
  // The request waits until customers can buy it.
  const emails = () => sql`select from private.outbox where payload ->> 'product_id' = ${String(productId)}`;
  expect(await emails()).toHaveLength(0);
  for (const isListed of [true, false])
    await sql`update public."Products" set is_listed = ${isListed} where "Id" = ${productId}`;
  expect(await emails()).toHaveLength(1);

  await save(page, 'Close order');
  await expect(page.getByText(`4 pieces of ${sweet}`)).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close order' }).click();
  await expect(page.getByText('Closed short').first()).toBeVisible();

  await page.getByRole('link', { name: vendor }).click();
  await save(page, 'Record payment');
  const record = page.getByRole('dialog').getByRole('button', { name: 'Record payment' });
  await page.getByLabel('Amount').fill('1000');
  await record.click();
  await expect(page.getByText('We owe them ₹934.50.', { exact: true })).toBeVisible();
  await page.getByLabel('Amount').fill('900');
  await page.getByLabel('Reference').fill('UTR 42');
  await record.click();
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'UTR 42' })).toContainText('₹34.50');
});

test('the stock screen shows low stock, and manual movements can be made and undone @soak', async ({ page, sql }) => {
  const sweet = newMark('Barfi');
  const productId = await insertProduct(sql, { name: sweet, hasSize: true, stock: 5000, listed: false });
  await sql`insert into private.product_costs (product_id, unit_cost, valid_from) values (${productId}, 150, now() - interval '1 day')`;

  await page.goto(`/admin/inventory?search=${encodeURIComponent(sweet)}`);
  const row = page.getByRole('row').filter({ hasText: sweet });
  await expect(row).toContainText('5 kg');
  const mark = page.getByLabel(`Reorder level of ${sweet}, in kg`);
  await mark.fill('many');
  await mark.press('Enter');
  await expect(row.getByRole('alert')).toHaveText('Enter kilograms, such as 2.5');
  await mark.fill('7.5');
  await mark.press('Enter');
  await expect(row.getByText('Low stock', { exact: true })).toBeVisible();

  const record = page.getByRole('button', { name: `Adjust stock of ${sweet}` });
  await record.click();
  const dialog = page.getByRole('dialog', { name: sweet });
  await dialog.getByLabel('Type').selectOption('Wastage');
  await dialog.getByLabel('Quantity').fill('0.75');
  await expect(dialog.getByText('A loss of ₹225 at cost.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Write off 0.75 kg' }).click();
  await expect(dialog.getByText('Enter the reason for the wastage.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('fell');
  await expectAccessible(page);
  const recounted = page.waitForResponse('**/rpc/admin_read_stock_summary');
  await dialog.getByRole('button', { name: 'Write off 0.75 kg' }).click();
  await expect(row).toContainText('4.25 kg');
  await recounted;
  await expect(record).toBeFocused();
  await save(page, 'Undo');
  await expect(page.getByText('Movement undone.')).toBeVisible();
  expect(await onHand(sql, productId)).toBe(5000);

  await row.getByRole('link', { name: sweet }).click();
  await expect(page.getByRole('heading', { name: sweet })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'fell' })).toContainText('Undone');
  await page.getByLabel('Type').selectOption('Made');
  await expect(page.getByRole('row').filter({ hasText: 'fell' })).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: '+5 kg' })).toBeVisible();
  await expectAccessible(page);
});

test('a count is kept on the phone, leaves sales alone, and is booked @soak', async ({ page, sql }) => {
  const sweet = newMark('Peda');
  const productId = await insertProduct(sql, { name: sweet, hasSize: true, stock: 6000, listed: false });
  const customer = await insertUser(sql);

  await page.goto('/admin/inventory/count');
  await page.getByLabel('Category').selectOption('Laddu');
  await page.getByLabel('Show system stock').check();
  await save(page, 'Start count');
  await page.getByLabel('Find a product').fill(sweet);
  const number = page.getByLabel(new RegExp(`^${sweet}`));
  await expect(page.getByText('6 kg in the system.', { exact: false })).toBeVisible();
  await number.fill('5 kilos');
  await number.press('Enter');
  await expect(page.getByText('Enter kilograms, such as 2.5')).toBeVisible();
  await number.fill('5.25');
  await number.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: '1 of' })).not.toContainText('to check');
  await expectAccessible(page);

  await insertPaidOrder(sql, { userId: customer, productId, quantity: 2 });
  await page.reload();
  await page.getByLabel('Find a product').fill(sweet);
  await expect(number).toHaveValue('5.25');
  await save(page, 'Review differences');
  await expect(page.getByRole('row').filter({ hasText: sweet })).toContainText('−0.75 kg');
  await save(page, 'Save count');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save count' }).click();
  await expect(page.getByText('Count saved for 1 product')).toBeVisible();
  expect(await onHand(sql, productId)).toBe(6000 - 1000 - 750);
});
