import { insertPaidGroup } from '../support/group-orders.ts';
import { readPdf } from '../support/read-pdf.ts';
import { insertPaidOrder, insertProduct, newMark } from '../support/rows.ts';
import { userIdOf } from '../support/visitor.ts';
import { list, message } from './cart-lists.ts';
import { entryOf, expect, moveAlong, openHistory, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import { haveSession, type Page } from './shop-page.ts';

/** A gift of this product that the customer sent before. */
async function earlierGift(sql: Parameters<typeof insertPaidOrder>[0], userId: string, productId: number) {
  const { id } = await insertPaidOrder(sql, { userId, productId, deliveryName: 'Kamala Devi' });
  await sql`update public.orders set delivery_building_no = '12, Shanti Sadan', delivery_street = 'MG Road', delivery_city = 'Mumbai',
    delivery_state = 'Maharashtra', delivery_phone = '9876543210' where id = ${id}`;
  await sql`insert into private.order_gifts (order_id, note, motif, sender_name)
    values (${id}, 'शुभ दीपावली, नानी! 🪔', 'rakhi', 'Mirchi')`;
  return id;
}

test('an earlier gift goes into the cart again with its recipient and card, and what changed is said @wide', async ({
  page,
  customer,
  sql,
}) => {
  const userId = await userIdOf(customer);
  const profile = async () =>
    (await customer.from('user_profiles').select('full_name, phone, building_no, street, city, state, zip')).data;
  const before = await profile();
  const name = newMark('Festive Box');
  const productId = await insertProduct(sql, { name, category: 'Gift', price: 100, stock: 50 });
  const orderId = await earlierGift(sql, userId, productId);
  await sql`update public."Products" set "Price" = 120 where "Id" = ${productId}`;
  await openHistory(page);
  await entryOf(page, orderId).locator('summary').click();
  await entryOf(page, orderId).getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send again to Kamala Devi' });
  await expect(dialog.getByText(`${name} now costs ₹120. It was ₹100.`)).toBeVisible();
  await expect(dialog.getByText('is no longer in your address book. We’ll add it again.')).toBeVisible();
  await expectAccessible(page, 'dialog[open]');
  await dialog.getByRole('button', { name: 'Put in cart' }).click();
  await expect(message(page, 'Its card and address are filled in at checkout.')).toBeVisible();
  await expect(list(page, 'Cart').getByRole('heading', { name })).toBeVisible();
  await page
    .getByRole('button', { name: /^Move all to checkout|^Move to checkout/ })
    .first()
    .click();
  await expect(page.getByText('To Kamala Devi, 12, Shanti Sadan, MG Road, Mumbai, 400001')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: /^Send as a gift/ })).toBeChecked();
  await expect(page.getByLabel('Your note')).toHaveValue('शुभ दीपावली, नानी! 🪔');
  await expect(page.getByRole('textbox', { name: 'From' })).toHaveValue('Mirchi');
  await expect(page.getByRole('radio', { name: 'Rakhi' })).toBeChecked();
  expect((await customer.from('customer_addresses').select('label')).data).toEqual([{ label: 'Kamala Devi' }]);
  expect(await profile()).toEqual(before);
});

