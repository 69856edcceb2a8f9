import { buyOverHttp } from '../support/buying.ts';
import { entryOf, expect, hamper, laddu, moveAlong, openHistory, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import { haveSession } from './shop-page.ts';

const arrive = ['Confirmed', 'Preparing', 'Packed', 'Shipped', 'Delivered'];
const photo = 'public/images/story-960.webp';

test('@wide a problem is reported with a photo, decided in the console, and the customer sees it', async ({
  page,
  browser,
  shopUrl,
  customer,
  owner,
}) => {
  test.slow(); // two people and the whole life of an order
  const id = await buyOverHttp(shopUrl, customer, [laddu, hamper]);
  await moveAlong(owner, id, ...arrive);
  await openHistory(page, `&order=${id}`);
  const entry = entryOf(page, id);
  await expect(entry.getByText(/^Something damaged, missing or not fresh\? Tell us until .+ IST\.$/)).toBeVisible();
  await entry.getByRole('button', { name: 'Report a problem' }).click();

  const dialog = page.getByRole('dialog', { name: 'Report a problem' });
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Choose at least one item.');
  await dialog.getByRole('checkbox', { name: /Besan Laddu/ }).check();
  await dialog.getByRole('button', { name: 'Decrease quantity' }).click();
  await dialog.getByLabel('What is wrong?').selectOption('Damaged');
  await dialog.getByLabel('What happened?').fill('The lid was open.');
  await dialog.getByLabel('Add photos').setInputFiles(photo);
  await expect(dialog.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await expectAccessible(page, 'dialog[open]');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('heading', { name: /^Your ticket: C-\d+$/ })).toBeFocused();
  await page.getByRole('button', { name: 'Close' }).click();

  const ticket = entry.getByRole('article', { name: /^Ticket C-\d+$/ });
  await expect(ticket.getByText('Received')).toBeVisible();
  await expect(ticket.getByRole('button', { name: 'Photo 1' }).getByRole('img')).toBeVisible();
  await expectAccessible(page);
  const number = (await ticket.getByRole('heading').innerText()).replace('Ticket ', '');

  const desk = await (await browser.newContext({ baseURL: shopUrl, viewport: page.viewportSize() })).newPage();
  await haveSession(desk, owner);
  await desk.goto('/admin/dashboard');
  await desk
    .getByRole('list', { name: 'To do' })
    .getByRole('link', { name: /Claims/ })
    .click();
  const row = desk.locator('tr').filter({ has: desk.getByRole('link', { name: number, exact: true }) });
  await expect(row.getByText(/^by /)).toBeVisible();
  await expectAccessible(desk);
  await row.getByRole('link', { name: number, exact: true }).click();
  await expect(desk.getByRole('heading', { level: 1, name: `Claim ${number}` })).toBeVisible();
  await desk.getByRole('button', { name: 'Photo 1' }).click();
  await expect(desk.getByRole('dialog', { name: 'Photo 1 of 1' }).locator('img')).toBeVisible();
  await desk.getByRole('button', { name: 'Close' }).click();

  await desk.getByRole('button', { name: 'Ask for photos' }).click();
  await expect(desk.getByLabel('Answer to the customer')).toHaveValue(/Could you add a photo of Besan Laddu/);
  await desk.getByLabel('Answer to the customer').fill('We are looking into it.');
  await desk.getByRole('button', { name: 'Send answer' }).click();
  await expect(desk.getByText('We are looking into it.', { exact: true })).toBeVisible();
  await expectAccessible(desk);

  await desk.getByRole('button', { name: 'Refund', exact: true }).click();
  const decision = desk.getByRole('dialog', { name: `Refund claim ${number}` });
  await decision.getByLabel('Shipping').fill('10');
  await expectAccessible(desk, 'dialog[open]');
  await decision.getByLabel('Message to the customer').fill('We are sorry. Here is your money for it.');
  await decision.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(desk.getByRole('heading', { name: 'Refund', exact: true })).toBeVisible();
  await expect(desk.getByText(/^1 × Besan Laddu/)).toBeVisible();
  await desk.getByRole('link', { name: 'Open order' }).click();
  await expect(desk.getByText(new RegExp(`^Claim ${number}: refund of ₹.+ decided$`))).toBeVisible();
  await desk.close();

  await page.reload();
  await expect(ticket.getByText('We are sorry. Here is your money for it.')).toBeVisible();
  await expect(ticket.getByText(/^We(’re refunding|’ve refunded) ₹/)).toBeVisible();
  await ticket.getByLabel('Write to us').fill('Thank you!');
  await ticket.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(ticket.getByRole('list', { name: 'Messages' }).getByText('Thank you!')).toBeVisible();
  // What was not claimed yet still can be.
  await expect(entry.getByRole('button', { name: 'Report a problem' })).toBeVisible();
});

test('a replacement is decided and sent, and a late report is refused with whom to write to', async ({
  page,
  shopUrl,
  customer,
  owner,
  sql,
}) => {
  const id = await buyOverHttp(shopUrl, customer, [hamper]);
  await moveAlong(owner, id, ...arrive);
  await openHistory(page, `&order=${id}`);
  const entry = entryOf(page, id);
  await entry.getByRole('button', { name: 'Report a problem' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report a problem' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByLabel('What is wrong?').selectOption('Not delivered');
  await dialog.getByLabel('What happened?').fill('It never came.');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(entry.getByRole('article')).toBeVisible();

  const { rows } = (await owner.rpc('admin_list_claims', {})).data as unknown as {
    rows: { id: string; order_id: string }[];
  };
  const claim_id = rows.find(({ order_id }) => order_id === id)?.id ?? '';
  const seen = async () =>
    ((await owner.rpc('admin_read_claim', { claim_id })).data as unknown as { updated_at: string }).updated_at;
  const [item] = await sql`select id::int as id from public.order_items where order_id = ${id}`;
  const replaced = await owner.rpc('admin_replace_claim', {
    claim_id,
    items: [{ order_item_id: item?.id, quantity: 1 }],
    words: 'A new one is coming.',
    seen: await seen(),
  });
  expect(replaced.error).toBeNull();
  await page.reload();
  await expect(entry.getByText(/^We’ll send it again by .+, at no charge\.$/)).toBeVisible();
  // Nothing is left to report, and the button says so by being gone.
  await expect(entry.getByRole('button', { name: 'Report a problem' })).toBeHidden();
  const sent = await owner.rpc('admin_send_replacement', {
    claim_id,
    courier: 'Blue Dart',
    tracking_number: 'BD-9',
    tracking_url: 'https://track.example/BD-9',
    seen: await seen(),
  });
  expect(sent.error).toBeNull();
  await page.reload();
  await expect(entry.getByRole('link', { name: 'Track it: Blue Dart, BD-9' })).toBeVisible();

  const old = await buyOverHttp(shopUrl, customer, [hamper]);
  await moveAlong(owner, old, ...arrive.slice(0, -1));
  await sql.begin(async (tx) => {
    await tx`select set_config('shop.event_at', (now() - interval '25 hours')::text, true)`;
    await tx`update public.orders set status = 'Delivered' where id = ${old}`;
  });
  await openHistory(page, `&order=${old}`);
  await expect(
    entryOf(page, old).getByText(
      /^Problems can be reported until 24 hours after delivery\. .+ ended on .+ IST\. You can still complain to our grievance officer/,
    ),
  ).toBeVisible();
});

test('the order’s link is enough to report a problem', async ({ browser, page, shopUrl, customer, owner, sql }) => {
  const id = await buyOverHttp(shopUrl, customer, [hamper]);
  await moveAlong(owner, id, ...arrive);
  const [row] = await sql`select private.order_link(${id}, now()) as token`;
  const visitor = await (await browser.newContext({ baseURL: shopUrl, viewport: page.viewportSize() })).newPage();
  await visitor.goto(`/order/${row?.token}`);
  await visitor.getByRole('button', { name: 'Report a problem' }).click();
  const dialog = visitor.getByRole('dialog', { name: 'Report a problem' });
  await dialog.getByRole('checkbox', { name: /Diwali Lamp Hamper/ }).check();
  await dialog.getByLabel('What is wrong?').selectOption('Wrong item');
  await dialog.getByLabel('What happened?').fill('It is another hamper.');
  await dialog.getByLabel('Add photos').setInputFiles(photo);
  await expect(dialog.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await visitor.getByRole('button', { name: 'Close' }).click();
  const ticket = visitor.getByRole('article', { name: /^Ticket C-\d+$/ });
  await expect(ticket.getByText('because a link can be forwarded')).toBeVisible();
  await expect(ticket.getByText('It is another hamper.')).toHaveCount(0);
  await expect(ticket.getByRole('button', { name: 'Photo 1' })).toHaveCount(0);
  await ticket.getByLabel('Write to us').fill('The box says Holi.');
  await ticket.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(ticket.getByText('Sent. We’ll answer by email.')).toBeVisible();
  await expectAccessible(visitor);
  await visitor.close();
});
