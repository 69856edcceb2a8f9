import { buyOverHttp } from '../support/buying.ts';
import { insertPaidOrder, insertProduct } from '../support/rows.ts';
import { userIdOf } from '../support/visitor.ts';
import { entryOf, expect, hamper, laddu, moveAlong, openHistory, test } from './order-visit.ts';
import { expectAccessible, expectStill } from './page-quality.ts';

const moment = /^\w{3}, \d{1,2} \w{3,4}, \d{1,2}:\d{2} [ap]m$/;

test('a new order is listed with its status and its history', async ({ page, shopUrl, customer }) => {
  const id = await buyOverHttp(shopUrl, customer, [laddu, hamper]);
  await page.goto(`/profile?tab=orders&order=${id}`);
  const entry = entryOf(page, id);
  await expect(entry).toHaveAttribute('open');
  await expect(entry.locator('summary')).toBeFocused();
  await expect(entry).toBeInViewport();
  await expect(entry.locator('summary')).toContainText(new RegExp(`^Order ${id.slice(0, 8)} #\\d+`));
  await expect(entry.locator('.status-pending')).toHaveText('Pending');
  await expect(entry.locator('summary')).toContainText(/Order received\. Arrives by \w{3}, \d{1,2} \w{3,4}$/);

  const steps = entry.getByRole('list', { name: 'Order progress' }).getByRole('listitem');
  await expect(steps).toHaveCount(2);
  await expect(steps.first()).toHaveAttribute('aria-current', 'step');
  await expect(steps.first()).toContainText('Order placed');
  await expect(steps.first().locator('time')).toHaveText(moment);
  await expect(steps.last()).toHaveText(/^Arrives by \w{3}, \d{1,2} \w{3,4}$/);
  const items = entry.getByRole('list', { name: 'Items' }).getByRole('listitem');
  await expect(items.filter({ hasText: 'Besan Laddu' })).toContainText('500 g · Quantity 2');
  await expect(items.filter({ hasText: 'Diwali Lamp Hamper' })).toContainText('Quantity 1');
  await expect(items.filter({ hasText: 'Diwali Lamp Hamper' })).not.toContainText('500 g');
  await expectStill(page);

  await entry.getByRole('button', { name: 'Order again' }).click();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByText(/^Items from order \d+ are in your cart\.$/)).toBeVisible();
  const cart = page.getByRole('list', { name: 'Cart', exact: true }).getByRole('listitem');
  await expect(cart.filter({ hasText: 'Besan Laddu' }).getByRole('status')).toHaveText('2');
  await expect(cart.filter({ hasText: 'Diwali Lamp Hamper' })).toBeVisible();
});

