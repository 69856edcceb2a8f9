import { openHome } from './home-visit.ts';
import { expect, type Page, test } from './shop-page.ts';

async function putIntoCookies(page: Page, shopUrl: string, lists: { cart?: unknown; checkout?: unknown }) {
  await page.context().addCookies(
    Object.entries(lists).map(([name, list]) => ({
      name,
      value: encodeURIComponent(JSON.stringify(list)),
      url: shopUrl,
    })),
  );
}

async function idOf(page: Page, name: string): Promise<string> {
  const address = await page.getByRole('link', { name, exact: true }).first().getAttribute('href');
  return address?.split('/').at(-1) ?? '';
}

test('with an empty cart, Order In Bulk says to select items first and leads to the shop', async ({ page }) => {
  await openHome(page);
  await page.getByRole('button', { name: 'Order In Bulk' }).click();
  const dialog = page.getByRole('dialog', { name: 'Order in bulk' });
  await expect(dialog).toContainText('Please select items first, then contact us by email or WhatsApp.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Order In Bulk' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('link', { name: 'Select items in the shop' }).click();
  await expect(page).toHaveURL(/\/shop$/);
});

test('the links of Order In Bulk carry what is in the cart and in the checkout', async ({ page, shopUrl }) => {
  await openHome(page);
  const laddu = await idOf(page, 'Besan Laddu');
  const pack = await idOf(page, 'Family Combo Pack');
  await putIntoCookies(page, shopUrl, {
    cart: { [laddu]: { 500: 20, 1000: 3 }, 999999: { 500: 1 } },
    checkout: { [laddu]: { 500: 25 }, [pack]: { 500: 4 } },
  });
  await openHome(page);
  await page.getByRole('button', { name: 'Order In Bulk' }).click();
  const dialog = page.getByRole('dialog', { name: 'Order in bulk' });
  await expect(dialog.getByRole('list', { name: 'Selected items' }).getByRole('listitem')).toHaveText([
    '45 × Besan Laddu (500 g)',
    '3 × Besan Laddu (1000 g)',
    '4 × Family Combo Pack',
  ]);
  const mail = new URL((await dialog.getByRole('link', { name: 'Write an email' }).getAttribute('href')) ?? '');
  const chat = new URL((await dialog.getByRole('link', { name: 'Message us on WhatsApp' }).getAttribute('href')) ?? '');
  expect(mail.protocol).toBe('mailto:');
  expect(mail.pathname).toMatch(/.@./);
  expect(chat.origin).toBe('https://wa.me');
  expect(chat.pathname).toMatch(/^\/\d{8,15}$/);
  for (const text of [mail.searchParams.get('body'), chat.searchParams.get('text')]) {
    expect(text).toContain('45 × Besan Laddu (500 g)');
    expect(text).toContain('3 × Besan Laddu (1000 g)');
    expect(text).toContain('4 × Family Combo Pack');
    expect(text).not.toContain('999999');
  }
});

test('a broken cart cookie counts as an empty cart @soak', async ({ page, shopUrl }) => {
  await page.context().addCookies([{ name: 'cart', value: '%7B%22<script>', url: shopUrl }]);
  await openHome(page);
  await page.getByRole('button', { name: 'Order In Bulk' }).click();
  await expect(page.getByRole('dialog', { name: 'Order in bulk' })).toContainText('Please select items first');
});
