import { pay, payment } from './buyer.ts';
import { expect, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import type { Page } from './shop-page.ts';

const headings = 'Name\tPhone\tBuilding\tStreet\tCity\tState\tPincode\tDay\tNote';
const sheet = [
  headings,
  'Kamala Devi\t98765 43210\t12 Shanti Sadan\tMG Road\tMumbai\tMaharashtra\t400001\t\tशुभ दीपावली, नानी! 🪔',
  'Ram Kumar\t12345\t4 Lake View\tFC Road\tMumbai\tMaharashtra\t400002\t\t',
  'Lata Rao\t9876543212\t7 Hill Side\tMain Road\tTawang\tArunachal Pradesh\t999999\t\t=A1&B1',
].join('\n');

const rows = (page: Page) => page.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
const check = (page: Page) => page.getByRole('button', { name: 'Check the list' });

async function chooseBox(page: Page): Promise<void> {
  await page.getByLabel('Add to box A').selectOption({ label: 'Besan Laddu · ₹320' });
}
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste cells' }).click();
  await page.getByLabel('Cells from your spreadsheet').fill(text);
  await page.getByRole('button', { name: 'Add these recipients' }).click();
}

test('a list is pasted, corrected row by row, kept over a reload, paid once, and found in the history @wide', async ({
  page,
  customer,
  sql,
}) => {
  test.slow(); // From the empty page to a canceled recipient.
  const userId = (await customer.auth.getUser()).data.user?.id ?? '';
  await page.goto('/gifts/group');
  await chooseBox(page);
  await paste(page, sheet);
  await expect(page.getByText('3 recipients · 2 to correct')).toBeVisible();
  await expect(rowOf(page, 'Ram Kumar')).toContainText('Phone: Enter a 10-digit Indian mobile number');
  await expect(rowOf(page, 'Lata Rao')).toContainText('Note: This is a formula');
  await page.getByRole('textbox', { name: 'From' }).fill('Acme Traders');
  await page.getByLabel('Note for everybody').fill('Happy Diwali from all of us');
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);

  await check(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please correct the recipients' })).toBeVisible();
  await page.getByRole('button', { name: 'Correct Ram Kumar' }).click();
  await expect(page.getByLabel('Phone')).toBeFocused();
  await page.getByLabel('Phone').fill('98765 43211');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await page.getByRole('button', { name: 'Correct Lata Rao' }).click();
  await page.getByLabel('Note (optional)').fill('');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await expect(page.getByText('to correct')).toBeHidden();

  await page.reload();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole('textbox', { name: 'From' })).toHaveValue('Acme Traders');

  // Only the shop knows which pincodes it serves.
  await check(page).click();
  await expect(rowOf(page, 'Lata Rao')).toContainText('We don’t deliver to 999999 yet.');
  await expect(rowOf(page, 'Kamala Devi')).toContainText(/₹[\d,.]+ · arrives by/);
  await page.getByRole('button', { name: 'Correct Lata Rao' }).click();
  await expect(page.getByLabel('Pincode')).toBeFocused();
  await page.getByLabel('Pincode').fill('400003');
  await page.getByRole('button', { name: 'Save recipient' }).click();
  await check(page).click();
  const payAll = page.getByRole('button', { name: /^Pay ₹/ });
  await expect(payAll).toBeVisible();
  await payAll.click();
  await expect(payment(page)).toBeVisible();
  await pay(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Order placed' })).toBeVisible();
  await expect(page.getByText(/^Thank you! 3 recipients.*We’ve emailed the details to/)).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Besan Laddu' })).toContainText('500 g · Quantity 3');
  await expect(page.getByText(/^Arrives/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'What happens next' })).toBeVisible();
  await expectAccessible(page);
  const orders = await sql`
    select o.delivery_name, g.note from public.orders o join private.order_gifts g on g.order_id = o.id
    where o.user_id = ${userId} order by o.group_place`;
  expect(orders).toEqual([
    { delivery_name: 'Kamala Devi', note: 'शुभ दीपावली, नानी! 🪔' },
    { delivery_name: 'Ram Kumar', note: 'Happy Diwali from all of us' },
    { delivery_name: 'Lata Rao', note: 'Happy Diwali from all of us' },
  ]);

  await page.getByRole('link', { name: 'See all recipients' }).click();
  await expect(page.getByRole('tab', { name: 'Order History (1)' })).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page);
  await expect(rowOf(page, 'Kamala Devi')).toContainText('1 × Besan Laddu, 500 g');
  await expect(rowOf(page, 'Kamala Devi')).toContainText('शुभ दीपावली, नानी! 🪔');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download receipt for Kamala Devi' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^receipt-.*\.pdf$/i);
  await page.getByRole('button', { name: 'Correct address of Ram Kumar' }).click();
  await page.getByRole('textbox', { name: 'Street' }).fill('Link Road');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('The address of Ram Kumar is corrected.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel the order for Lata Rao' }).click();
  await page.getByRole('button', { name: 'Yes, cancel order' }).click();
  await expect(rowOf(page, 'Lata Rao')).toContainText('canceled');
  await expect(rowOf(page, 'Lata Rao')).toContainText(/refund(ed| on its way)/);
  await expect(rowOf(page, 'Kamala Devi')).toContainText('Pending');
  await expect(page.getByText('2 pending · 1 cancelled')).toBeVisible();

  // The list has served.
  await page.goto('/gifts/group');
  await expect(page.getByLabel('Add to box A')).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
});

