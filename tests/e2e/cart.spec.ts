import { amount, emptyTitle, entry, goods, list, message, openCart } from './cart-lists.ts';
import { expect, test } from './shop-page.ts';

test('an item moves to the checkout, back and out; every move is confirmed and the total follows', async ({
  page,
  shopUrl,
}) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 2 }, 30: { 500: 1 } } });
  await expect(entry(page, 'Cart', 'Khaman Dhokla')).toContainText('₹87.50 each');
  await expect(amount(page, 'Total')).toHaveText('₹0');

  await page.getByRole('button', { name: 'Move to checkout: Besan Laddu' }).click();
  await expect(message(page, 'Item moved to checkout successfully!')).toBeVisible();
  await expect(entry(page, 'Cart', 'Besan Laddu')).toHaveCount(0);
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toContainText('500 g');
  await expect(goods(page)).toHaveText('₹640');

  await page.getByRole('button', { name: 'Move to checkout: Khaman Dhokla' }).click();
  await expect(goods(page)).toHaveText('₹727.50');
  await expect(page.getByText('Everything is in the checkout.')).toBeVisible();

  await page.getByRole('button', { name: 'Move back to cart: Khaman Dhokla' }).click();
  await expect(message(page, 'Item moved back to cart.')).toBeVisible();
  await expect(entry(page, 'Cart', 'Khaman Dhokla')).toBeVisible();
  await expect(goods(page)).toHaveText('₹640');

  await page.getByRole('button', { name: 'Delete Besan Laddu (500 g) from the checkout' }).click();
  await expect(message(page, 'Item removed from checkout.')).toBeVisible();
  await page.reload();
  await expect(list(page, 'Cart').getByRole('listitem')).toHaveCount(1);
  await expect(list(page, 'Checkout')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Shop More' })).toHaveAttribute('href', '/shop');
});

test('the whole cart goes to the checkout with one press, and total and Buy Now stay visible', async ({
  page,
  shopUrl,
}) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 2, 1000: 1 }, 5: { 500: 1 }, 1: { 500: 1 }, 2: { 500: 1 } } });
  await expect(page.getByRole('button', { name: 'Move to checkout: Besan Laddu' })).toBeEnabled();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole('button', { name: 'Move all to checkout' }), 'the next step').toBeInViewport({
    ratio: 1,
  });
  await page.getByRole('button', { name: 'Move all to checkout' }).click();
  await expect(message(page, '5 items moved to checkout.')).toBeVisible();
  await expect(list(page, 'Cart')).toHaveCount(0);
  await expect(list(page, 'Checkout').getByRole('listitem')).toHaveCount(5);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeInViewport({ ratio: 1 });
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeInViewport({ ratio: 1 });
});

test('an item that another tab removed is reported as missing', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 2 } } });
  await expect(page.getByRole('button', { name: 'Move to checkout' })).toBeEnabled();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(message(page, 'Item not found in the cart.')).toBeVisible();
  await expect(emptyTitle(page)).toBeVisible();

  await openCart(page, shopUrl, { checkout: { 9: { 500: 2 } } });
  await expect(page.getByRole('button', { name: 'Move back to cart' })).toBeVisible();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Move back to cart' }).click();
  await expect(message(page, 'Item not found in checkout.')).toBeVisible();
});

test('quantities go from 1 to 25; below 1 the item leaves', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 24 }, 25: { 500: 1 } }, checkout: { 10: { 1000: 1 } } });
  const laddu = entry(page, 'Cart', 'Besan Laddu');
  await laddu.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(laddu.getByRole('status')).toHaveText('25');
  await expect(laddu).toContainText('₹8,000');
  await expect(laddu.getByRole('button', { name: 'Increase quantity' })).toBeDisabled();

  await entry(page, 'Cart', 'Punjabi Samosa (2 pcs)').getByRole('button', { name: 'Decrease quantity' }).click();
  await expect(entry(page, 'Cart', 'Punjabi Samosa (2 pcs)')).toHaveCount(0);
  await expect(page.getByText('Punjabi Samosa (2 pcs) removed from the cart.')).toBeAttached();

  await entry(page, 'Checkout', 'Motichoor Laddu').getByRole('button', { name: 'Decrease quantity' }).click();
  await expect(message(page, 'Item removed from checkout.')).toBeVisible();

  await page.getByRole('button', { name: 'Remove Besan Laddu (500 g) from the cart' }).click();
  await expect(emptyTitle(page)).toBeVisible();
});

test('a list never holds more than 25 of one size, and nothing is lost on the way there', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 10 } }, checkout: { 9: { 500: 20 } } });
  await page.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(message(page, 'Limit 25 per item and size: 5 stayed in the other list.')).toBeVisible();
  await expect(entry(page, 'Checkout', 'Besan Laddu').getByRole('status')).toHaveText('25');
  await expect(entry(page, 'Cart', 'Besan Laddu').getByRole('status')).toHaveText('5');
  await page.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(message(page, 'Limit 25 per item and size.')).toBeVisible();
});

