import { signInAs } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, haveSession, signIn, test } from './shop-page.ts';

// Who is too late is refused.
test.use({ expectedErrors: /status of (409|422)/ });

test('the owner changes the shop’s details, and every page shows them immediately', async ({ page, shopUrl }) => {
  const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  await haveSession(page, asha);
  await page.goto('/admin/settings');
  const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
  const licence = field('FSSAI licence');
  const before = await licence.inputValue();
  const preview = page.getByRole('region', { name: 'Footer preview' });
  await expect(preview).toContainText(`FSSAI licence ${before}`);

  await licence.fill('123');
  await field('GSTIN').fill('27AAAAA0000A1Z5');
  await field('Phone and WhatsApp').fill('+44 7700 900000');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter the 14-digit FSSAI licence number.')).toBeVisible();
  await expect(page.getByText('This GSTIN is not valid. Check each character.')).toBeVisible();
  await expect(page.getByText('Enter a mobile number, such as +91 98765 43210.')).toBeVisible();
  await field('GSTIN').fill('27AAAAA0000A1Z2');
  await page.getByRole('combobox', { name: 'State' }).selectOption('Karnataka');
  await field('Phone and WhatsApp').fill('90000 00000');
  const number = `1151${String(Date.now()).slice(-10)}`;
  await licence.fill(number.replace(/(.{4})/g, '$1 '));
  await expect(preview).not.toContainText(before);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A GSTIN of Karnataka starts with 29.')).toBeVisible();
  await page.getByRole('combobox', { name: 'State' }).selectOption('Maharashtra');
  await expect(preview).toContainText(number);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. The shop shows it from now on.')).toBeVisible();
  await expect(licence).toHaveValue(number);

  try {
    for (const path of ['/', '/product/10', '/terms?policy=sale'])
      expect(await (await fetch(shopUrl + path)).text(), path).toContain(number);
    await page.goto('/admin/log');
    await expect(page.getByText(`FSSAI number of the shop: ${before} → ${number}`)).toBeVisible();
  } finally {
    const { data } = await asha.rpc('admin_read_shop');
    const { updated_at } = data as { updated_at: string };
    await asha.rpc('admin_save_shop', { changes: { fssai_number: before }, seen: updated_at }).throwOnError();
  }
});

test('the owner reads what is missing, and the second of two owners gets a conflict', async ({ page, shopUrl }) => {
  const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  await haveSession(page, asha);
  // The other owner's change is simulated here: the shop itself stays complete for other tests.
  await page.route('**/rpc/admin_read_shop', async (route) => {
    const response = await route.fetch();
    const shop = await response.json();
    const facts = { ...shop.facts, fssai_number: '', grievance_officer: '' };
    await route.fulfill({
      response,
      json: { ...shop, facts, updated_at: '2026-01-01T00:00:00Z', incomplete_products: 3 },
    });
  });
  await page.goto('/admin/dashboard');
  const todo = page.getByText('Required before you can sell:').locator('xpath=ancestor::p');
  await expect(todo).toContainText('FSSAI licence, Grievance officer, details of 3 products.');
  await todo.getByRole('link', { name: 'Complete now' }).click();
  const missing = page.getByRole('region', { name: 'Required before you can sell' });
  await expect(missing.getByRole('listitem')).toHaveText([
    /^FSSAI licence Food can’t be sold without it/,
    /^Grievance officer .* within 48 hours/,
    /^Details missing for 3 products/,
  ]);
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'FSSAI licence' }).fill('10000000000001');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toContainText('Changed by someone else.');
  await expect(page.getByRole('textbox', { name: 'FSSAI licence' })).toHaveValue('10000000000001');
  await page.unroute('**/rpc/admin_read_shop');
  await page.getByRole('button', { name: 'Load the latest version' }).click();
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Nandini Kamat');
});

