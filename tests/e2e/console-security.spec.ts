import { newCustomer, signInAs } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, openFilters, signIn, test } from './shop-page.ts';

test('the owner sees who logged in and who was refused the console, and finds it by person and kind', async ({
  page,
  shopUrl,
}) => {
  const name = `Nosy ${Date.now().toString(36)}`;
  const customer = await newCustomer(shopUrl, name);
  await customer.rpc('admin_read_log', {});
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/log');
  await page.getByRole('link', { name: 'Logins and access' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Logins and access' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by person' }).fill(name);
  const entries = page.getByRole('main').getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText(`${name} tried to open the console`);
  await expect(entries.first()).toContainText('Check this');
  await expect(entries.last()).toContainText(`${name} logged in`);
  await expect(entries.last()).toContainText('127.0.0.1');
  await expectAccessible(page);
  await openFilters(page);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Suspicious activity');
  await expect(entries).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Keys and secrets');
  await expect(page.getByText('No matching entries.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(entries.first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
});

test('a customer does not see it @soak', async ({ page, shopUrl }) => {
  const priya = await signInAs(shopUrl, { account: 'Priya Sharma' });
  expect((await priya.rpc('admin_read_security_log', {})).status).toBe(403);
  await signIn(page, 'Priya Sharma');
  await page.goto('/admin/log/security');
  await expect(page).toHaveURL((url) => url.pathname === '/');
});