test('in two sizes it is one entry, and a size must be chosen before it moves @soak', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 2, 1000: 1 } } });
  const laddu = entry(page, 'Cart', 'Besan Laddu');
  await expect(laddu).toHaveCount(1);
  await expect(laddu.getByRole('radio', { checked: true })).toHaveCount(0);
  await expect(laddu.getByRole('button', { name: 'Move to checkout' })).toBeEnabled();
  await laddu.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(message(page, 'Please select a size first.')).toBeVisible();

  await laddu.getByRole('radio', { name: '1000 g' }).check();
  await laddu.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toContainText('1000 g');
  await expect(goods(page)).toHaveText('₹640');

  await expect(laddu.getByRole('radio')).toHaveCount(0);
  await laddu.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(list(page, 'Checkout').getByRole('listitem')).toHaveCount(2);
  await expect(goods(page)).toHaveText('₹1,280');
});

test('what is out of stock says so and cannot be moved to the checkout @soak', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 21: { 1000: 1 } }, checkout: { 28: { 500: 2 }, 9: { 500: 1 } } });
  const halwa = entry(page, 'Cart', 'Tirunelveli Wheat Halwa');
  await expect(halwa).toContainText('Out of stock for now');
  await expect(halwa.getByRole('button', { name: 'Move to checkout' })).toBeDisabled();
  await expect(entry(page, 'Checkout', 'Rasmalai (2 pcs)')).toContainText('Out of stock for now, not included below');
  await expect(goods(page)).toHaveText('₹320');
});

test('invalid cookies are an empty cart', async ({ page, shopUrl }) => {
  for (const cart of ['%', '%5B1%2C2%5D', '<script>alert(1)</script>']) {
    await openCart(page, shopUrl, { cart, checkout: 'undefined' });
    await expect(emptyTitle(page)).toBeVisible();
  }
});

test('an empty cart is a picture of an empty box, with a way to the shop', async ({ page }) => {
  await page.goto('/cart');
  await expect(emptyTitle(page)).toBeVisible();
  const picture = page.getByRole('img', { name: 'An empty sweet box with only crumbs left' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'Go to the shop' }).click();
  await expect(page).toHaveURL('/shop');
});

test('a product that is no longer sold is removed from both lists with a message', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, {
    cart: { 9: { 500: 1 }, 900001: { 500: 1 }, 25: { 500: 1, 1000: 4 } },
    checkout: { 900002: { 1000: 2 } },
  });
  await expect(page.getByText('3 items are no longer available and were removed.')).toBeVisible();
  await expect(list(page, 'Cart').getByRole('listitem')).toHaveCount(2);
  await page.reload();
  await expect(entry(page, 'Cart', 'Besan Laddu')).toBeVisible();
  await expect(page.getByText('no longer available')).toHaveCount(0);

  await openCart(page, shopUrl, { cart: { 900001: { 500: 1 } } });
  await expect(page.getByText('One item is no longer available and was removed.')).toBeVisible();
  await expect(emptyTitle(page)).toBeVisible();
});

test('the lists are remembered for seven days from the last change', async ({ page, shopUrl }) => {
  await openCart(page, shopUrl, { cart: { 9: { 500: 1 } }, checkout: { 10: { 500: 1 } } });
  await entry(page, 'Cart', 'Besan Laddu').getByRole('button', { name: 'Increase quantity' }).click();
  await expect(entry(page, 'Cart', 'Besan Laddu').getByRole('status')).toHaveText('2');
  const week = 7 * 24 * 60 * 60;
  for (const name of ['cart', 'checkout']) {
    const cookie = (await page.context().cookies()).find((one) => one.name === name);
    expect(Math.abs((cookie?.expires ?? 0) - Date.now() / 1000 - week)).toBeLessThan(120);
    expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax' });
  }
});

test('150 products in both sizes are kept in a real browser @soak', async ({ page, shopUrl }) => {
  // The demo shop sells fewer: the answers are written here, everything else is real.
  await page.route('**/rest/v1/Products?*', (route) => {
    const ids = /in\.\(([\d,]+)\)/.exec(decodeURIComponent(route.request().url()))?.[1]?.split(',') ?? [];
    const row = { Price: '320.00', Image: '', Category: 'Laddu', isavailable: true, hasSize: true };
    return route.fulfill({ json: ids.map((id) => ({ ...row, Id: Number(id), Name: `Sweet ${id}` })) });
  });
  const map = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [index + 101, { 500: 25, 1000: 24 }]));
  const text = JSON.stringify(map).replaceAll('"', '%22').replaceAll(',', '%2C');
  await openCart(page, shopUrl, { cart: text.slice(0, 3800), 'cart.1': text.slice(3800) });
  await expect(list(page, 'Cart').getByRole('listitem')).toHaveCount(150);
  const last = entry(page, 'Cart', 'Sweet 250');
  await last.getByRole('radio', { name: '1000 g' }).check();
  await last.getByRole('button', { name: 'Move to checkout' }).click();
  await expect(goods(page)).toHaveText('₹15,360');
  const answer = await page.reload();
  expect(answer?.status()).toBe(200);
  await expect(list(page, 'Cart').getByRole('listitem')).toHaveCount(150);
  await expect(entry(page, 'Checkout', 'Sweet 250').getByRole('status')).toHaveText('24');
});
