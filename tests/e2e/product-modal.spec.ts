import { expectAccessible, expectStill, pressToTheEnd } from './page-quality.ts';
import { expect, type Page, signInAsNewCustomer, test } from './shop-page.ts';

const modal = (page: Page, name: string) => page.getByRole('dialog', { name });

test('a card opens the modal; Back, Escape, the button and the backdrop close it', async ({ page }) => {
  await page.goto('/shop?category=laddu');
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toHaveAttribute('aria-expanded', /./);
  const card = page.getByRole('link', { name: 'Besan Laddu' });
  const dialog = modal(page, 'Besan Laddu');
  for (const close of [
    () => page.goBack(),
    () => page.keyboard.press('Escape'),
    // Twice before it can be gone: a second press of the mouse could meet the page behind.
    () =>
      dialog.getByRole('button', { name: 'Close', exact: true }).evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      }),
    () => page.mouse.click(3, 3),
  ]) {
    await card.click();
    await expect(dialog.getByText('Shipping Calculated at checkout.')).toBeVisible();
    expect(new URL(page.url()).search).toBe('?category=laddu&product=Besan+Laddu');
    await close();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL('/shop?category=laddu');
    await expect(card).toBeFocused();
  }
  await page.goForward();
  await expect(dialog.getByText('Shipping Calculated at checkout.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/shop?category=laddu');
});

for (const path of ['/', '/shop']) {
  test(`?product= opens the modal on ${path} whatever its case, survives a reload and closes for good`, async ({
    page,
  }) => {
    await page.goto(`${path}?product=bEsAn%20LADDU`);
    await expect(modal(page, 'Besan Laddu')).toBeVisible();
    await page.reload();
    await expect(modal(page, 'Besan Laddu')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(modal(page, 'Besan Laddu')).toBeHidden();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('main').getByRole('link', { name: 'Besan Laddu', exact: true })).toBeFocused();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
  });
}

test('closing the modal of a product that is not on the page behind moves the focus to the title @soak', async ({
  page,
}) => {
  await page.goto('/shop?product=hot+jalebi');
  await expect(modal(page, 'Hot Jalebi')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Shop' })).toBeFocused();
});

test('the modal is there before the first press: its code comes with the first movement', async ({ page }) => {
  const code: string[] = [];
  page.on('request', (request) => code.push(new URL(request.url()).pathname));
  const isLoaded = () => code.some((path) => path.startsWith('/assets/product-modal-'));
  await page.goto('/shop', { waitUntil: 'networkidle' });
  expect(isLoaded(), 'before any interaction').toBe(false);
  await page.mouse.move(100, 300);
  await expect.poll(isLoaded).toBe(true);
});

test('a pointer over a card asks for the product before it is opened, once', async ({ page }) => {
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/product-details') asked.push(searchParams.get('name'));
  });
  const card = (name: string) => page.getByRole('link', { name, exact: true });
  await page.goto('/shop?category=laddu', { waitUntil: 'networkidle' });
  // The first movement brings the code, one of the next the product.
  await expect(async () => {
    await card('Motichoor Laddu').hover();
    await card('Besan Laddu').hover();
    expect(asked.at(-1)).toBe('Besan Laddu');
  }).toPass();
  const before = asked.length;
  await card('Besan Laddu').click();
  await expect(modal(page, 'Besan Laddu').getByText('Shipping Calculated at checkout.')).toBeVisible();
  expect(asked.length, 'opening it asks nothing more').toBe(before);
});

