import { insertOffer } from '../support/offers.ts';
import { newMark } from '../support/rows.ts';
import { buyNow, expectOrderPlaced, pay } from './buyer.ts';
import { openCart } from './cart-lists.ts';
import { entryOf, expect, laddu, moveAlong, openHistory, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import { haveSession, type Page } from './shop-page.ts';

const cart = { checkout: { [laddu.productId]: { [laddu.size]: laddu.quantity } } };
const newCode = () =>
  newMark('C')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 18);
const row = (page: Page, label: string | RegExp) => page.locator('dl > div').filter({ hasText: label });
const paid = (text: string | null) => Number((text ?? '').replaceAll(/[^\d.]/g, ''));

async function applyCode(page: Page, code: string): Promise<void> {
  const field = page.getByLabel('Code', { exact: true });
  if (!(await field.isVisible())) await page.getByRole('button', { name: 'Have a code?' }).click();
  await field.fill(code);
  await field.press('Enter');
}

test('a code is applied, refused and removed; the order, its invoice and the console say the same @wide', async ({
  page,
  browser,
  shopUrl,
  customer,
  owner,
  sql,
}) => {
  test.slow();
  const code = newCode();
  const offer = await insertOffer(sql, { code, name: 'Festive treat', kind: 'amount', amountPaise: 5_000 });
  const ended = newCode();
  await insertOffer(sql, { code: ended, endsAt: '2021-01-01T00:00:00+05:30' });
  await openCart(page, shopUrl, cart);
  await expect(row(page, /^Total/)).toContainText('₹');
  await expect(buyNow(page)).toBeEnabled();
  const before = paid(
    await row(page, /^Total/)
      .locator('dd')
      .textContent(),
  );

  // Opening the field and a wrong code move nothing below it.
  const place = async () => (await buyNow(page).boundingBox())?.y;
  const folded = await place();
  await page.getByRole('button', { name: 'Have a code?' }).click();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  expect(await place()).toBe(folded);
  await applyCode(page, 'x');
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(
    'A code has 3 to 20 letters and digits.',
  );
  await applyCode(page, ended.toLowerCase());
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(`${ended} has ended.`);
  expect(await place()).toBe(folded);
  expect(
    paid(
      await row(page, /^Total/)
        .locator('dd')
        .textContent(),
    ),
  ).toBe(before);
  await expectAccessible(page);

  await applyCode(page, code);
  await expect(page.getByText(`Code ${code} applied`)).toBeVisible();
  await expect(row(page, 'Festive treat')).toContainText('−₹50');
  expect(await place()).toBe(folded);
  // ₹50 and the GST on it.
  await expect
    .poll(async () =>
      paid(
        await row(page, /^Total/)
          .locator('dd')
          .textContent(),
      ),
    )
    .toBe(before - 52.5);
  await expectAccessible(page);
  await page.getByRole('button', { name: `Remove ${code}` }).click();
  await expect(page.getByRole('button', { name: 'Have a code?' })).toBeFocused();
  await expect
    .poll(async () =>
      paid(
        await row(page, /^Total/)
          .locator('dd')
          .textContent(),
      ),
    )
    .toBe(before);

  await applyCode(page, code);
  await expect(row(page, 'Festive treat')).toContainText('−₹50');
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(row(page, `Festive treat (${code})`)).toContainText('−₹50');

  const userId = (await customer.auth.getUser()).data.user?.id ?? '';
  const [order] = await sql<{ id: string; number: string; total: string }[]>`
    select id, number, total_amount as total from public.orders where user_id = ${userId}`;
  expect(Number(order?.total)).toBe(before - 52.5);
  await openHistory(page);
  const entry = entryOf(page, order?.id ?? '');
  await entry.locator('summary').click();
  await expect(entry.getByText(`Festive treat (${code})`)).toBeVisible();
  await expectAccessible(page);

  await moveAlong(owner, order?.id ?? '', 'Confirmed', 'Preparing', 'Packed');
  const [invoice] = await sql<{ discount: string; total: string }[]>`
    select lines -> 0 ->> 'discount_paise' as discount, total_paise as total from private.invoices where order_id = ${order?.id ?? ''}`;
  expect(invoice).toEqual({ discount: '5000', total: String(Math.round((before - 52.5) * 100)) });

  const context = await browser.newContext({ viewport: page.viewportSize() });
  const console_ = await context.newPage();
  await haveSession(console_, owner);
  await console_.goto(`${shopUrl}/admin/offers`);
  const listed = console_.getByRole('row').filter({ hasText: code });
  await expect(listed).toContainText('₹50');
  await expect(listed).toContainText('Running');
  await expectAccessible(console_);
  await listed.getByRole('button', { name: 'Stop Festive treat' }).click();
  await expect(listed).toContainText('Stopped');
  await listed.getByRole('button', { name: /^Festive treat/ }).click();
  await expect(console_.getByRole('region', { name: 'Orders with this offer' })).toContainText(`#${order?.number}`);
  await expectAccessible(console_);
  await console_.goto(`${shopUrl}/admin/orders/${order?.id}`);
  await expect(console_.getByText(`Festive treat (${code})`)).toBeVisible();
  await context.close();
  expect(await sql`select used from private.offer_counts where offer_id = ${offer}`).toEqual([{ used: 1 }]);
});

test('the owner makes an offer, and a form that is wrong says so at its field @wide', async ({
  page,
  shopUrl,
  owner,
  sql,
}) => {
  const code = newCode();
  await haveSession(page, owner);
  await page.goto(`${shopUrl}/admin/offers`);
  await page.getByRole('button', { name: 'New offer' }).click();
  const dialog = page.getByRole('dialog', { name: 'New offer' });
  await dialog.getByLabel('Name').fill('Ten for friends');
  await dialog.getByLabel('Code', { exact: true }).fill('a');
  await dialog.getByLabel('Percent').fill('10');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/3 to 20 letters and digits/);
  await dialog.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
  await dialog.getByLabel('Maximum discount').fill('200');
  await dialog.getByRole('checkbox', { name: 'Gift' }).check();
  await dialog.getByLabel('Uses in total').fill('100');
  await expect(dialog.getByText(/An order of ₹1,000 before tax saves ₹100/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const listed = page.getByRole('row').filter({ hasText: code });
  await expect(listed).toContainText('10% off, up to ₹200');
  await expect(listed).toContainText('0 of 100');
  const [saved] =
    await sql`select percent, max_discount_paise::int as most, categories, max_uses from private.offers where code = ${code}`;
  expect(saved).toEqual({ percent: 10, most: 20_000, categories: ['Gift'], max_uses: 100 });
});

test('a code on a product’s page goes with Buy Now, and one that does not count is not paid over', async ({
  page,
  shopUrl,
  customer,
  sql,
}) => {
  expect(customer).toBeTruthy();
  const code = newCode();
  await insertOffer(sql, { code, name: 'Direct treat', kind: 'amount', amountPaise: 2_000 });
  await page.goto(`${shopUrl}/product/${laddu.productId}`);
  await applyCode(page, 'NOSUCHCODE');
  await expect(page.getByText('goes with Buy Now')).toBeVisible();
  await buyNow(page).first().click();
  await expect(page.getByText(/We don’t know the code NOSUCHCODE.*Without it you pay ₹/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove NOSUCHCODE' }).click();
  await applyCode(page, code);
  await buyNow(page).first().click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(row(page, `Direct treat (${code})`)).toContainText('−₹20');
});
