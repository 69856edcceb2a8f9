import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { insertPaidOrder, insertProduct, newMark } from '../support/rows.ts';
import { userIdOf } from '../support/visitor.ts';
import { expect, moveAlong, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';

const toTheDoor = ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'] as const;

test('messages are chosen one by one, every choice is listed, and an order is then told of by SMS @wide', async ({
  page,
  customer,
  sql,
  shopUrl,
}) => {
  const userId = await userIdOf(customer);
  await page.goto('/profile');
  const section = page.getByRole('region', { name: 'Your data and messages' });
  const sms = section.getByRole('checkbox', { name: 'Order updates by SMS' });
  await expect(sms).toBeEnabled();
  const boxes = section.getByRole('checkbox');
  await expect(boxes).toHaveCount(6);
  // Nothing is ticked for the customer but the question about what they bought.
  await expect(section.getByRole('checkbox', { checked: true })).toHaveCount(1);
  await expect(section.getByRole('checkbox', { name: 'Ask me to review what I bought' })).toBeChecked();
  await expect(section.getByText(/^All your choices/)).toHaveCount(0);
  await sms.focus();
  await page.keyboard.press('Space');
  await expect(section.getByText(/^On since .*, chosen in your profile\.$/)).toHaveCount(1);
  await section.getByRole('checkbox', { name: 'Send me news and offers' }).check();
  await expect(section.getByText('All your choices (2)')).toBeVisible();
  await section.getByRole('checkbox', { name: 'Send me news and offers' }).uncheck();
  await section.getByText('All your choices (3)').click();
  await expect(section.getByText('“Send me news and offers” turned off in your profile')).toBeVisible();
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await page.reload();
  await expect(sms).toBeChecked();

  const productId = await insertProduct(sql, { name: newMark('Laddu'), stock: 20, listed: false });
  const { id } = await insertPaidOrder(sql, { userId, productId });
  const [order] = await sql<{ number: string }[]>`
    update public.orders set delivery_by = private.day_of(now()) where id = ${id} returning number`;
  // It arrives today, so it is told of at any hour.
  await sql`update public.orders set status = 'Confirmed' where id = ${id}`;
  for (const status of ['Preparing', 'Packed', 'Shipped'])
    await sql`update public.orders set status = ${status} where id = ${id}`;
  const text = `Order ${order?.number} is on its way`;
  await expect
    .poll(async () => (await sql`select from demo.caught_messages where text like ${`%${text}%`}`).length, {
      timeout: 15_000,
    })
    .toBe(1);
  await page.goto(`${shopUrl}/demo-mail`);
  await expect(page.getByRole('region', { name: 'WhatsApp and SMS' }).getByText(text)).toBeVisible();
  await expectAccessible(page);
});

test.describe('an account that goes', () => {
  // /logout takes the session out of this browser: on the server it is gone with the account.
  test.use({ expectedErrors: /status of 403/ });

  test('a customer downloads everything about themselves, then deletes their account and is logged out @wide', async ({
    page,
    customer,
    owner,
    sql,
  }) => {
    const userId = await userIdOf(customer);
    const productId = await insertProduct(sql, { name: newMark('Laddu'), stock: 20, listed: false });
    const { id } = await insertPaidOrder(sql, { userId, productId });
    await page.goto('/profile');
    const section = page.getByRole('region', { name: 'Your data and messages' });
    // An open order is in the way.
    await expect(section.getByText(/Order \d+ is still on its way\. You can delete your account once/)).toBeVisible();
    await expect(section.getByRole('button', { name: 'Delete my account…' })).toHaveCount(0);
    await moveAlong(owner, id, ...toTheDoor);
    await page.reload();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Download my data' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-data.zip');
    const files = unzipSync(new Uint8Array(await readFile(await download.path())));
    expect(JSON.parse(strFromU8(files['profile.json'] ?? new Uint8Array()))).toMatchObject({ name: 'Meera Joshi' });
    expect(Object.keys(files).filter((name) => /^documents\/.*\.pdf$/.test(name))).toHaveLength(1);

    await expect(section.getByText(/Tax law makes us keep invoices and credit notes for 72 months/)).toBeVisible();
    const button = section.getByRole('button', { name: 'Delete my account…' });
    await button.click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' });
    await expectAccessible(page, 'dialog[open]');
    await expect(dialog.getByRole('button', { name: 'Delete my account' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Keep my account' }).click();
    await expect(dialog).toBeHidden();
    expect(await sql`select from auth.users where id = ${userId}`).toHaveLength(1);
    await button.click();
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await page.waitForURL(/\/$/);
    expect(await sql`select from auth.users where id = ${userId}`).toEqual([]);
    expect(await sql`select delivery_name from public.orders where id = ${id}`).toEqual([
      { delivery_name: 'Erased customer' },
    ]);
    await page.goto('/profile');
    await expect(page.getByRole('heading', { name: /Log in/ }).first()).toBeVisible();
  });
});

test('a stop link for another purpose says what it stops', async ({ page, customer, sql }) => {
  const userId = await userIdOf(customer);
  await customer.rpc('choose_consent', { purpose: 'news', agreed: true });
  await sql`select private.make_link_key()`;
  const [row] = await sql`select private.stop_token(${userId}, 'news') as token`;
  await page.goto(`/unsubscribe?token=${row?.token}`);
  await page.getByRole('button', { name: 'Stop news and offers' }).click();
  await expect(page.getByRole('heading', { name: 'News and offers are off' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/profile');
  await expect(page.getByText(/^Off since .*, chosen by the link in a message\.$/)).toBeVisible();
});