test('names that nothing has open nothing @soak', async ({ page }) => {
  const odd = [
    'Nothing',
    '%F0%9F%8D%AC',
    '%E0%A4%B2%E0%A4%A1%E0%A5%8D',
    '<b>Besan Laddu</b>',
    '%25',
    "'--",
    'x'.repeat(10_000),
  ];
  for (const name of odd) {
    const asked = name.length <= 120 ? page.waitForResponse('**/product-details*') : null;
    await page.goto(`/shop?product=${name}`);
    await asked;
    await expect(page.getByRole('heading', { name: 'Besan Laddu' })).toBeVisible();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
});

test('modified clicks go to the page, as on any link @soak', async ({ page, context }) => {
  await page.goto('/shop?category=laddu');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Besan Laddu' }).click({ modifiers: ['ControlOrMeta'] });
  await expect(await opened).toHaveURL('/product/9');
  await expect(page).toHaveURL('/shop?category=laddu');
});

test('size and quantity make the price; at 0 nothing can be bought, at 25 it ends', async ({ page }) => {
  await page.goto('/shop?product=Besan+Laddu');
  const dialog = modal(page, 'Besan Laddu');
  const price = dialog.getByLabel('Price', { exact: true });
  const add = dialog.getByRole('button', { name: 'Add to Cart' });
  await expect(dialog.getByRole('radio', { name: '500 g', exact: true })).toBeChecked();
  await expect(price).toHaveText('₹320');
  await dialog.getByRole('radio', { name: '1000 g' }).check();
  await expect(price).toHaveText('₹640');
  const less = dialog.getByRole('button', { name: 'Decrease quantity' });
  const more = dialog.getByRole('button', { name: 'Increase quantity' });
  await less.click();
  await expect(price, 'nothing chosen: the price of one').toHaveText('₹640');
  await expect(less).toBeDisabled();
  await expect(add).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Buy Now' })).toBeDisabled();
  await pressToTheEnd(more);
  await expect(dialog.getByRole('group', { name: 'Quantity of Besan Laddu' })).toContainText('25');
  await expect(price).toHaveText('₹16,000');
  await add.click();
  await expect(dialog.getByText('Added 25x Besan Laddu (1000g) to cart')).toBeVisible();
  await add.click();
  await expect(dialog.getByText('Limit 25 per item. Your cart already has 25x Besan Laddu (1000g).')).toBeVisible();
});

test('the expand link leads to the page; phones get 120 characters and a way to read on', async ({
  page,
  viewport,
}) => {
  await page.goto('/shop?product=motichoor+laddu');
  const dialog = modal(page, 'Motichoor Laddu');
  const end = 'Made every morning, and sent the same day.';
  if (viewport && viewport.width <= 768) {
    const text = await dialog.getByText(/^Tiny pearls/).innerText();
    expect(text.replace(' Read more', '')).toMatch(/^.{100,120}…$/);
    await dialog.getByRole('link', { name: 'Read more' }).click();
  } else {
    await expect(dialog.getByText(end)).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Read more' })).toHaveCount(0);
    await dialog.getByRole('link', { name: 'See full details of Motichoor Laddu' }).click();
  }
  await expect(page).toHaveURL('/product/10');
  await expect(page.getByText(end)).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeVisible();
});

test('the keyboard opens, stays inside, buys and returns to the card', async ({ page }) => {
  await page.goto('/shop?category=laddu');
  await expect(page.getByRole('button', { name: 'Filters', exact: true })).toHaveAttribute('aria-expanded', /./);
  await page.getByRole('link', { name: 'Besan Laddu' }).focus();
  await page.keyboard.press('Enter');
  const dialog = modal(page, 'Besan Laddu');
  await expect(dialog.getByRole('button', { name: 'Close', exact: true })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Add to Cart' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('link', { name: /See full details/ })).toBeFocused();
  await dialog.getByRole('radio', { name: '500 g', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByLabel('Price', { exact: true })).toHaveText('₹640');
  await dialog.getByRole('button', { name: 'Add to Cart' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Added 1x Besan Laddu (1000g) to cart')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Besan Laddu' })).toBeFocused();
});

test('what is out of stock cannot be bought; visitors are asked to log in to be notified', async ({ page }) => {
  await page.goto('/shop?product=Rasmalai+(2+pcs)');
  const dialog = modal(page, 'Rasmalai (2 pcs)');
  await expect(dialog.getByText('Out of stock')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Add to Cart' })).toBeDisabled();
  await dialog.getByRole('switch', { name: 'Notify me when it’s back' }).click();
  await expect(dialog.getByText('Please log in to manage notifications.')).toBeVisible();
});

test('a customer asks to be notified; the modal knows it when it opens again, and the page too @soak', async ({
  page,
}) => {
  await signInAsNewCustomer(page);
  await page.goto('/shop?product=Rasmalai+(2+pcs)');
  const toggle = page.getByRole('switch', { name: 'Notify me when it’s back' });
  await expect(toggle).toHaveAttribute('aria-checked', 'false');
  await toggle.click();
  await expect(page.getByText("We'll notify you when Rasmalai (2 pcs) is back in stock!")).toBeVisible();
  await page.reload();
  await expect(toggle).toHaveAttribute('aria-checked', 'true');
  await page.goto('/product/28');
  await expect(toggle).toHaveAttribute('aria-checked', 'true');
  await toggle.click();
  await expect(page.getByText('You will no longer be notified about Rasmalai (2 pcs).')).toBeVisible();
  await expect(toggle).toHaveAttribute('aria-checked', 'false');
});

test('when the notification cannot be changed, the customer gets a message @soak', async ({ page }) => {
  await signInAsNewCustomer(page);
  await page.goto('/product/28');
  const toggle = page.getByRole('switch', { name: 'Notify me when it’s back' });
  await page.route('**/functions/v1/notify', (route) => route.fulfill({ status: 200, body: 'no answer' }));
  await toggle.click();
  await expect(page.getByText('There was an issue managing your notification.')).toBeVisible();
  await page.evaluate(() => localStorage.removeItem('mithaas-session'));
  await toggle.click();
  await expect(page.getByText('Could not authenticate your session. Please log in again.')).toBeVisible();
});

test('the open modal is accessible and fits 320 pixels @soak', async ({ page }) => {
  await page.goto('/shop?product=tirunelveli+wheat+halwa');
  const soldOut = modal(page, 'Tirunelveli Wheat Halwa');
  await expect(soldOut.getByText('Out of stock')).toBeVisible();
  await expect(soldOut.getByRole('radio'), 'nothing to choose of what cannot be bought').toHaveCount(0);
  await expectAccessible(page);
  await expectStill(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/shop?product=family+combo+pack');
  const dialog = modal(page, 'Family Combo Pack');
  await expect(dialog.getByRole('button', { name: 'Buy Now' })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});