test('reminders are off until they are ticked in the profile, and a link in the email stops them @wide', async ({
  page,
  customer,
  sql,
  browser,
  shopUrl,
}) => {
  const userId = await userIdOf(customer);
  const orderId = await earlierGift(sql, userId, 35);
  await page.goto('/profile');
  const tick = page.getByRole('checkbox', { name: 'Email me my gift list before festivals' });
  await expect(tick).toBeEnabled();
  await expect(tick).not.toBeChecked();
  await tick.check();
  await expect(page.getByText(/^On since .*, chosen in your profile\.$/)).toBeVisible();
  await page.reload();
  await expect(tick).toBeChecked();
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);

  // A festival in ten days, for which they sent a gift a year ago.
  await sql.begin(async (tx) => {
    await tx`update public.orders set delivery_by = current_date - 355 where id = ${orderId}`;
    const [festival] = await tx`
      insert into private.festival_cutoffs (name, starts_on, ends_on, order_by)
      values (${newMark('Festival')}, current_date + 10, current_date + 10, current_date + 8) returning id`;
    await tx`select public.queue_gift_reminders()`;
    await tx`delete from private.festival_cutoffs where id = ${festival?.id}`;
  });
  const mail = () => sql<{ text: string; html: string }[]>`
    select text, html from demo.caught_mail where to_address = (select email from auth.users where id = ${userId})
      and subject like '%your gift list from last year'`;
  // A festival of the demo shop may be due as well.
  await expect.poll(async () => (await mail()).length).toBeGreaterThan(0);
  const [{ text, html } = { text: '', html: '' }] = await mail();
  expect(text).toContain('Kamala Devi');
  for (const part of [text, html]) expect(part).not.toContain('₹');

  const stranger = await (await browser.newContext({ baseURL: shopUrl, viewport: page.viewportSize() })).newPage();
  await stranger.goto(/https?:\/\/\S+\/unsubscribe\?token=\S+/.exec(text)?.[0].replace(/^https?:\/\/[^/]+/, '') ?? '/');
  await expect(stranger.getByRole('heading', { name: 'Stop gift reminders?' })).toBeVisible();
  // Opening the link alone stops nothing.
  await page.reload();
  await expect(tick).toBeChecked();
  await expectAccessible(stranger);
  await stranger.getByRole('button', { name: 'Stop gift reminders' }).click();
  await expect(stranger.getByRole('heading', { name: 'Gift reminders are off' })).toBeVisible();
  await stranger.context().close();
  await page.reload();
  await expect(page.getByText(/^Off since .*, chosen by the link in a message\.$/)).toBeVisible();
  await expect(tick).not.toBeChecked();
});

/** What is printed, as the printer gets it. */
async function printed(page: Page) {
  return readPdf(new Uint8Array(await page.pdf({ preferCSSPageSize: true })));
}

