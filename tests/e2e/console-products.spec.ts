import sharp from 'sharp';
import { foodFacts } from '../support/rows.ts';
import { type ShopClient, signInAs } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, haveSession, type Page, test } from './shop-page.ts';

// Who is too late is refused.
test.use({ expectedErrors: /status of 409/ });

let asha: ShopClient;
test.beforeEach(async ({ page, shopUrl }) => {
  asha = await signInAs(shopUrl, { account: 'Asha Rao' });
  await haveSession(page, asha);
});

const newName = (what: string) => `${what} ${Date.now().toString(36)}${Math.floor(Math.random() * 1e4)}`;

const picture = (color: string, size = 600) =>
  sharp({ create: { width: size + 300, height: size, channels: 3, background: color } })
    .png()
    .toBuffer();

const pictureInput = (page: Page) => page.getByLabel('Picture file');

async function cutPicture(page: Page, color: string) {
  await pictureInput(page).setInputFiles({ name: 'p.png', mimeType: 'image/png', buffer: await picture(color) });
  const dialog = page.getByRole('dialog', { name: 'Crop photo' });
  const frame = dialog.getByRole('img');
  const look = () => frame.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  await frame.focus();
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  expect((await look()).length).toBeGreaterThan(100);
  await dialog.getByRole('button', { name: 'Use picture' }).click();
  await expect(dialog).toBeHidden();
}

async function makeProducts(names: string[], changes: Record<string, unknown> = {}) {
  for (const name of names) {
    const values = { name, category: 'Gift', price_paise: 33300, has_size: false, weight_grams: 250, ...changes };
    const { error } = await asha.rpc('admin_save_product', { changes: values as never });
    expect(error).toBeNull();
  }
}

