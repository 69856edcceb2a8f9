import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { financialYearName, financialYearOf, monthName, monthsUpTo } from '../../domain/expenses/months.ts';
import { calendarDay } from '../../domain/time.ts';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { columnOf, readPdf } from '../support/read-pdf.ts';
import { newCustomer } from '../support/visitor.ts';
import { entryOf, expect, hamper, laddu, moveAlong, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import { chooseAll, type Page, signIn } from './shop-page.ts';

async function downloaded(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Uint8Array }> {
  const download = page.waitForEvent('download');
  await press();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: new Uint8Array(await readFile(await file.path())) };
}

test('a customer downloads the receipt, and the invoice once the sweets are packed', async ({
  page,
  shopUrl,
  customer,
  owner,
  sql,
}) => {
  const id = await buyOverHttp(shopUrl, customer, [laddu, hamper]);
  await page.goto(`/profile?tab=orders&order=${id}`);
  const entry = entryOf(page, id);
  const receipt = await downloaded(page, () => entry.getByRole('button', { name: 'Download receipt' }).click());
  expect(receipt.name).toMatch(/^receipt-\d+\.pdf$/);
  expect((await readPdf(receipt.bytes)).text).toContain('This is not a tax invoice.');

  await moveAlong(owner, id, 'Confirmed', 'Preparing', 'Packed');
  const button = entry.getByRole('button', { name: 'Download invoice' });
  await expect(button).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Download receipt' })).toHaveCount(0);
  const invoice = await downloaded(page, () => button.click());
  expect(invoice.name).toMatch(/^invoice-MTH-\d\d-\d\d-\d{5}\.pdf$/);
  const pdf = await readPdf(invoice.bytes);
  const [order] = await sql`select (total_amount * 100)::int as total from public.orders where id = ${id}`;
  expect(columnOf(pdf, 'Amount')).toMatchObject({ foot: order?.total });
  expect(pdf.text).toContain('Besan Laddu, 2 × 500 g');
  expect(pdf.text).toContain('Meera Joshi');
  await expectAccessible(page);
});

test('the owner prints and downloads an invoice, downloads several together, and reads the GST of the year', async ({
  page,
  shopUrl,
  owner,
  sql,
}) => {
  const customer = await newCustomer(shopUrl, 'Kavita Rane');
  await setAddress(customer);
  const id = await buyOverHttp(shopUrl, customer, [laddu]);
  await moveAlong(owner, id, 'Confirmed', 'Preparing', 'Packed');
  const [invoice] = await sql`select i.number, o.number as order_number, i.total_paise::int as total
    from private.invoices i join public.orders o on o.id = i.order_id where o.id = ${id}`;
  const fileName = `invoice-${invoice?.number.replaceAll('/', '-')}.pdf`;
  await signIn(page, 'Asha Rao');

  await page.goto(`/admin/orders/${id}`);
  const documents = page.getByRole('region', { name: 'Documents' });
  await expect(documents).toContainText(`Invoice ${invoice?.number}`);
  const single = await downloaded(page, () => documents.getByRole('button', { name: 'Download' }).click());
  expect(single.name).toBe(fileName);
  expect(columnOf(await readPdf(single.bytes), 'Amount').foot).toBe(invoice?.total);

  await page.goto(`/admin/orders?q=${invoice?.order_number}`);
  await chooseAll(page, 1);
  const bar = page.getByRole('region', { name: 'Selected orders' });
  const zip = await downloaded(page, () => bar.getByRole('button', { name: 'Invoices' }).click());
  expect(Object.keys(unzipSync(zip.bytes))).toEqual([fileName]);

  const today = calendarDay(new Date());
  const year = financialYearOf(today);
  await page.goto('/admin/expenses');
  await page.getByRole('link', { name: 'GST' }).click();
  const month = monthName(monthsUpTo(today, 1)[0] ?? '');
  const table = page.getByRole('table', { name: `GST of ${month}` });
  const sweets = table.getByRole('row').filter({ hasText: 'Invoices2106' }).first();
  const total = table.getByRole('row').filter({ hasText: 'Total' });
  const right = page.viewportSize()?.width ?? 0;
  for (const row of [sweets, total])
    for (const amount of ['Taxable value', 'CGST', 'SGST', 'IGST']) {
      const cell = row.locator(`[data-label="${amount}"]`);
      await expect(cell).toContainText('₹');
      const { x, width } = (await cell.boundingBox()) ?? { x: 0, width: Infinity };
      expect(x + width, `${amount} needs no scrolling`).toBeLessThanOrEqual(right);
    }
  // In any number of parts: other tests pack orders at the same time.
  const panel = page.getByRole('region', { name: month });
  const [, invoices, notes] = /([\d,]+) invoices?, ([\d,]+) credit notes?/.exec(await panel.innerText()) ?? [];
  const all = await downloaded(page, () => panel.getByRole('button', { name: 'Invoices ZIP' }).click());
  expect(all.name).toBe(`invoices-${today.slice(0, 7)}.zip`);
  const names = Object.keys(unzipSync(all.bytes));
  expect(names).toContain(fileName);
  expect(names.length).toBeGreaterThanOrEqual(Number(invoices?.replace(',', '')) + Number(notes?.replace(',', '')));

  const csv = await downloaded(page, () => page.getByRole('button', { name: 'Summary CSV' }).click());
  expect(csv.name).toBe(`gst-${financialYearName(year).replace('–', '-')}.csv`);
  const lines = new TextDecoder().decode(csv.bytes).trim().split('\r\n');
  expect(lines[0]).toContain('Month,Documents,HSN');
  expect(lines.some((line) => line.startsWith(`${today.slice(0, 7)},Invoices,2106,5.00`))).toBe(true);
  await expectAccessible(page);
});
