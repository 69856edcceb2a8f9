import { buyOverHttp, setAddress } from '../support/buying.ts';
import { newCustomer, type ShopClient, signInAs, userIdOf } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, openFilters, type Page, signIn, test } from './shop-page.ts';

/** A name that no other customer has. */
const newName = (first: string) => `${first} ${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

async function openCustomer(page: Page, name: string): Promise<void> {
  await page.goto('/admin/customers');
  await page.getByRole('searchbox', { name: 'Search customers' }).fill(name);
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

const buyOne = (shopUrl: string, customer: ShopClient) =>
  buyOverHttp(shopUrl, customer, [{ productId: 1, quantity: 1, size: 500 }]);

test('a customer is found, annotated, blocked and unblocked, and the log shows it', async ({ page, shopUrl }) => {
  const name = newName('Lalita');
  const customer = await newCustomer(shopUrl, name);
  await setAddress(customer);
  await signIn(page, 'Asha Rao');

  await page.goto('/admin/customers?city=Mumbai&ordered=no');
  await page.getByRole('searchbox', { name: 'Search customers' }).fill(name.toUpperCase());
  await expect(page.getByText('1 of 1')).toBeVisible();
  await page.getByRole('link', { name }).click();
  await page.getByRole('textbox', { name: 'Notes' }).fill('Rings before noon');
  await page.getByRole('combobox', { name: 'Tags' }).fill('Morning');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`Notes on ${name}`)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Rings before noon');
  await expect(page.getByRole('button', { name: 'Remove tag morning' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Block', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Block' }).click();
  await expect(question.getByText('Please fill in this field.')).toBeVisible();
  await question.getByRole('textbox', { name: 'Reason' }).fill('Three parcels refused');
  await question.getByRole('button', { name: 'Block' }).click();
  await expect(page.getByText('Three parcels refused').first()).toBeVisible();
  await expect(buyOne(shopUrl, customer)).rejects.toThrow('blocked');
  await page.getByRole('button', { name: 'Unblock' }).click();
  await question.getByRole('button', { name: 'Unblock' }).click();
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible();
  await buyOne(shopUrl, customer);

  await page.goto('/admin/log');
  await openFilters(page);
  await page.getByRole('combobox', { name: 'Area' }).selectOption('Customers');
  await expect(page).toHaveURL(/kind=Customers/);
  const blocked = page.getByRole('link', { name: `Blocked: ${name}`, exact: true });
  await expect(page.getByRole('listitem').filter({ has: blocked })).toContainText('Three parcels refused');
  await page.getByRole('link', { name: `Unblocked: ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});

test('a customer whose phone was stolen is logged out everywhere by the shop', async ({ page, shopUrl }) => {
  const name = newName('Nirmala');
  const customer = await newCustomer(shopUrl, name);
  await signIn(page, 'Asha Rao');
  await openCustomer(page, name);
  await page.getByRole('button', { name: 'Log out everywhere…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click();
  await expect(page.getByText(`${name} has been logged out everywhere.`)).toBeVisible();
  expect((await customer.auth.refreshSession()).error).not.toBeNull();
});

test('a review is hidden from the shop and shown again @soak', async ({ page, shopUrl }) => {
  const name = newName('Charu');
  const customer = await newCustomer(shopUrl, name);
  const words = `Too much cardamom ${name}`;
  await customer.from('comments').insert({ product_id: 3, content: words, rating: 2 });
  const isShown = async () => {
    const { data } = await customer.rpc('product_reviews', { product_id: 3 });
    return data?.some(({ content }) => content === words);
  };
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/customers/reviews?rating=2');
  await page.getByRole('searchbox', { name: 'Search reviews' }).fill(words);
  const review = page.getByRole('article').filter({ hasText: words });
  await review.getByRole('button', { name: 'Hide' }).click();
  await expect(review.getByText('Hidden since')).toBeVisible();
  expect(await isShown()).toBe(false);
  await expect(page.locator('ul[aria-busy]'), 'what is read again is paler until it is there').toHaveCount(0);
  await expectAccessible(page);
  await review.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('button', { name: 'Show again' }).click();
  await expect(page.getByRole('button', { name: 'Hide' })).toBeVisible();
  expect(await isShown()).toBe(true);
});

test.describe('on request', () => {
  test.use({ expectedErrors: /422/ }); // the wrong name

  test('a customer is erased, and not while an order is open @soak', async ({ page, shopUrl }) => {
    const name = newName('Savita');
    const customer = await newCustomer(shopUrl, name);
    const id = await userIdOf(customer);
    await setAddress(customer);
    const orderId = await buyOne(shopUrl, customer);
    const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
    await signIn(page, 'Asha Rao');
    await openCustomer(page, name);

    await page.getByRole('button', { name: 'Erase…' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByText(/Order \d+ is still pending\. Finish or cancel it first\./)).toBeVisible();
    await expect(question.getByRole('button', { name: 'Erase permanently' })).toBeDisabled();
    await question.getByRole('button', { name: 'Go back' }).click();
    for (const status of ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'])
      await asha.from('orders').update({ status }).eq('id', orderId).throwOnError();

    await page.getByRole('button', { name: 'Erase…' }).click();
    const confirmation = question.getByRole('textbox', { name: 'type their name' });
    await confirmation.fill('another name');
    await question.getByRole('button', { name: 'Erase permanently' }).click();
    await expect(question.getByText('not their name or email address')).toBeVisible();
    await confirmation.fill(name);
    await question.getByRole('button', { name: 'Erase permanently' }).click();
    await expect(page).toHaveURL('/admin/customers');

    await page.getByRole('searchbox', { name: 'Search customers' }).fill(name);
    await expect(page.getByText('No matching customers.')).toBeVisible();
    await page.goto(`/admin/customers/${id}`);
    await expect(page.getByText('Customer not found.')).toBeVisible();
    const { data } = await asha
      .from('orders')
      .select('delivery_name, delivery_phone, status')
      .eq('id', orderId)
      .single();
    expect(data).toEqual({ delivery_name: 'Erased customer', delivery_phone: '', status: 'Delivered' });
    await page.goto(`/admin/orders/${orderId}`);
    await expect(page.getByText('Erased customer').first()).toBeVisible();
    await page.goto('/admin/log?kind=Customers');
    await expect(page.getByText('Customer erased; 1 order kept without the name').first()).toBeVisible();
    await expectAccessible(page);
  });
});
