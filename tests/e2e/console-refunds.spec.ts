import { buyOverHttp, setAddress } from '../support/buying.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, haveSession, type Page, signIn, test } from './shop-page.ts';

const laddu = { productId: 9, quantity: 2, size: 500 } as const;

/** ₹50 of an order that the bank refused five times; in one transaction, so that no worker takes part. */
async function failForGood(orderId: string): Promise<void> {
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  await sql.begin(async (tx) => {
    const [made] = await tx<{ id: string }[]>`
      select private.new_refund(o.payment_id, o.id, 5000, 'order refunded', now() - interval '20 days', now()) as id
      from public.orders o where o.id = ${orderId}`;
    for (let n = 0; n < 5; n += 1)
      await tx`select public.record_refund(r.id, null, 'failed', now() - interval '19 days' + ${n} * interval '1 day', 'The account is closed')
        from private.refunds r where ${made?.id ?? ''} in (r.id, r.retry_of) and r.status = 'queued'`;
  });
  await sql.end();
}

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test('an overdue refund that failed is paid back by hand, and the customer reads how @wide', async ({ page, shopUrl }, {
  project,
}) => {
  const name = `Refund ${Date.now().toString(36)}`;
  const customer = await newCustomer(shopUrl, name);
  await setAddress(customer);
  await failForGood(await buyOverHttp(shopUrl, customer, [laddu]));
  const own = await (await page.context().browser())?.newContext({ ...project.use, baseURL: shopUrl });

  await signIn(page, 'Asha Rao');
  await page.goto('/admin/dashboard');
  await page.getByRole('link', { name: /overdue\s*Refunds due/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Refunds' })).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('₹50');
  await expect(row).toContainText(/\d+ days overdue/);
  await expect(row).toContainText('The account is closed. It isn’t tried again automatically');
  await expect(row.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await expectAccessible(page);
  expect(await fits(page)).toBe(true);

  await page.getByRole('list', { name: 'Refunds by age' }).getByRole('link', { name: 'Due later' }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole('list', { name: 'Refunds by age' }).getByRole('link', { name: 'Overdue' }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('To be done by you');
  await expect(row).toBeVisible();

  await row.getByRole('button', { name: 'Record as paid back' }).click();
  const dialog = page.getByRole('dialog', { name: `Record ₹50 paid back to ${name}` });
  await dialog.getByRole('button', { name: 'Record refund' }).click();
  await expect(dialog.getByText('The customer needs it to find the money.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Paid back by').selectOption('Bank transfer');
  await dialog.getByLabel('Reference').fill('HDFCR52026111800012345');
  await dialog.getByRole('button', { name: 'Record refund' }).click();
  await expect(page.getByText('Refund of ₹50 recorded.')).toBeVisible();
  await expect(row).toHaveCount(0);

  await page.getByRole('link', { name: 'Sent refunds' }).click();
  await expect(row).toContainText('By hand, Bank transfer');
  await expect(row).toContainText('HDFCR52026111800012345');
  await expect(row).toContainText('Late');
  await expect(page.getByText(/refunds? in the last 90 days\. Half of them/)).toBeVisible();
  await expectAccessible(page);
  expect(await fits(page)).toBe(true);

  await page.goto('/admin/log');
  await expect(page.getByText(/Refund of ₹50 for order \d+ paid back by hand/).first()).toBeVisible();

  const theirs = await own?.newPage();
  if (!theirs) throw new Error('no browser');
  await haveSession(theirs, customer);
  await theirs.goto('/profile?tab=orders');
  await theirs.locator('summary').first().click();
  await expect(theirs.getByText(/Paid back by bank transfer on/)).toBeVisible();
  await expect(theirs.getByText('Reference HDFCR52026111800012345')).toBeVisible();
  await expectAccessible(theirs);
  expect(await fits(theirs)).toBe(true);
  await own?.close();
});