test('the owner sets what carts pay for shipping, by example @soak', async ({ page, shopUrl }) => {
  const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  await haveSession(page, asha);
  await page.goto('/admin/settings?tab=delivery');
  const example = page.getByRole('status', { name: 'Example' });
  await expect(example).toHaveText(/^A 2 kg cart to \d{6} \(.+\) is charged ₹40\.$/);
  await page.getByLabel('Carts are charged').selectOption('Zone rate, by weight');
  await expect(example).not.toContainText('₹40.');
  await page.getByLabel('Carts are charged').selectOption('A flat amount');
  // So heavy that no other test's cart is affected.
  await page.getByLabel('By zone from').fill('30');
  await expect(example.getByText(/^A 15 kg cart to .* is charged ₹40\.$/)).toBeVisible();
  await expect(example.getByText(/^A 30 kg cart to /)).toBeVisible();
  await expectAccessible(page);
  try {
    // Other tests save other settings of the same row: then the owner is asked to look again.
    await expect(async () => {
      await page.reload();
      await page.getByLabel('By zone from').fill('30');
      await page.getByRole('button', { name: 'Save delivery charge' }).click();
      await expect(page.getByText('Saved. Applies to new carts from now on.')).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await page.getByLabel('Pincode', { exact: true }).fill('110001');
    await expect(page.getByText('₹100 with Buy now, ₹40 in a cart under 30 kg')).toBeVisible();
  } finally {
    const { data } = await asha.rpc('admin_read_delivery');
    const { updated_at: seen } = data as { updated_at: string };
    const standard = { kind: 'flat', flat_paise: 4000, zone_from_grams: null as never, seen };
    await asha.rpc('admin_save_cart_shipping', standard).throwOnError();
  }
});

test('the owner adds a category with a colour, and the shop has it', async ({ page, shopUrl }) => {
  const asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  await haveSession(page, asha);
  const name = `Barfi ${Date.now().toString(36)}`;
  await page.goto('/admin/settings?tab=categories');
  await page.getByRole('button', { name: 'Add a category' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Laddu');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('There is a category called Laddu already.')).toBeVisible();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Colour').fill('#102a6b');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();

  // No product is listed in it: the sections that other tests see stay as they are.
  await page.goto('/admin/products/new');
  await page.getByRole('combobox', { name: 'Category' }).selectOption(name);
  await page.goto('/shop');
  const colour = () =>
    page.evaluate((category) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.dataset.category = category;
      const found = getComputedStyle(probe).getPropertyValue('--category');
      probe.remove();
      return found;
    }, name);
  expect(await colour()).toBe('#102a6b');
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  await expect(filters).toHaveAttribute('aria-expanded', 'false');
  await filters.click();
  await page.getByRole('region', { name: 'Filters' }).getByRole('link', { name, exact: true }).click();
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible();
  expect(await colour()).toBe('#102a6b');

  await page.goto('/admin/settings?tab=categories');
  await page.getByRole('button', { name, exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alertdialog', { name: `Delete ${name}?` })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText(`Deleted: ${name}`)).toBeVisible();
});

test('a zone, a closure and a festival cut-off are added and deleted, and a blank weight is saved', async ({
  page,
}) => {
  const name = `Utsav ${String(Date.now()).slice(-6)}`;
  const dialog = page.getByRole('dialog');
  const panel = (title: string) => page.getByRole('region', { name: title });
  const add = async (what: string, fields: Record<string, string>) => {
    await page.getByRole('link', { name: `Add ${what}` }).click();
    for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
    if (what === 'zone') await dialog.getByLabel('Published').uncheck();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog).toHaveCount(0);
  };
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/settings?tab=delivery');
  // So far ahead that no other test's promise reaches it.
  await add('closure', { Reason: name, 'First day': '2055-11-01', 'Last day': '2055-11-02' });
  await add('cut-off', {
    Festival: name,
    'Order by': '2055-10-20',
    'First delivery day': '2055-10-25',
    'Last delivery day': '2055-10-26',
  });
  await add('zone', {
    Name: name,
    'Pincode prefixes': `9${String(Date.now()).slice(-5)}`,
    'First kg': '250',
    'Each additional kg': '90',
  });
  await expect(panel('Zones').getByRole('row').filter({ hasText: name })).toContainText('Not published');
  await expect(panel('Festival cut-offs').getByRole('row').filter({ hasText: name })).toContainText('20 Oct 2055');

  await expect(page.getByLabel('By zone from')).toHaveValue('');
  const flat = page.getByLabel('Flat amount');
  await flat.fill('41');
  await flat.fill('40');
  await page.getByRole('button', { name: 'Save delivery charge' }).click();
  await expect(page.getByText('Saved. Applies to new carts from now on.')).toBeVisible();

  for (const title of ['Closures', 'Festival cut-offs', 'Zones']) {
    await panel(title).getByRole('link', { name }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(panel(title).getByRole('link', { name })).toHaveCount(0);
  }
});

test('sizes of boxes and the sweets for them are added, changed and taken away @wide', async ({ page }) => {
  const name = `Utsav ${String(Date.now()).slice(-6)}`;
  const dialog = page.getByRole('dialog');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const remove = async () => {
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(dialog).toHaveCount(0);
  };
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/settings?tab=boxes');
  await expect(page.getByRole('region', { name: 'Preview' }).getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add a size' }).click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Places').fill('1');
  await dialog.getByLabel('Price of the empty box').fill('45.50');
  await dialog.getByLabel('Weight of the empty box (g)').fill('120');
  // Tried out: no customer sees it.
  await dialog.getByRole('checkbox', { name: 'Listed' }).uncheck();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByText('Between 2 and 48')).toBeVisible();
  await dialog.getByLabel('Places').fill('9');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(`${name} is saved.`)).toBeVisible();
  await expect(row(name)).toContainText('₹45.50');
  await expect(row(name)).toContainText('Not listed');
  await page.getByRole('button', { name }).click();
  await dialog.getByLabel('Price of the empty box').fill('50');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(row(name)).toContainText('₹50');
  await page.getByRole('button', { name }).click();
  await remove();
  await expect(row(name)).toHaveCount(0);

  await page.getByRole('button', { name: 'Add a sweet' }).click();
  const choice = dialog.getByRole('combobox', { name: 'Sweet' });
  const sweet = (await choice.getByRole('option').nth(1).textContent()) ?? '';
  await choice.selectOption(sweet);
  await dialog.getByLabel('Weight of one piece (g)').fill('40');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row(sweet)).toContainText('40 g');
  await page.getByRole('button', { name: sweet }).click();
  await remove();
  await expect(row(sweet)).toHaveCount(0);
});
