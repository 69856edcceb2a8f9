import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';
import { connectToShop, insertPaidOrder, insertProduct, insertUser, newMark } from '../support/rows.ts';
import { expectAccessible } from './page-quality.ts';
import {
  chooseAll,
  expect,
  type Locator,
  openFilters,
  type Page,
  test as shopTest,
  signIn,
  watching,
} from './shop-page.ts';

type Placed = { id: string; number: number };
type Shelf = {
  sql: Sql;
  /** A sweet that only this test's orders have in them: searching for it shows them and no others. */
  sweet: string;
  place(order?: { status?: string; name?: string; fulfilment?: 'delivery' | 'pickup' }): Promise<Placed>;
};

const test = shopTest.extend<{ shelf: Shelf }>({
  shelf: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    const sweet = newMark('Sweet');
    const productId = await insertProduct(sql, { name: sweet, stock: 1000, listed: false });
    const userId = await insertUser(sql, { name: 'Meera Joshi' });
    await signIn(page, 'Asha Rao');
    await use({
      sql,
      sweet,
      async place({ status, name = 'Meera Joshi', fulfilment } = {}) {
        const { id } = await insertPaidOrder(sql, {
          userId,
          productId,
          quantity: 1,
          status,
          fulfilment,
          deliveryName: name,
        });
        const [row] = await sql<{ number: number }[]>`select number::int from public.orders where id = ${id}`;
        return { id, number: row?.number ?? 0 };
      },
    });
    await sql.end();
  },
});

const rowOf = (page: Page, { number }: Placed) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: String(number), exact: true }) });
const openList = async (page: Page, query: string) => {
  await page.goto(`/admin/orders?${query}`);
  await expect(page.getByRole('table', { name: 'Orders' })).toBeVisible();
};

test('orders are found by search and filter, the address keeps it, and the file has the same', async ({
  page,
  shelf,
}) => {
  const paid = await shelf.place({ name: '=cmd Person' });
  const packed = await shelf.place({ status: 'Packed' });
  await page.goto('/admin/orders');
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(shelf.sweet);
  await expect(rowOf(page, paid)).toContainText(`${shelf.sweet} × 1`.replace(' × ', '\u00a0×\u00a0'));
  await expect(page.getByText('2 of 2')).toBeVisible();

  await page.getByRole('button', { name: 'Filters' }).click();
  const filters = page.getByRole('form', { name: 'Filters' });
  await filters.getByLabel('Pincode begins with').fill('04');
  await filters.getByRole('checkbox', { name: 'Packed' }).check();
  await filters.getByRole('button', { name: 'Apply filters' }).click();
  await expect(filters.getByText('Enter up to 6 digits, not starting with 0.')).toBeVisible();
  await filters.getByLabel('Pincode begins with').fill('4000');
  await filters.getByRole('button', { name: 'Apply filters' }).click();
  await expect(rowOf(page, packed)).toBeVisible();
  await expect(rowOf(page, paid)).toHaveCount(0);
  await page.reload();
  await expect(rowOf(page, packed)).toBeVisible();
  await expect(rowOf(page, paid)).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Remove filter: Packed' }).click();
  await expect(rowOf(page, paid)).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(new RegExp(`^${paid.number},[^,]+,'=cmd Person,`));
  expect(lines[2]).toContain(`${packed.number},`);

  await page.getByRole('searchbox', { name: 'Search orders' }).fill('never ordered');
  await page.getByRole('link', { name: 'Clear search and filters' }).click();
  await expect(page).toHaveURL('/admin/orders');
});

test('one press moves one order, a confirmation several, and only allowed moves are offered', async ({
  page,
  shelf,
}) => {
  const [first, second, third] = [await shelf.place(), await shelf.place(), await shelf.place({ status: 'Packed' })];
  await openList(page, `q=${encodeURIComponent(shelf.sweet)}`);
  await page.getByRole('button', { name: `Confirm: order ${first.number}` }).click();
  await expect(rowOf(page, first)).toContainText('Confirmed');
  await expect(page.getByText(`Order ${first.number} is confirmed.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Ship: order ${third.number}` })).toBeEnabled();
  await expect(page.getByRole('button', { name: /Cancel|Refund/ })).toHaveCount(0);

  // What the customer hears of is asked about, also of one.
  await page.getByRole('button', { name: `Ship: order ${third.number}` }).click();
  const question = page.getByRole('alertdialog', { name: `Mark order ${third.number} as shipped?` });
  await expect(question).toHaveAccessibleDescription(/Customers with an account get an email/);
  await page.keyboard.press('Escape');
  await expect(rowOf(page, third)).toContainText('Packed');

  // By keyboard: where it stands, and the two below.
  for (const key of ['x', 'j', 'x', 'ArrowDown', 'x']) await page.keyboard.press(key);
  const chosen = page.getByRole('region', { name: 'Selected orders' });
  await expect(chosen).toContainText('3 selected');
  await expect(chosen.getByRole('link', { name: 'Print' })).toHaveAttribute('href', new RegExp(`ids=.*${second.id}`));
  await shelf.sql`update public.orders set status = 'canceled' where id = ${second.id}`;
  await expect(rowOf(page, second)).toContainText('Cancelled');
  await expect(chosen.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);

  await chosen.getByRole('button', { name: 'Prepare 1' }).click();
  const several = page.getByRole('alertdialog', { name: `Start preparing order ${first.number}?` });
  await expect(several).toContainText(
    `2 selected orders won’t change: ${third.number} (Packed), ${second.number} (Cancelled)`,
  );
  await several.getByRole('button', { name: 'Start preparing' }).click();
  await expect(rowOf(page, first)).toContainText('Preparing');
  const [{ events } = { events: 0 }] = await shelf.sql<{ events: number }[]>`
    select count(*)::int as events from public.order_events where order_id = ${first.id}`;
  expect(events).toBe(3);
});

