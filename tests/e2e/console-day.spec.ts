// A whole business day in the console, from the festival banner to the closed month, by the people's own screens.
import sharp from 'sharp';
import { financialYearOf, monthName, monthsUpTo } from '../../domain/expenses/months.ts';
import { calendarDay } from '../../domain/time.ts';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { connectToShop, newMark } from '../support/rows.ts';
import { newCustomer, userIdOf } from '../support/visitor.ts';
import { chooseAll, expect, type Page, signIn, test } from './shop-page.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');

test('a business day @soak', async ({ page, shopUrl }) => {
  test.setTimeout(120_000);
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  const customer = await newCustomer(shopUrl, 'Meera Joshi');
  await setAddress(customer);
  const sweet = newMark('Kesar Peda');
  await signIn(page, 'Asha Rao');

  await test.step('a festival is set up for the coming days', async () => {
    const title = newMark('Utsav');
    await page.goto('/admin/greetings');
    await press(page, 'Add greeting');
    const form = page.getByRole('dialog', { name: 'New greeting' });
    await form.getByLabel('Title').fill(title);
    await form.getByRole('textbox', { name: 'Message' }).fill('Fresh pedas for the whole street.');
    await form.getByLabel('Link').fill('/shop?tab=gifts');
    // Far ahead, so that neither other tests' home page changes, nor this day at another width.
    const march = test.info().project.name === 'desktop' ? '2033-03' : '2032-03';
    await form.getByLabel('From (India)').fill(`${march}-02T00:00`);
    await form.getByLabel('Until (India)').fill(`${march}-05T00:00`);
    await form.getByLabel('Fireworks when the page opens').check();
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByLabel('As of (India)').fill(`${march}-03T09:00`);
    await expect(page.getByRole('status', { name: 'Banner at this time' })).toContainText(title);
  });

  await test.step('a sweet is added, with its photo', async () => {
    await page.goto('/admin/products/new');
    const field = (label: string) => page.getByRole('textbox', { name: label });
    await field('Name').fill(sweet);
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Gift');
    await page.getByRole('combobox', { name: 'Sold by' }).selectOption('piece');
    await field('Net weight of a piece or pack').fill('400');
    await field('Price per piece').fill('200');
    await field('Unit cost').fill('90');
    await page.getByRole('combobox', { name: 'Veg or non-veg' }).selectOption('veg');
    await field('Ingredients').fill('Khoya, sugar, saffron');
    await field('Allergens').fill('Milk');
    await field('Shelf life').fill('10');
    await field('Storage').fill('Refrigerate');
    const photo = await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#f4a300' } })
      .png()
      .toBuffer();
    await page.getByLabel('Picture file').setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: photo });
    await dialog(page).getByRole('button', { name: 'Use picture' }).click();
    await page.getByRole('checkbox', { name: /Listed/ }).check();
    await press(page, 'Add product');
    await expect(page.getByRole('heading', { level: 1, name: sweet })).toBeVisible();
  });
  const [product] = await sql<{ id: number; image: string }[]>`
    select "Id"::int as id, "Image" as image from public."Products" where "Name" = ${sweet}`;
  const productId = product?.id ?? 0;
  expect(product?.image).toContain('/products/');

  await test.step('a customer requests it; it arrives from a vendor, and they get an email', async () => {
    const { error } = await customer.functions.invoke('notify', { method: 'POST', body: { product_id: productId } });
    expect(error).toBeNull();
    await page.goto('/admin/vendors/1');
    await page.getByRole('link', { name: 'Create purchase order' }).first().click();
    await page.getByLabel('Item', { exact: true }).fill(sweet);
    await page.getByLabel('Quantity').fill('40');
    await page.getByLabel('₹ per piece').fill('90');
    await press(page, 'Save and mark as ordered');
    await press(page, 'Receive goods');
    await page.getByLabel(new RegExp(sweet)).first().fill('40');
    await press(page, 'Receive goods');
    await expect(page.getByText('Goods received. Stock and vendor account updated.')).toBeVisible();
    const [stock] = await sql`select on_hand from public.stock_levels where product_id = ${productId}`;
    expect(stock?.on_hand).toBe(40);
    const emails = await sql`select from private.outbox
      where payload ->> 'product_id' = ${String(productId)} and payload ->> 'user_id' = ${await userIdOf(customer)}`;
    expect(emails).toHaveLength(1);
  });

  await test.step('ten orders come in and go their way together', async () => {
    for (let n = 0; n < 10; n += 1) {
      const buyer = await newCustomer(shopUrl, `Buyer ${n}`);
      await setAddress(buyer);
      await buyOverHttp(shopUrl, buyer, [{ productId, quantity: 1, size: 500 }]);
    }
    await page.goto(`/admin/orders?q=${encodeURIComponent(sweet)}`);
    await expect(page.getByText('10 of 10')).toBeVisible();
    const movesDone = async () => {
      const [counted] = await sql<{ orders: number; events: number }[]>`
        select count(distinct e.order_id)::int as orders, count(*)::int as events
        from public.order_events e join public.order_items i on i.order_id = e.order_id where i.product_id = ${productId}`;
      return counted;
    };
    for (const [place, move] of ['Confirm', 'Prepare', 'Pack', 'Ship', 'Mark delivered'].entries()) {
      if (!(await page.getByRole('region', { name: 'Selected orders' }).isVisible())) await chooseAll(page, 10);
      await press(page, `${move} 10`);
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /10 orders/ })
        .click();
      await expect.poll(movesDone).toEqual({ orders: 10, events: 20 + 10 * place });
    }
  });

  await test.step('one of them is refunded in part', async () => {
    await page.getByRole('link', { name: /^\d+$/ }).first().click();
    await press(page, 'Refund');
    await dialog(page).getByLabel('Amount', { exact: true }).fill('50');
    await dialog(page).getByLabel('Reason').fill('One piece broken');
    await dialog(page).getByRole('button', { name: 'Refund', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Refunds' }).getByText('One piece broken')).toBeVisible();
  });

  await test.step('a customer orders by phone', async () => {
    await page.goto('/admin/orders/new');
    await expect(page.getByLabel('Phone')).toBeFocused();
    await page.keyboard.type('9000000115');
    await expect(page.getByLabel('Name')).toHaveValue('Usha Trivedi');
    await page.getByLabel('Add an item').fill(sweet);
    await expect(page.getByRole('option', { name: new RegExp(sweet) })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel(`Quantity of ${sweet}`)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('output')).toContainText('₹');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d+$/ })).toBeVisible();
    const [order] = await sql`select source, payment_status from public.orders o
      join public.order_items i on i.order_id = o.id where i.product_id = ${productId} order by o.created_at desc limit 1`;
    expect(order).toEqual({ source: 'manual', payment_status: 'unpaid' });
  });

  await test.step('an expense is entered', async () => {
    const what = newMark('Gas');
    await page.goto('/admin/expenses?open=new');
    const form = page.getByRole('dialog', { name: 'New expense' });
    await form.getByLabel('Amount').fill('1180');
    await form.getByLabel('Category').selectOption('Gas');
    await form.getByLabel('Description').fill(what);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(form).toBeHidden();
    expect(await sql`select from public.expenses where description = ${what} and amount = 1180`).toHaveLength(1);
  });

  await test.step('last month is closed', async () => {
    const month = monthsUpTo(calendarDay(new Date()), 2).at(-1) ?? '';
    await page.goto(`/admin/expenses/profit?year=${financialYearOf(`${month}-01`)}&month=${month}`);
    const sheet = page.getByRole('region', { name: monthName(month) });
    await sheet.getByRole('button', { name: `Close ${monthName(month)}` }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: `Close ${monthName(month)}` })
      .click();
    await expect(sheet.getByText(/^Closed .* by Asha Rao\.$/)).toBeVisible();
    // The run of this test at another width finds it open.
    await sql`update private.month_closings set reopened_at = now(), reopen_reason = 'the day begins again'
      where month = ${`${month}-01`} and reopened_at is null`;
  });

  await test.step('the dashboard says what the books say', async () => {
    // Other tests sell at the same time: both must agree once no sale came in between.
    await expect(async () => {
      await page.goto('/admin/dashboard?period=today');
      const figures = page.getByRole('region', { name: 'Figures' });
      await expect(figures).toBeVisible();
      const said = async (title: string) =>
        (await figures.getByRole('term').filter({ hasText: title }).locator('+ dd').textContent()) ?? '';
      const shown = [await said('Revenue'), await said('Orders'), await said('Refunds')];
      const [books] = await sql<{ sales: number; orders: number; refunds: number }[]>`
        with today as (select date_trunc('day', now(), 'Asia/Kolkata') as start)
        select (select coalesce(sum(total_amount), 0)::float8 from public.orders, today
                 where created_at >= start and status <> 'canceled') as sales,
               (select count(*)::int from public.orders, today where created_at >= start and status <> 'canceled') as orders,
               (select coalesce(sum(amount_paise), 0)::float8 / 100 from private.refunds, today
                 where created_at >= start and status <> 'failed') as refunds`;
      const number = (text: string) => Number(text.replace(/[^\d.]/g, ''));
      expect(shown.map(number)).toEqual([books?.sales, books?.orders, books?.refunds]);
    }).toPass({ timeout: 20_000 });
    expect(await sql`select * from public.check_invariants()`).toEqual([]);
  });
  await sql.end();
});