test('a group order is worked on as one, its prints have no prices, and a parcel that came back goes out again @wide', async ({
  page,
  customer,
  owner,
  sql,
  browser,
  shopUrl,
}) => {
  test.slow(); // A page for each of the prints.
  const productId = await insertProduct(sql, { category: 'Gift', price: 737, stock: 50 });
  const names = ['Aditi Kulkarni', 'Rohan Menon', 'Farah Shah', 'Vikram Pereira', 'Leela Nair'];
  const { groupId, orders } = await insertPaidGroup(sql, { userId: await userIdOf(customer), productId, names });
  const [first, second] = orders;
  await moveAlong(owner, first?.id ?? '', 'Confirmed', 'Preparing', 'Packed', 'Shipped', 'Undelivered');

  const counter = await (await browser.newContext({ baseURL: shopUrl, viewport: page.viewportSize() })).newPage();
  await haveSession(counter, owner);
  await counter.goto(`/admin/orders?q=${second?.number}`);
  await counter.getByRole('button', { name: /^Filters/ }).click();
  await counter.getByRole('combobox', { name: 'Source' }).selectOption('Buy now');
  await counter.getByRole('button', { name: 'Apply filters' }).click();
  await expect(counter.getByText('No matching orders.')).toBeVisible();
  await counter.getByRole('combobox', { name: 'Source' }).selectOption('Group order');
  await counter.getByRole('button', { name: 'Apply filters' }).click();
  await counter.getByRole('link', { name: String(second?.number), exact: true }).click();
  await expect(counter.getByText(/^Group order · Delivery/)).toBeVisible();
  await expect(counter.getByText('Gateway fee for all 5')).toBeVisible();
  await counter.goBack();
  await counter.getByRole('link', { name: 'Group, 2 of 5' }).click();
  await expect(counter.getByRole('heading', { name: 'Group order, 5 recipients' })).toBeVisible();
  await expect(counter.getByText('0 of 5 delivered, 1 undelivered')).toBeVisible();
  const rows = counter.getByRole('table', { name: 'Recipients' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Shanti Sadan' })).toHaveCount(5);
  await expectAccessible(counter);

  // Found by name, and confirmed together.
  await counter.getByRole('link', { name: /^Pending/ }).click();
  await counter.getByRole('searchbox', { name: 'Search recipients' }).fill('rohan');
  await expect(rows.filter({ hasText: 'Shanti Sadan' })).toHaveCount(1);
  await counter.getByRole('searchbox', { name: 'Search recipients' }).fill('');
  await counter.getByRole('button', { name: 'Select all 4' }).click();
  await counter.getByRole('region', { name: 'Selected orders' }).getByRole('button', { name: 'Confirm 4' }).click();
  await counter.getByRole('alertdialog').getByRole('button', { name: 'Confirm 4 orders' }).click();
  await expect(counter.getByText('4 orders are confirmed.')).toBeVisible();
  await expect(counter.getByRole('link', { name: /^Confirmed 4/ })).toBeVisible();

  // One came back.
  await counter.getByRole('link', { name: /^Undelivered/ }).click();
  await counter.getByRole('button', { name: 'Send again: Aditi Kulkarni' }).click();
  const form = counter.getByRole('dialog', { name: `Send order ${first?.number} again?` });
  await form.getByLabel('Building or apartment').fill('');
  await form.getByRole('button', { name: 'Send again' }).click();
  await expect(form.getByText('Please fill in this field.')).toBeVisible();
  await form.getByLabel('Building or apartment').fill('11, Shanti Sadan');
  await form.getByRole('button', { name: 'Send again' }).click();
  await expect(counter.getByText(`Order ${first?.number} is on its way again.`)).toBeVisible();
  const [sent] = await sql`select status, delivery_building_no from public.orders where id = ${first?.id ?? ''}`;
  expect(sent).toEqual({ status: 'Shipped', delivery_building_no: '11, Shanti Sadan' });

  for (const [doc, pages] of [
    ['slip', 5],
    ['label', 5],
    ['card', 2],
    ['card&paper=a6', 5],
  ] as const) {
    await counter.goto(`/admin/orders/print?group=${groupId}&doc=${doc}`);
    await expect(counter.getByRole('article')).toHaveCount(5);
    const paper = await printed(counter);
    expect(paper.pages, doc).toBe(pages);
    const text = paper.text.replaceAll(',', '');
    // 737 and with tax 773.85; the whole group.
    for (const hidden of ['₹', '737', '773', 'Meera']) expect(text, `${doc}: ${hidden}`).not.toContain(hidden);
    for (const name of doc.startsWith('card') ? [] : names) expect(text, doc).toContain(name);
    if (doc.startsWith('card')) expect(text.match(/Acme Traders/g)).toHaveLength(5);
  }
  await counter.context().close();
});

test('a group’s list is put into the page for many recipients again @wide', async ({ page, customer, sql }) => {
  const name = newMark('Office Box');
  const productId = await insertProduct(sql, { name, category: 'Gift', price: 300, stock: 50 });
  const { groupId } = await insertPaidGroup(sql, {
    userId: await userIdOf(customer),
    productId,
    names: ['Aditi Kulkarni', 'Rohan Menon'],
  });
  await sql`update public."Products" set "Price" = 330 where "Id" = ${productId}`;
  await openHistory(page);
  await page.getByText('2 recipients').click();
  await page.getByRole('link', { name: 'Send this list again' }).click();
  const note = page.getByRole('region', { name: 'Your earlier list is below' });
  await expect(note).toContainText(`${name} now costs ₹330. It was ₹300.`);
  await expect(page.getByText('2 recipients').first()).toBeVisible();
  await expect(page.getByText('Rohan Menon').first()).toBeVisible();
  await expect(page).toHaveURL(/\/gifts\/group$/);
  // Another time what was typed is not thrown away unasked.
  await page.goto(`/gifts/group?again=${groupId}`);
  await page
    .getByRole('alertdialog', { name: 'Replace your current list?' })
    .getByRole('button', { name: 'Keep my list' })
    .click();
  await expect(page.getByText('2 recipients').first()).toBeVisible();
});
