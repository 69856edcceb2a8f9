// An order by the link in its emails, without a login; sharing and stopping links; ordering again; and a saved cart on another device.
import { buyOverHttp } from '../support/buying.ts';
import { insertPaidOrder, insertProduct, insertUser, newMark } from '../support/rows.ts';
import { userIdOf } from '../support/visitor.ts';
import { entry, list, message } from './cart-lists.ts';
import { entryOf, expect, laddu, openHistory, test } from './order-visit.ts';
import { expectAccessible, expectStill } from './page-quality.ts';
import { haveSession } from './shop-page.ts';

// The filters of the shop are tested with the demo's sweets; gifts are not among them.
const gift = { category: 'Gift' } as const;

test('an order is followed by its link without a login, and shows nobody’s address @wide', async ({ page, sql }) => {
  const name = newMark('Peda');
  const productId = await insertProduct(sql, { ...gift, name, stock: 20 });
  const userId = await insertUser(sql, { name: 'Kamala Devi' });
  const { id } = await insertPaidOrder(sql, { userId, productId, status: 'Packed', deliveryName: 'Kamala Devi' });
  await sql`update public.orders set delivery_city = 'Pune', delivery_street = 'Turner Road', delivery_phone = '9820041237',
    delivery_by = current_date + 400, courier = 'Blue Dart', tracking_number = 'BD1', tracking_url = 'https://track.example/BD1',
    status = 'Shipped' where id = ${id}`;
  const [made] =
    await sql`select private.order_link(o.id, now()) as token, o.number from public.orders o where o.id = ${id}`;
  await page.goto(`/order/${made?.token}`);
  await expect(page).toHaveTitle(new RegExp(`^Order ${made?.number} · `));
  await expect(page.getByRole('heading', { level: 1, name: `Order ${made?.number}` })).toBeVisible();
  const steps = page.getByRole('list', { name: 'Order progress' }).getByRole('listitem');
  await expect(steps.filter({ hasText: 'On its way' })).toHaveAttribute('aria-current', 'step');
  await expect(steps.last()).toContainText('Arrives by');
  await expect(page.getByRole('link', { name: /^BD1/ })).toHaveAttribute('href', 'https://track.example/BD1');
  await expect(page.getByRole('list', { name: 'Items' }).getByRole('listitem')).toContainText('Quantity 2');
  await expect(page.getByText('Kamala, Pune')).toBeVisible();
  await expect(page.getByText('Phone ending in 237')).toBeVisible();
  await expect(page.getByText(/Turner|98200|Devi/)).toHaveCount(0);
  await expectAccessible(page);
  await expectStill(page);
  // With the keyboard alone: the parcel and the history.
  await page.getByRole('link', { name: /^BD1/ }).focus();
  for (const to of [/^Write to us/, name, 'open your order history']) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('main').getByRole('link', { name: to })).toBeFocused();
  }
});