test('a product is made with a picture, listed once its facts are there, and customers see it', async ({
  page,
  shopUrl,
}) => {
  const name = newName('Kesar Peda');
  await page.goto('/admin/products/new');
  const field = (label: string) => page.getByRole('textbox', { name: label });
  await field('Name').fill(name);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('Enter a price to see it here.')).toBeVisible();
  await expect(preview.getByText('₹0')).toBeHidden();
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Gift');
  await page.getByRole('combobox', { name: 'Sold by' }).selectOption('piece');
  await field('Net weight of a piece or pack').fill('400');
  await field('Price per piece').fill('272');
  await expect(preview.getByText('₹272', { exact: true })).toBeVisible();
  await field('Regular price').fill('320');
  await expect(page.getByText('The tag “15% off” and ₹320 struck through beside the price.')).toBeVisible();
  await expect(preview.getByText('15% off')).toBeVisible();
  await field('Unit cost').fill('130');
  await expect(page.getByText('₹142 per piece, 52% of price')).toBeVisible();

  await pictureInput(page).setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('We can’t open this file.')).toBeVisible();
  const small = await picture('red', 300);
  await pictureInput(page).setInputFiles({ name: 's.png', mimeType: 'image/png', buffer: small });
  await expect(page.getByText('This picture is too small (600 × 300 pixels).')).toBeVisible();
  await cutPicture(page, '#f4a300');

  const foodMark = page.getByRole('combobox', { name: 'Veg or non-veg' });
  await expect(page.getByText('To list it, fill in: veg or non-veg, ingredients, allergens,')).toBeVisible();
  await page.getByRole('checkbox', { name: /Listed/ }).check();
  await page.getByRole('button', { name: 'Add product' }).click();
  await expect(page.getByText('To list it, enter the ingredients.')).toBeVisible();
  await expect(page.getByText('To list it, choose veg or non-veg.')).toBeVisible();
  await expect(foodMark).toBeFocused();
  await foodMark.selectOption('non-veg');
  await field('Ingredients').fill('Khoya, sugar, saffron, egg');
  await field('Allergens').fill('Milk, egg');
  await field('Shelf life').fill('10');
  await field('Storage').fill('Refrigerate');
  await expect(preview).toContainText('Non-vegetarian');
  await page.getByRole('button', { name: 'Add product' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expectAccessible(page);

  const stored = async () => {
    const { data } = await asha.from('Products').select('Id, Image').eq('Name', name).single();
    return data as { Id: number; Image: string };
  };
  const first = await stored();
  const id = first.Id;
  for (const width of [240, 480, 960]) {
    const file = await fetch(shopUrl + first.Image.replace('-960.', `-${width}.`));
    const { format, width: wide, height } = await sharp(await file.arrayBuffer()).metadata();
    expect({ format, wide, height }).toEqual({ format: 'webp', wide: width, height: width });
  }

  // A second picture says what it shows; moved up it is the main one. The files of the first go when that is saved.
  await page.reload();
  await cutPicture(page, '#93c572');
  await page.getByLabel('What does picture 2 show?').fill('Peda broken open');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const further = async () =>
    (await asha.from('product_pictures').select('position, image, alt').eq('product_id', id)).data ?? [];
  await expect.poll(further).toEqual([{ position: 2, image: expect.any(String), alt: 'Peda broken open' }]);
  const [added] = await further();
  await page.goto(`/product/${id}`);
  await expect(page.getByRole('img', { name: 'Peda broken open' })).toBeAttached();
  await page.goto(`/admin/products/${id}`);
  await page.getByRole('button', { name: 'Move up: Picture 2' }).click();
  await page.getByRole('button', { name: 'Delete: Picture 2' }).click();
  expect((await fetch(shopUrl + first.Image)).status).toBe(200);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(async () => (await stored()).Image).toBe(added?.image);
  expect(await further()).toEqual([]);
  await expect.poll(async () => (await fetch(shopUrl + first.Image)).ok).toBe(false);

  await page.goto(`/product/${id}`);
  await page.getByText('Ingredients, storage and seller details').click();
  await expect(page.getByRole('row', { name: 'Allergens' }).locator('strong')).toHaveText('Milk, egg');
  await expect(page.getByRole('row', { name: 'Veg or non-veg' }).getByRole('img', { name: 'Non-veg' })).toBeVisible();
  const shown = page.getByRole('img', { name, exact: true });
  await expect(shown).toBeVisible();
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test('prices and listing change in the list, one or many, and can be undone; a late change gets a conflict', async ({
  page,
}) => {
  const mark = newName('Bulk');
  const names = [`${mark} One`, `${mark} Two`, `${mark} Three`];
  await makeProducts(names, { ...foodFacts });
  const price = (n: number) => page.getByRole('button', { name: new RegExp(`Edit price of ${names[n]}`) });
  await page.goto('/admin/products');
  await page.getByRole('searchbox', { name: 'Search products' }).fill(mark);
  await expect(page).toHaveURL(new RegExp(`q=${mark.replace(' ', '\\+')}`));
  await expect(price(2)).toBeVisible();
  await expect(page.getByText('3 of 3')).toBeVisible();

  await price(0).click();
  await page.keyboard.type('0.5');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'At least ₹1.' })).toBeVisible();
  await page.getByRole('textbox', { name: `Price of ${names[0]}` }).fill('350');
  await page.keyboard.press('Enter');
  await expect(price(0)).toContainText('₹350');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(price(0)).toContainText('₹333');

  const listed = page.getByRole('checkbox', { name: `${names[1]} is listed` });
  await listed.click();
  await expect(page.getByText(`${names[1]} listed.`)).toBeVisible();
  await expect(listed).toBeChecked();

  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const bar = page.getByRole('region', { name: 'Selected products' });
  await bar.getByRole('button', { name: 'Price…' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('row', { name: names[0] })).toContainText('₹350'); // 349.65
  await expect(dialog.getByText('rounded to the nearest whole rupee, halves up')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change 3 products' }).click();
  await expect(price(2)).toContainText('₹350');
  await expectAccessible(page);

  // Another administrator is faster.
  const { data } = await asha
    .from('Products')
    .select('Id, updated_at')
    .eq('Name', names[2] as string)
    .single();
  const other = { product_id: data?.Id, seen: data?.updated_at, changes: { allergens: 'Milk' } };
  expect((await asha.rpc('admin_save_product', other as never)).error).toBeNull();
  await bar.getByRole('button', { name: 'Unlist' }).click(); // only the second one is listed, and unchanged
  await expect(listed).not.toBeChecked();
  await bar.getByRole('button', { name: 'List', exact: true }).click();
  await expect(bar.getByRole('alert')).toContainText(`${names[2]} was changed by someone else`);
  await expect(listed).not.toBeChecked();
  // The list has been read again.
  await expect(async () => {
    await bar.getByRole('button', { name: 'List', exact: true }).click();
    await expect(listed).toBeChecked({ timeout: 1000 });
  }).toPass();
});

test('an offer reduces the regular price and updates the tag; ending it restores the price', async ({ page }) => {
  const mark = newName('Offer');
  const names = [`${mark} One`, `${mark} Two`];
  await makeProducts(names);
  const price = (n: number) => page.getByRole('button', { name: new RegExp(`Edit price of ${names[n]}`) });
  await page.goto(`/admin/products?q=${encodeURIComponent(mark)}`);
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  const bar = page.getByRole('region', { name: 'Selected products' });
  const dialog = page.getByRole('alertdialog');
  await bar.getByRole('button', { name: 'Offer…' }).click();
  await dialog.getByLabel('Offer (%)').fill('20');
  await expect(dialog).toContainText('Each price becomes 20% below its regular price.');
  await expect(dialog.getByRole('row', { name: names[0] })).toContainText('₹26620% off'); // of ₹333, in whole rupees
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Start offer' }).click();
  await expect(page.getByText('2 products now 20% off.')).toBeVisible();
  await expect(price(1)).toContainText('₹266');
  const tags = async () =>
    (await asha.from('Products').select('offer_percent, regular_price').like('Name', `${mark}%`)).data?.map(
      ({ offer_percent, regular_price }) => [offer_percent, regular_price && Number(regular_price)],
    );
  expect(await tags()).toEqual(names.map(() => [20, 333]));

  // Not past the regular price: the offer would be none.
  await bar.getByRole('button', { name: 'Price…' }).click();
  await dialog.getByLabel('By').fill('90');
  const tooHigh = 'Not below its regular price of ₹333. End the offer first.';
  await expect(dialog.getByRole('row', { name: names[0] })).toContainText(tooHigh);
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await price(0).click();
  await page.getByRole('textbox', { name: `Price of ${names[0]}` }).fill('333');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText(tooHigh);

  // Another price, another tag.
  await page.getByRole('textbox', { name: `Price of ${names[0]}` }).fill('300');
  await page.keyboard.press('Enter');
  await expect(price(0)).toContainText('₹300');
  expect((await tags())?.map(([tag]) => tag).sort()).toEqual([20, 9]);

  // One that cannot be raised does not keep the others from it.
  await bar.getByRole('button', { name: 'Price…' }).click();
  await dialog.getByLabel('By').fill('20');
  await expect(dialog.getByText('1 product cannot have the new price and stays as it is.')).toBeVisible();
  await expect(dialog.getByRole('row', { name: names[0] }).getByRole('link')).toHaveAttribute(
    'href',
    /^\/admin\/products\/\d+$/,
  );
  await dialog.getByRole('button', { name: 'Change 1 product', exact: true }).click();
  await expect(price(1)).toContainText('₹319');
  await expect(price(0)).toContainText('₹300');

  await bar.getByRole('button', { name: 'Offer…' }).click();
  await dialog.getByLabel('Offer (%)').fill('0');
  await dialog.getByRole('button', { name: 'End offer' }).click();
  await expect(price(0)).toContainText('₹333');
  expect(await tags()).toEqual(names.map(() => [0, null]));
});

test('a file is reviewed row by row, corrected, and imported as a whole', async ({ page }) => {
  const mark = newName('File');
  await makeProducts([`${mark} Old`]);
  await page.goto('/admin/products/import');
  const choose = (text: string, name = 'prices.csv') =>
    page.getByLabel('Choose file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('Price;Name\n1;2\n');
  await expect(page.getByRole('alert')).toContainText('prices.csv, line 1: The first line has no heading');

  const head = 'Name,Category,Price,Sold by,Weight (g),HSN\r\n';
  await choose(`${head}${mark} Old,Gift,350,piece,250,2106\r\n${mark} New,Gift,cheap,piece,100,21\r\n`);
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
  await expect(row(`${mark} New`)).toContainText('Price “cheap” is not an amount in rupees.');
  await expect(page.getByRole('button', { name: /^Import/ })).toBeDisabled();
  await page.getByRole('button', { name: 'Choose another file' }).click();

  await choose(`${head}${mark} Old,Gift,350,piece,250,2106\r\n${mark} New,Gift,99.50,piece,100,2106\r\n`);
  await expect(row(`${mark} Old`)).toContainText('Price ₹333 → ₹350');
  await expect(row(`${mark} New`)).toContainText('Price ₹99.50');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 1 new, 1 changed' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'added' })).toContainText('1 added, 1 changed');

  // Again where others change a product in between.
  await expect(async () => {
    await page.goto('/admin/products/import');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export all products' }).click();
    await page.getByLabel('Choose file').setInputFiles(await (await download).path());
    await expect(page.getByRole('button', { name: 'Nothing to import' })).toBeDisabled({ timeout: 5_000 });
  }).toPass();
});
