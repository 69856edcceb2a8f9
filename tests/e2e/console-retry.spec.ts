import { connectToShop, insertProduct, newMark } from '../support/rows.ts';
import { expect, type Page, test as shopTest, signIn } from './shop-page.ts';

const test = shopTest.extend<{ sql: Awaited<ReturnType<typeof connectToShop>> }>({
  sql: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await signIn(page, 'Asha Rao');
    await use(sql);
    await sql.end();
  },
});

/** The shop does what it is asked, and its answer is lost, once. */
const loseAnswer = (page: Page, what: string) =>
  page.route(
    (url) => url.pathname.endsWith(what),
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
test.use({ expectedErrors: /ERR_FAILED|409/ });
const unanswered = 'The shop didn’t respond. Check your connection and try again.';

test('a request that is retried after a lost response is written once', async ({ page, sql }) => {
  const what = newMark('Retry');
  await page.goto('/admin/expenses?open=new');
  const expense = page.getByRole('dialog', { name: 'New expense' });
  await expense.getByLabel('Amount').fill('118.50');
  await expense.getByLabel('Category').selectOption('Gas');
  await expense.getByLabel('Description').fill(what);
  await expense.getByLabel('GST', { exact: true }).selectOption('18% included');
  await loseAnswer(page, '/expenses');
  await expense.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(expense.getByText(unanswered)).toBeVisible();
  await expense.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(expense).toBeHidden();
  expect(await sql`select amount from public.expenses where description = ${what}`).toEqual([{ amount: '118.50' }]);

  const [order] = await sql`select id from public.orders order by created_at desc limit 1`;
  await page.goto(`/admin/orders/${order?.id}`);
  await page.getByLabel('New note').fill(what);
  await loseAnswer(page, '/admin_add_order_note');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByText(unanswered)).toBeVisible();
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByText(unanswered)).toBeHidden();
  await expect(page.getByRole('listitem').getByText(what)).toHaveCount(1);
  expect(await sql`select note from private.order_notes where note = ${what}`).toHaveLength(1);

  const product = await insertProduct(sql, { name: what, hasSize: true, stock: 5000, listed: false });
  await page.goto(`/admin/inventory?search=${encodeURIComponent(what)}`);
  await page.getByRole('button', { name: `Adjust stock of ${what}` }).click();
  const movement = page.getByRole('dialog', { name: what });
  await movement.getByLabel('Type').selectOption('Wastage');
  await movement.getByLabel('Quantity').fill('1');
  await movement.getByLabel('Reason').fill('burnt');
  await loseAnswer(page, '/admin_record_movement');
  await movement.getByRole('button', { name: 'Write off 1 kg' }).click();
  await expect(movement.getByText(unanswered)).toBeVisible();
  await movement.getByRole('button', { name: 'Write off 1 kg' }).click();
  await expect(movement).toBeHidden();
  expect(await sql`select on_hand from public.stock_levels where product_id = ${product}`).toEqual([{ on_hand: 4000 }]);
});

test('an order of nothing is refused at its line, and nothing is written', async ({ page, sql }) => {
  const count = async () => (await sql`select count(*)::int as count from public.purchase_orders`)[0]?.count;
  const before = await count();
  await page.goto('/admin/purchases/new?vendor=1');
  for (const button of ['Save draft', 'Save and mark as ordered']) {
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByText('Add at least one item.')).toBeVisible();
  }
  expect(await count()).toBe(before);
});

test('addresses that make no sense lead to a sentence, not to an error @soak', async ({ page, sql }) => {
  void sql;
  await page.goto('/admin/purchases/abc');
  await expect(page.getByText('Purchase order not found.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Purchase order', exact: true })).toBeVisible();
  await page.goto('/admin/expenses?from=zz&q=%00');
  await expect(page.getByRole('table', { name: 'Expenses' })).toBeVisible();
});
