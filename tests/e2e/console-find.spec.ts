import { connectToShop, insertPaidOrder, insertProduct, insertUser, newMark } from '../support/rows.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, signIn, test } from './shop-page.ts';

test('one search finds orders, customers, products and screens, and offers what was opened last', async ({ page }) => {
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  const mark = newMark('Gulabo');
  const userId = await insertUser(sql, { name: `Leela ${mark}` });
  const productId = await insertProduct(sql, { name: `${mark} Peda`, stock: 10, listed: false });
  const { id, paymentId } = await insertPaidOrder(sql, { userId, productId, deliveryName: `Leela ${mark}` });
  const [order] = await sql<{ number: number }[]>`select number::int from public.orders where id = ${id}`;
  await sql.end();
  const number = `Order ${order?.number}`;
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/expenses');
  await expect(page.getByRole('heading', { level: 1, name: 'Expenses' })).toBeVisible();

  // By keys from within another field, or by the button that a phone has.
  const isPhone = (page.viewportSize()?.width ?? 0) < 900;
  const open = async () => {
    if (isPhone) await page.getByRole('button', { name: 'Search', exact: true }).click();
    else {
      await page.getByRole('searchbox', { name: 'Search expenses' }).focus();
      await page.keyboard.press('Control+k');
    }
  };
  const field = page.getByRole('combobox', { name: /^Search orders, customers/ });
  const results = page.getByRole('listbox', { name: 'Results' });
  await open();
  await expect(field).toBeFocused();
  await page.keyboard.type(mark);
  for (const [group, title] of [
    ['Orders', number],
    ['Customers', `Leela ${mark}`],
    ['Products', `${mark} Peda`],
  ] as const)
    await expect(results.getByRole('group', { name: group }).getByRole('option', { name: title })).toBeVisible();
  await expectAccessible(page);
  await results.getByRole('option', { name: `${mark} Peda` }).click();
  await expect(page.getByRole('heading', { level: 1, name: `${mark} Peda` })).toBeVisible();

  // Enter before the answer has come means the first of it.
  await page.goto('/admin/expenses');
  await open();
  await field.fill(paymentId);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible();

  await page.goto('/admin/expenses');
  await open();
  const recent = results.getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect(recent.first()).toContainText(number);
  await expect(recent.nth(1)).toContainText(`${mark} Peda`);
  await page.keyboard.type('gst');
  await expect(results.getByRole('option', { name: 'GST' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await open();
  await page.keyboard.type('gst');
  await expect(results.getByRole('option', { name: 'GST' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/expenses/gst');
});
