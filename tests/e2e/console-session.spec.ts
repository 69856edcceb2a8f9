import { connectToShop, newMark } from '../support/rows.ts';
import { signInAs, userIdOf } from '../support/visitor.ts';
import { expect, type Page, test as shopTest, signIn } from './shop-page.ts';

const test = shopTest.extend<{ sql: Awaited<ReturnType<typeof connectToShop>> }>({
  sql: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await signIn(page, 'Asha Rao');
    await use(sql);
    await sql.end();
  },
});

test.use({ expectedErrors: /status of (400|401|403|503)|ERR_FAILED/ });

/** Ends the session of this browser on the server, as another device would. */
async function endSession(page: Page, sql: Awaited<ReturnType<typeof connectToShop>>): Promise<void> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('mithaas-session') ?? '').access_token);
  const { session_id } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  await sql`delete from auth.sessions where id = ${session_id}`;
}

async function typeExpense(page: Page, what: string) {
  await page.goto('/admin/expenses?open=new');
  const expense = page.getByRole('dialog', { name: 'New expense' });
  // Else the list behind it could find the session ended before the form does.
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await expense.getByLabel('Amount').fill('118.50');
  await expense.getByLabel('Category').selectOption('Gas');
  await expense.getByLabel('Description').fill(what);
  return { expense, save: expense.getByRole('button', { name: 'Save', exact: true }) };
}

test('when a session ends while saving, the owner logs in again in place and the save completes', async ({
  page,
  sql,
}) => {
  const what = newMark('Session');
  const { expense, save } = await typeExpense(page, what);
  let checks = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/auth/v1/user') checks += 1;
  });
  await endSession(page, sql);
  await save.click();
  const question = page.getByRole('dialog', { name: 'Log in to continue' });
  const opened = page.waitForEvent('popup');
  await question.getByRole('button', { name: 'Log in' }).click();
  const beside = await opened;
  await beside.getByRole('button', { name: 'Continue as Asha Rao' }).click();
  await expect(question).toBeHidden();
  await expect(expense).toBeHidden();
  expect(await sql`select amount from public.expenses where description = ${what}`).toEqual([{ amount: '118.50' }]);
  await expect.poll(() => beside.isClosed()).toBe(true);
  // The response to a second check could come after the login and undo it.
  expect(checks).toBe(1);
});

test('another administrator who logs in saves nothing that was waiting', async ({ page, sql, shopUrl }) => {
  const what = newMark('Waiting');
  const other = { name: 'Meera Joshi', email: `${newMark('meera').replaceAll(' ', '-')}@example.com` };
  const userId = await userIdOf(await signInAs(shopUrl, other));
  await sql`insert into private.administrators (user_id) values (${userId})`;
  const { expense, save } = await typeExpense(page, what);
  await endSession(page, sql);
  await save.click();
  const question = page.getByRole('dialog', { name: 'Log in to continue' });
  const opened = page.waitForEvent('popup');
  await question.getByRole('button', { name: 'Log in' }).click();
  const beside = await opened;
  await beside.getByLabel('Name').fill(other.name);
  await beside.getByLabel('Email').fill(other.email);
  await beside.getByRole('button', { name: 'Continue as someone else' }).click();
  await expect(page.getByText('What you typed before logging in is back. It is not saved yet.')).toBeVisible();
  expect(await sql`select 1 from public.expenses where description = ${what}`).toEqual([]);
  await expect(expense.getByLabel('Description')).toHaveValue(what);
  await save.click();
  await expect(expense).toBeHidden();
  expect(await sql`select 1 from public.expenses where description = ${what}`).toHaveLength(1);
});

test('where windows are blocked, what was typed is back after the login @soak', async ({ page, sql }) => {
  const what = newMark('Blocked');
  await page.addInitScript(() => {
    window.open = () => null;
  });
  const { expense, save } = await typeExpense(page, what);
  await endSession(page, sql);
  await save.click();
  await page.getByRole('dialog', { name: 'Log in to continue' }).getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Continue as Asha Rao' }).click();
  await expect(expense.getByLabel('Description')).toHaveValue(what);
  await expect(page.getByText('What you typed before logging in is back. It is not saved yet.')).toBeVisible();
  await save.click();
  await expect(expense).toBeHidden();
  expect(await sql`select 1 from public.expenses where description = ${what}`).toHaveLength(1);
});

test('an administrator check that fails says so, and Retry opens the console', async ({ page, sql }) => {
  void sql;
  const isCheck = (url: URL) => url.pathname.endsWith('/rpc/is_administrator');
  await page.route(isCheck, (route) => route.fulfill({ status: 503, json: { message: 'unavailable' } }));
  await page.goto('/admin/orders');
  await expect(page.getByText('We couldn’t check your access.')).toBeVisible();
  await expect(page).toHaveURL('/admin/orders');
  await page.unroute(isCheck);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
});

test('any form on a page asks before it is left: Keep editing, Discard changes', async ({ page, sql }) => {
  void sql;
  await page.goto('/admin/settings?tab=delivery');
  // The first of several forms: the router itself asks only the last.
  const field = page.getByRole('main').locator('form').first().getByRole('checkbox').first();
  const before = await field.isChecked();
  await field.setChecked(!before);
  const leave = () => page.getByRole('link', { name: 'Orders' }).filter({ visible: true }).first().click();
  await leave();
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(field).toBeChecked({ checked: !before });
  await leave();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
});
