import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { financialYearOf, monthName, monthShortName, monthsUpTo } from '../../domain/expenses/months.ts';
import { calendarDay } from '../../domain/time.ts';
import { connectToShop, newMark } from '../support/rows.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, test as shopTest, signIn } from './shop-page.ts';

const test = shopTest.extend<{ sql: Awaited<ReturnType<typeof connectToShop>> }>({
  sql: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await signIn(page, 'Asha Rao');
    await use(sql);
    await sql.end();
  },
});

const today = calendarDay(new Date());
const monthAgo = (count: number) => monthsUpTo(today, count + 1).at(-1) ?? '';
const rowOf = (page: Page, what: string) => page.getByRole('row').filter({ hasText: what });
const linesOf = async (page: Page, click: () => Promise<void>) => {
  const download = page.waitForEvent('download');
  await click();
  return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
};

test('an expense is entered with its receipt, found, looked at, changed and deleted', async ({ page, sql }) => {
  const what = newMark('Cylinders');
  const photo = await sharp({ create: { width: 2600, height: 1300, channels: 3, background: '#f4ead8' } })
    .jpeg()
    .toBuffer();
  await page.goto('/admin/expenses');
  await expect(page.getByRole('table', { name: 'Expenses' })).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New expense' });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByText('Enter an amount, such as 1,299.50.')).toBeVisible();
  await form.getByLabel('Amount').fill('1,180');
  await form.getByLabel('Category').selectOption('Gas');
  await form.getByLabel('Description').fill(what);
  await form.getByLabel('GST', { exact: true }).selectOption('18% included');
  await expect(form.getByText('Includes ₹180 GST')).toBeVisible();
  await form.getByLabel('Receipt file').setInputFiles({ name: 'bill.jpg', mimeType: 'image/jpeg', buffer: photo });
  await expect(form.getByRole('img', { name: 'New receipt' })).toBeVisible();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form).toBeHidden();

  await page.getByRole('searchbox', { name: 'Search expenses' }).fill(what.toUpperCase());
  await expect(page.getByText('₹1,180 in 1 expense, including GST ₹180')).toBeVisible();
  await rowOf(page, what)
    .getByRole('button', { name: `View receipt: ${what}` })
    .click();
  const receipt = page.getByRole('img', { name: `Receipt: ${what}` });
  await expect(receipt).toHaveJSProperty('naturalWidth', 1800);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expectAccessible(page);
  const lines = await linesOf(page, () => page.getByRole('button', { name: 'CSV' }).click());
  expect(lines.slice(1)).toEqual([`${today},Gas,,,${what},1180,180,1000,UPI,yes`]);

  // Another administrator is faster.
  await page.getByRole('link', { name: what }).click();
  const edit = page.getByRole('dialog', { name: what });
  await edit.getByLabel('Amount').fill('1300');
  await sql`update public.expenses set payment_mode = 'Cash' where description = ${what}`;
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(edit.getByRole('alert')).toContainText('Changed by someone else.');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('link', { name: what }).click();
  await expect(edit.getByLabel('Payment mode')).toHaveValue('Cash');
  await edit.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No matching expenses.')).toBeVisible();
  expect(await sql`select from public.expenses where description = ${what}`).toHaveLength(0);
});

test('what repeats is proposed when it is due: entered with one tap, changed first, or skipped @soak', async ({
  page,
  sql,
}) => {
  const [rent, water, flowers] = [newMark('Rent'), newMark('Water'), newMark('Flowers')];
  for (const [what, repeats] of [
    [rent, 'monthly'],
    [water, 'monthly'],
    [flowers, 'quarterly'],
  ] as const)
    await sql`insert into public.expenses (spent_on, category, description, amount, payment_mode, repeats)
      values ((${today}::date - interval '4 months')::date, 'Other', ${what}, 900, 'UPI', ${repeats})`;
  await page.goto('/admin/expenses');
  await page.getByRole('button', { name: `Record ₹900: ${rent}` }).click();
  await expect(page.getByText(`Recorded: ${rent}, ₹900`)).toBeVisible();
  await page.getByRole('button', { name: `Skip ${flowers} this time` }).click();
  await expect(page.getByText(`Skipped: ${flowers}`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Skip ${flowers} this time` })).toHaveCount(0);
  await page.getByRole('link', { name: `Edit ${water} and record it` }).click();
  const form = page.getByRole('dialog', { name: water });
  await form.getByLabel('Amount').fill('1,010.50');
  await form.getByRole('button', { name: 'Enter' }).click();
  await expect(form).toBeHidden();
  const rows = await sql`select description, amount::float, repeats from public.expenses
    where description in (${rent}, ${water}, ${flowers}) order by description, spent_on`;
  expect(rows.map(({ amount, repeats }) => [amount, repeats])).toEqual([
    [900, 'quarterly'],
    [900, 'never'],
    [900, 'monthly'],
    [900, 'never'],
    [1010.5, 'monthly'],
  ]);
  await sql`delete from public.expenses where description in (${rent}, ${water}, ${flowers})`;
});

test.describe('closing', () => {
  test.use({ expectedErrors: /status of 422/ });

  test('a month is closed, refuses expenses, and is opened again with a reason @soak', async ({ page, sql }) => {
    const month = monthAgo(5);
    const what = newMark('Late bill');
    const expected = await sql`select profit_paise::int as paise from private.profit_and_loss(${`${month}-01`}::date,
      (${`${month}-01`}::date + interval '1 month')::date - 1)`;
    await page.goto(`/admin/expenses/profit?year=${financialYearOf(`${month}-01`)}`);
    await page.getByRole('link', { name: monthShortName(month) }).click();
    const sheet = page.getByRole('region', { name: monthName(month) });
    const profit = Math.abs(Math.trunc((expected[0]?.paise ?? 0) / 100)).toLocaleString('en-IN');
    await expect(sheet.getByRole('row', { name: /^(Profit|Loss)/ })).toContainText(profit);
    await expectAccessible(page);
    await sheet.getByRole('button', { name: `Close ${monthName(month)}` }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: `Close ${monthName(month)}` })
      .click();
    await expect(sheet.getByText(/^Closed .* by Asha Rao\.$/)).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: monthShortName(month) })).toContainText('Closed');

    await page.goto('/admin/expenses?open=new');
    const form = page.getByRole('dialog', { name: 'New expense' });
    await form.getByLabel('Amount').fill('50');
    await form.getByLabel('Category').selectOption('Other');
    await form.getByLabel('Description').fill(what);
    await form.getByLabel('Date').fill(`${month}-15`);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(
      form.getByText(`${monthName(month)} is closed. Reopen it first, or choose another date.`),
    ).toBeVisible();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();

    await page.goto(`/admin/expenses/profit?year=${financialYearOf(`${month}-01`)}&month=${month}`);
    await sheet.getByRole('button', { name: `Reopen ${monthName(month)}` }).click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByRole('button', { name: `Reopen ${monthName(month)}` })).toBeDisabled();
    await question.getByLabel('Reason').fill('The late bill came');
    await question.getByRole('button', { name: `Reopen ${monthName(month)}` }).click();
    await expect(sheet.getByText('Not closed yet.')).toBeVisible();
    const lines = await linesOf(page, () => page.getByRole('button', { name: 'CSV' }).click());
    expect(lines.find((line) => line.startsWith(`${month},`))).toMatch(/,no$/);
  });
});