test('a move is undone from the list and from the order, and what a search hides stays selected', async ({
  page,
  shelf,
}) => {
  const kiran = newMark('Kiran');
  const [first, second] = [await shelf.place(), await shelf.place({ name: kiran })];
  const statusOf = async ({ id }: Placed) =>
    (await shelf.sql`select status from public.orders where id = ${id}`)[0]?.status;
  await openList(page, `q=${encodeURIComponent(shelf.sweet)}`);
  await page.getByRole('button', { name: `Confirm: order ${first.number}` }).click();
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone. No email was sent.')).toBeVisible();
  await expect(rowOf(page, first)).toContainText('Pending');

  await chooseAll(page, 2);
  const bar = page.getByRole('region', { name: 'Selected orders' });
  await bar.getByRole('button', { name: 'Confirm 2' }).click();
  await page.getByRole('button', { name: 'Confirm 2 orders' }).click();
  await expect(bar.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search orders' }).fill(kiran);
  await expect(rowOf(page, first)).toHaveCount(0);
  await expect(bar).toContainText('2 selected, 1 not shown here');
  await bar.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('2 orders moved back. No email was sent.')).toBeVisible();
  expect([await statusOf(first), await statusOf(second)]).toEqual(['Pending', 'Pending']);

  await page.goto(`/admin/orders/${first.id}`);
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('Moved back to Pending').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeHidden();
  expect(await statusOf(first)).toBe('Pending');
});

test('two administrators: the second reads which orders did not move, and why', async ({ page, shelf }) => {
  const orders = [await shelf.place(), await shelf.place(), await shelf.place()];
  await page.routeWebSocket('**/realtime/**', (socket) => socket.close());
  await openList(page, `q=${encodeURIComponent(shelf.sweet)}`);
  await chooseAll(page, 3);
  const [late, changed] = orders as [Placed, Placed, Placed];
  await shelf.sql`update public.orders set status = 'Confirmed' where id = ${late.id}`;
  await shelf.sql`update public.orders set delivery_name = 'Meera J. Joshi' where id = ${changed.id}`;
  await page.getByRole('button', { name: 'Confirm 3' }).click();
  await page
    .getByRole('alertdialog', { name: 'Confirm 3 orders?' })
    .getByRole('button', { name: 'Confirm 3 orders' })
    .click();
  const refusal = page.getByRole('alert').filter({ hasText: '2 orders were not updated:' });
  await expect(refusal).toContainText(`Order ${late.number} is already Confirmed.`);
  await expect(refusal).toContainText(`Order ${changed.number} was changed by someone else. Check it again.`);
  await expect(rowOf(page, changed)).toContainText('Meera J. Joshi');
  await refusal.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('button', { name: 'Confirm 1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm order' }).click();
  await expect(rowOf(page, changed)).toContainText('Confirmed');
});

test('new orders wait above the list until they are shown, and only those that match the filter @wide', async ({
  page,
  shelf,
}) => {
  const known = await shelf.place();
  await watching(page, () => openList(page, `q=${encodeURIComponent(shelf.sweet)}&status=Pending`));
  await expect(rowOf(page, known)).toBeVisible();
  await shelf.place({ status: 'Confirmed' });
  const [first, second] = [await shelf.place(), await shelf.place()];
  const show = page.getByRole('button', { name: 'Show 2 new orders' });
  await expect(show).toBeVisible();
  await expect(rowOf(page, first)).toHaveCount(0);
  await show.click();
  await expect(rowOf(page, first)).toBeVisible();
  await expect(rowOf(page, second)).toBeVisible();
  await expect(show).toHaveCount(0);
  await expect(page.getByText('3 of 3')).toBeVisible();
});

test('on a phone the list begins on the first screen, and the daily actions are within reach', async ({
  page,
  shelf,
}) => {
  const placed = await shelf.place();
  const height = page.viewportSize()?.height ?? 0;
  const endOf = async (of: Locator) => {
    await expect(of).toBeVisible();
    const box = await of.boundingBox();
    return (box?.y ?? height) + (box?.height ?? height);
  };
  const bar = page.getByRole('navigation', { name: 'Daily work' });
  await page.goto('/admin/orders');
  await expect(rowOf(page, placed)).toBeVisible();
  const barTop = (await bar.boundingBox())?.y ?? 0;
  expect(await endOf(bar)).toBeLessThanOrEqual(height);
  expect(await endOf(page.getByRole('row').nth(1))).toBeLessThan(barTop);

  // What waits is counted on its tab and beside its area.
  await expect(page.getByRole('link', { name: /^To confirm [\d,]+\+?$/ })).toBeVisible();
  await expect(bar.getByRole('link', { name: /Orders.*to confirm or pack/ })).toBeVisible();

  await page.goto('/admin/products');
  expect(await endOf(page.getByRole('row').nth(1))).toBeLessThan(barTop);
  const category = page.getByRole('combobox', { name: 'Category' });
  await expect(category).toBeHidden();
  await openFilters(page);
  await category.selectOption('Laddu');
  await expect(page).toHaveURL(/category=Laddu/);
  await expect(page.getByRole('button', { name: 'Filters (1)', expanded: true })).toBeVisible();
  // Faded while the next rows are on their way.
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  await expectAccessible(page);

  await bar.getByRole('link', { name: 'Kitchen' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Kitchen sheet' })).toBeVisible();
  const made = page.getByRole('checkbox', { name: `${shelf.sweet} done` });
  await made.check();
  await page.reload();
  await expect(made).toBeChecked();
});