test.describe('a link that is not good', () => {
  test.use({ expectedErrors: /404/ });
  test('says so, and how to go on @wide', async ({ page }) => {
    await page.goto('/order/nothing');
    await expect(page.getByRole('heading', { level: 1, name: 'This link doesn’t work' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to order history' })).toHaveAttribute(
      'href',
      '/profile?tab=orders',
    );
    await expectAccessible(page);
  });
});

test.describe('links of an order', () => {
  test.use({ expectedErrors: /404/ });
  test('are shared from the history and stopped there @wide', async ({ page, customer, shopUrl, browser }) => {
    const id = await buyOverHttp(shopUrl, customer, [laddu]);
    await openHistory(page);
    await entryOf(page, id).locator('summary').click();
    await entryOf(page, id).getByRole('button', { name: 'Share link' }).click();
    const dialog = page.getByRole('dialog', { name: /^Link to order \d+$/ });
    const link = dialog.getByRole('textbox', { name: 'Link' });
    await expect(link).toHaveValue(new RegExp(`^${shopUrl}/order/[\\w-]{72}$`));
    await expectAccessible(page, 'dialog[open]');
    const shared = await link.inputValue();
    const friend = await browser.newPage();
    await friend.goto(shared);
    await expect(friend.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();

    await dialog.getByRole('button', { name: 'Stop earlier links' }).click();
    await expect(dialog.getByRole('status')).toHaveText('Links sent until now don’t work any more. This is a new one.');
    await expect(link).not.toHaveValue(shared);
    await friend.reload();
    await expect(friend.getByRole('heading', { level: 1, name: 'This link doesn’t work' })).toBeVisible();
    await friend.goto(await link.inputValue());
    await expect(friend.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();
    await friend.close();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  test('are shown and stopped in the console', async ({ page, owner, sql, shopUrl, browser }) => {
    const productId = await insertProduct(sql, { ...gift, stock: 20 });
    const { id } = await insertPaidOrder(sql, { userId: await insertUser(sql), productId });
    await haveSession(page, owner);
    await page.goto(`/admin/orders/${id}`);
    await page.getByRole('button', { name: 'Show link' }).click();
    const link = page.getByRole('dialog').getByRole('textbox', { name: 'Link' });
    await expect(link).toHaveValue(new RegExp(`^${shopUrl}/order/[\\w-]{72}$`));
    const shared = await link.inputValue();
    await page.getByRole('button', { name: 'Stop earlier links' }).click();
    await expect(link).not.toHaveValue(shared);
    const friend = await browser.newPage();
    expect((await friend.goto(shared))?.status()).toBe(404);
    await friend.close();
  });
});

test('ordering again says what changed since, before anything goes into the cart @wide', async ({
  page,
  customer,
  sql,
}) => {
  const userId = await userIdOf(customer);
  const [dear, gone] = [newMark('Peda'), newMark('Barfi')];
  const dearId = await insertProduct(sql, { ...gift, name: dear, stock: 20 });
  const goneId = await insertProduct(sql, { ...gift, name: gone, stock: 20 });
  const { id } = await insertPaidOrder(sql, { userId, productId: dearId });
  const { id: other } = await insertPaidOrder(sql, { userId, productId: goneId });
  await sql`update public."Products" set "Price" = 120 where "Id" = ${dearId}`;
  await sql`update public."Products" set is_listed = false where "Id" = ${goneId}`;
  await openHistory(page);
  await entryOf(page, other).locator('summary').click();
  await entryOf(page, other).getByRole('button', { name: 'Order again' }).click();
  const empty = page.getByRole('dialog');
  await expect(empty.getByText(`${gone} is no longer available and is left out.`)).toBeVisible();
  await expect(empty.getByRole('button', { name: 'Put in cart' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await entryOf(page, id).locator('summary').click();
  await entryOf(page, id).getByRole('button', { name: 'Order again' }).click();
  const dialog = page.getByRole('dialog', { name: /^Order \d+ again$/ });
  await expect(dialog.getByText(`${dear} now costs ₹120. It was ₹100.`)).toBeVisible();
  await expectAccessible(page, 'dialog[open]');
  await dialog.getByRole('button', { name: 'Put in cart' }).click();
  await expect(message(page, /^Items from order \d+ are in your cart\.$/)).toBeVisible();
  await expect(entry(page, 'Cart', dear)).toBeVisible();
});

test('a saved cart comes back on another device by its link, with what changed since @wide', async ({ page, sql }) => {
  const name = newMark('Peda');
  const productId = await insertProduct(sql, { ...gift, name, stock: 50, price: 60 });
  const userId = await insertUser(sql, { name: 'Kamala Devi' });
  const lines = [
    {
      product_id: productId,
      name,
      size: 500,
      has_size: false,
      quantity: 3,
      paise_then: 5_000,
      box_id: null,
      contents: null,
    },
  ];
  const [saved] = await sql`
    insert into private.cart_reminders (user_id, opened_at, lines, lines_key, queued_at)
    values (${userId}, now() - interval '1 hour', ${sql.json(lines)}, 'key', now()) returning id`;
  const [made] = await sql`select private.make_link('restore cart', ${saved?.id}, 0, current_date + 9) as token`;
  for (const visit of [1, 2]) {
    await page.goto(`/cart?visit=${visit}#restore=${made?.token}`);
    const dialog = page.getByRole('dialog', { name: 'Your items are back in the checkout' });
    await expect(dialog.getByText(`${name} now costs ₹60. It was ₹50.`)).toBeVisible();
    await expect(page).toHaveURL('/cart');
    await expectAccessible(page, 'dialog[open]');
    await dialog.getByRole('button', { name: 'Go to your cart' }).click();
    await expect(dialog).toHaveCount(0);
    // Once, however often the link is opened.
    await expect(list(page, 'Checkout').getByRole('listitem').filter({ hasText: name }).getByRole('status')).toHaveText(
      '3',
    );
  }
  await page.goto('/terms');
  await page.goto('/cart#restore=nothing');
  await expect(page.getByRole('dialog', { name: 'This link doesn’t work any more' })).toBeVisible();
});

test('the checkout asks once, unticked, whether to be reminded of an unfinished payment @wide', async ({
  page,
  customer,
  shopUrl,
  sql,
}) => {
  const userId = await userIdOf(customer);
  await page
    .context()
    .addCookies([{ name: 'checkout', value: encodeURIComponent(JSON.stringify({ 9: { 500: 1 } })), url: shopUrl }]);
  await page.goto('/cart');
  const tick = page.getByRole('checkbox', { name: 'Email me once if I don’t finish paying' });
  await expect(tick).toBeEnabled();
  await expect(tick).not.toBeChecked();
  await tick.focus();
  await page.keyboard.press('Space');
  await expect(page.getByText(/^Reminders are on since /)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  expect(await sql`select purpose, is_agreed, source from private.consents where user_id = ${userId}`).toEqual([
    { purpose: 'cart-reminders', is_agreed: true, source: 'checkout' },
  ]);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible();
  await expect(tick).toHaveCount(0);
});

test('the link of a review request opens the reviews of its product', async ({ page, sql }) => {
  const productId = await insertProduct(sql, { ...gift, stock: 5 });
  await page.goto(`/product/${productId}#reviews`);
  await expect(page.locator('#reviews')).toBeInViewport();
});