test('status changes by the shop appear without a reload, and open parts stay open', async ({
  page,
  shopUrl,
  customer,
  owner,
}) => {
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  await openHistory(page);
  const entry = entryOf(page, id);
  await entry.locator('summary').click();
  await entry.getByRole('link', { name: 'Besan Laddu' }).focus();

  await moveAlong(owner, id, 'Confirmed', 'Preparing', 'Packed');
  await expect(entry.locator('.status-packed')).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Cancel Order' })).toHaveCount(0);
  await expect(entry.getByText('This order is already packed and can’t be cancelled.')).toBeVisible();
  const parcel = { courier: 'Pavan Parcel', tracking_number: 'PP1', tracking_url: 'https://courier.example/PP1' };
  const { data: packed } = await owner.from('orders').select('updated_at').eq('id', id).single();
  const shipped = { order_id: id, to_status: 'Shipped', seen: packed?.updated_at ?? null, ...parcel };
  expect((await owner.rpc('admin_move_order', shipped)).error).toBeNull();
  await expect(entry.locator('summary')).toContainText('On its way. Arrives by');
  await expect(page.getByRole('status').filter({ hasText: id.slice(0, 8) })).toHaveText(
    `Order ${id.slice(0, 8)} is now Shipped`,
  );
  const current = entry.locator('[aria-current=step]');
  await expect(current).toContainText('Pavan Parcel · PP1');
  await expect(current.getByRole('link', { name: /^PP1/ })).toHaveAttribute('href', parcel.tracking_url);
  await expect(entry.getByRole('link', { name: 'Besan Laddu' })).toBeFocused();

  const second = await buyOverHttp(shopUrl, customer, [hamper]);
  await expect(entryOf(page, second)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Order History (2)' })).toBeVisible();
  await expect(entry).toHaveAttribute('open');
});

test('without a live connection, coming back to the page shows what happened @soak', async ({
  page,
  shopUrl,
  customer,
  owner,
}) => {
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  await page.routeWebSocket('**/realtime/**', (socket) => socket.close());
  await page.goto('/profile?tab=orders');
  await expect(entryOf(page, id).locator('.status-pending')).toBeVisible();
  await moveAlong(owner, id, 'Confirmed');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(entryOf(page, id).locator('.status-confirmed')).toBeVisible();
});

test('an order is cancelled from the keyboard, and its refund appears on the page', async ({
  page,
  shopUrl,
  customer,
}) => {
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  await openHistory(page, `&order=${id}`);
  const entry = entryOf(page, id);
  const cancel = entry.getByRole('button', { name: 'Cancel Order' });
  await expect(entry.locator('summary')).toBeFocused();
  // The frame goes around the card and its round corners.
  await expect(entry.locator('summary')).toHaveCSS('outline-style', 'none');
  await expect(entry).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Tab');
  await expect(cancel).toBeFocused();

  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to cancel this order?' });
  await expect(question).toBeVisible();
  await expect(question).toHaveAccessibleDescription(/within 7 business days/);
  await expect(question.getByRole('button', { name: 'Keep order' })).toBeFocused();
  await expectAccessible(page, 'dialog[open]');
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(cancel).toBeFocused();
  await expect(entry.locator('.status-pending')).toBeVisible();

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(question.getByRole('button', { name: 'Yes, cancel order' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Your order has been cancelled.')).toBeVisible();
  await expect(question).toBeHidden();
  await expect(entry.locator('.status-canceled')).toHaveText('canceled');
  await expect(entry.locator('summary')).toBeFocused();
  await expect(cancel).toHaveCount(0);
  await expect(entry.locator('[aria-current=step]')).toContainText('Cancelled by you');
  await expect(entry.getByText(/^Refund(ed| on its way)/)).toBeVisible();

  await expect(entry.getByText(/^Refunded/)).toBeVisible({ timeout: 12_000 });
  await expect(entry.getByText(/^Sent to your bank on/)).toBeVisible();
  await expect(entry.locator('summary')).toContainText('Cancelled, your refund has been sent');
});

test('a customer who cancels too late reads why, and sees the actual status of the order', async ({
  page,
  shopUrl,
  customer,
  owner,
  context,
}) => {
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  await page.close();
  const late = await context.newPage(); // not watched: the browser reports the refused request
  await openHistory(late, `&order=${id}`);
  const entry = entryOf(late, id);
  await entry.getByRole('button', { name: 'Cancel Order' }).click();
  const question = late.getByRole('alertdialog');

  await late.route('**/rest/v1/orders**', (route) => route.abort());
  await question.getByRole('button', { name: 'Yes, cancel order' }).click();
  await expect(late.getByRole('alert')).toContainText('Something went wrong. Please try again.');
  await expect(question).toBeVisible();
  await late.unroute('**/rest/v1/orders**');

  await moveAlong(owner, id, 'Confirmed', 'Preparing', 'Packed');
  await question.getByRole('button', { name: 'Yes, cancel order' }).click();
  const sentence = 'This order is already packed and can’t be cancelled. Write to us if something is wrong.';
  await expect(late.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
  await expect(question).toBeHidden();
  await expect(entry.locator('.status-packed')).toBeVisible();
  await expect(entry.getByText(sentence)).toBeVisible();
  await expect(entry.getByRole('link', { name: 'Write to us' })).toHaveAttribute('href', /^mailto:.+subject=Order/);
  await expect(entry.locator('summary')).toBeFocused();
});

test('a payment that became no order is there as refunded, and is not counted as an order @soak', async ({
  page,
  customer,
  sql,
}) => {
  const userId = await userIdOf(customer);
  // Money that is owed and nowhere breaks an invariant, which another test reads: of what failed, the payment is given back.
  await sql`
    with paid as (
      insert into private.payments (payment_id, provider_order_id, user_id, amount_paise, status, captured_at)
      select 'pay_' || reason || ${userId}, 'order_' || reason || ${userId}, ${userId}::uuid, 81250,
             case reason when 'wrong-amount' then 'refunded' else 'captured' end, now()
      from unnest(array['sold-out', 'second-payment', 'wrong-amount']) as reason
      returning payment_id
    )
    insert into private.refunds (payment_id, amount_paise, reason, status, created_at, processed_at)
    select 'pay_' || r.reason || ${userId}, 81250, r.reason, r.status, now() - r.days * interval '1 day',
           case when r.status = 'processed' then now() end
    from (values ('sold-out', 'pending', 0), ('second-payment', 'processed', 1), ('wrong-amount', 'failed', 2))
      as r (reason, status, days), (select count(*) from paid) as all_paid`;
  await page.goto('/profile?tab=orders');
  await expect(page.getByRole('tab', { name: 'Order History (0)' })).toBeVisible();
  const payments = page.getByRole('article', { name: 'Payment refunded' });
  await expect(payments).toHaveCount(3);
  await expect(payments.nth(0)).toContainText('It sold out before your payment arrived.');
  await expect(payments.nth(0)).toContainText('We’ll send it to your bank by');
  await expect(payments.nth(1)).toContainText('This order was already paid.');
  await expect(payments.nth(1)).toContainText('Sent to your bank on');
  await expect(payments.nth(2)).toContainText('The amount paid didn’t match the order.');
  await expect(payments.nth(2)).toContainText('It hasn’t gone through. We’ll pay it back another way and contact you.');
  await expect(payments.nth(2)).toContainText('₹812.50');
  await expectAccessible(page);
});

test('a long history has pages, and a link to an old order still finds it @soak', async ({ page, customer, sql }) => {
  const userId = await userIdOf(customer);
  const productId = await insertProduct(sql, { stock: 200, listed: false });
  const orders = [];
  for (let n = 0; n < 53; n += 1) orders.push(await insertPaidOrder(sql, { userId, productId, quantity: 1 }));
  const [oldest = '', older = ''] = orders.map(({ id }) => id);

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/profile?tab=orders');
  await expect(page.getByRole('tab', { name: 'Order History (53)' })).toBeVisible();
  await expect(page.locator('details')).toHaveCount(50);
  await page.getByRole('button', { name: 'Show older orders' }).click();
  await expect(page.locator('details')).toHaveCount(53);
  await expect(page.getByRole('button', { name: 'Show older orders' })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await page.goto(`/profile?tab=orders&order=${oldest}`);
  await expect(entryOf(page, oldest)).toHaveAttribute('open');
  await expect(page.locator('details')).toHaveCount(51);
  await page.getByRole('button', { name: 'Show older orders' }).click();
  await expect(entryOf(page, older)).toBeVisible();
  await expect(page.locator('details')).toHaveCount(53);

  await page.goto(`/profile?tab=orders&order=00000000-0000-4000-8000-000000000000`);
  await expect(page.getByText('We can’t find this order in your account.')).toBeVisible();
});