test('files that are no list say why, and nothing is lost', async ({ page, customer: _ }) => {
  await page.goto('/gifts/group');
  await page.getByRole('button', { name: 'Type one in' }).click();
  await page.getByLabel('Name').fill('Kamala Devi');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(1);
  const upload = (name: string, buffer: Buffer) =>
    page.getByLabel('Upload a sheet').setInputFiles({ name, mimeType: 'text/csv', buffer });
  const alert = page.getByRole('alert');
  const line = 'Sita,9876543210,4,MG Road,Mumbai,Maharashtra,400001\n';
  const csv = 'Name,Phone,Building,Street,City,State,Pincode\n';

  await upload('large.csv', Buffer.alloc(20 * 1024 * 1024, 'x'));
  await expect(alert).toContainText('large.csv: This file is 20 MB.');
  await upload('many.csv', Buffer.from(csv + 'a,b\n'.repeat(100_000)));
  await expect(alert).toContainText('1,00,000 recipients');
  await upload('book.xlsx', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
  await expect(alert).toContainText('This is a workbook.');
  await expect(rows(page)).toHaveCount(1);

  await upload('unicode.txt', Buffer.from(`\uFEFF${csv}${line}`, 'utf16le'));
  await expect(page.getByText('1 recipient added.')).toBeVisible();
  await upload('old.csv', Buffer.from(`${csv}${line.replace('Sita', 'José')}`, 'latin1'));
  await expect(page.getByText(/Windows-1252/)).toBeVisible();
  await expect(rowOf(page, 'José')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await page.reload();
  await expect(rows(page)).toHaveCount(3);
});

test('five hundred recipients are listed and searched through without a stutter', async ({ page, customer: _ }) => {
  await page.goto('/gifts/group');
  await chooseBox(page);
  const many = Array.from(
    { length: 500 },
    (_one, place) => `Person ${place + 1}\t98765${String(10_000 + place)}\t4\tMG Road\tMumbai\tMaharashtra\t400001`,
  );
  await paste(page, [headings, ...many].join('\n'));
  await expect(page.getByRole('status').filter({ hasText: /^500 recipients$/ })).toBeVisible();
  const longest = await page.evaluate(async () => {
    const field = document.querySelector<HTMLTextAreaElement>('textarea[dir="auto"]');
    const began = performance.now();
    field?.focus();
    document.execCommand('insertText', false, 'Happy Diwali');
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - began;
  });
  expect(longest).toBeLessThan(500);

  // More than a first order may hold: said by the check, long before anyone pays.
  await page.getByRole('textbox', { name: 'From' }).fill('Acme Traders');
  await check(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'A first order can hold at most 50 kg.' })).toBeVisible();
  await expect(check(page)).toBeVisible();
});
