import { becomeCustomer, buyNow, expectOrderPlaced, heading, pay, payment } from './buyer.ts';
import { message } from './cart-lists.ts';
import { expect, test } from './shop-page.ts';

test.use({ expectedErrors: /ERR_FAILED/ });

const lists = [
  { name: 'cart', value: '{%2230%22:{%22500%22:1}}' },
  { name: 'checkout', value: '{%2210%22:{%22500%22:1}}' },
];

test('Buy Now on the product page buys just that, by zone, and touches no list', async ({ page, shopUrl }) => {
  const customer = await becomeCustomer(page, shopUrl);
  await page.context().addCookies(lists.map((cookie) => ({ ...cookie, url: shopUrl })));
  await page.goto('/product/9');
  await page.getByRole('radio', { name: '1000 g' }).check();
  await page.getByRole('main').getByRole('button', { name: 'Increase quantity' }).click();
  await buyNow(page).dblclick();
  await expect(page.getByRole('button', { name: 'Please wait…' })).toHaveAttribute('aria-busy', 'true');
  await expect(payment(page)).toHaveCount(1);
  for (const [name, value] of [
    ['Subtotal', '₹1,280'],
    ['Tax', '₹64'],
    ['Shipping charge', '₹55'],
    ['Total', '₹1,399'],
  ])
    await expect(
      payment(page)
        .getByRole('definition')
        .and(payment(page).locator(`dt:has(:text-is("${name}")) + dd`)),
    ).toHaveText(value ?? '');
  await page.keyboard.press('Escape');
  await expect(message(page, 'You closed the payment window.')).toBeVisible();
  await buyNow(page).click();
  await pay(page).click();
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
  await expectOrderPlaced(page);
  expect(await customer.orders()).toEqual([{ source: 'direct', total: 1399, shipping: 55, status: 'Pending' }]);
  const cookies = await page.context().cookies();
  for (const { name, value } of lists) expect(cookies.find((cookie) => cookie.name === name)?.value).toBe(value);

  await page.goto('/product/9');
  await buyNow(page).click();
  await expect(payment(page), 'the same thing again is another order').toContainText('Pay ₹376');
});

test('Buy Now in the modal pays above it, and messages are seen @soak', async ({ page, shopUrl }) => {
  await page.goto('/shop?product=besan+laddu');
  const modal = page.getByRole('dialog', { name: 'Besan Laddu' });
  await modal.getByRole('button', { name: 'Buy Now' }).click();
  await expect(modal.getByText('You need to log in to proceed with the purchase.')).toBeVisible();

  const customer = await becomeCustomer(page, shopUrl, {});
  await page.goto('/shop?product=besan+laddu');
  await modal.getByRole('button', { name: 'Buy Now' }).click();
  await expect(modal.getByText('Update mobile number and address')).toBeVisible();
  await expect(modal.getByRole('link', { name: 'Go to profile' })).toHaveAttribute('href', /^\/profile\?product=\d+$/);

  await customer.changeAddress({ zip: '110001' });
  await modal.getByRole('button', { name: 'Buy Now' }).click();
  await expect(payment(page)).toContainText('₹100');
  await payment(page).getByRole('button', { name: 'Fail payment' }).click();
  await expect(modal.getByText('Payment failed')).toBeVisible();
  await modal.getByRole('button', { name: 'Buy Now' }).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(modal).toHaveCount(0);
  expect(await customer.orders()).toMatchObject([{ source: 'direct', shipping: 100 }]);
});

test('what was paid after it was closed is not bought a second time @soak', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  await page.goto('/product/9');
  await buyNow(page).click();
  await payment(page).getByRole('button', { name: 'Close', exact: true }).click();
  await page.route('**/rpc/my_checkout', (route) =>
    route.fulfill({ json: { state: 'ordered', total_paise: 37_600, number: 2501 } }),
  );
  await buyNow(page).click();
  await expectOrderPlaced(page);
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
});

test('a visitor who presses Buy Now signs in and returns with the chosen product', async ({ page }) => {
  await page.goto('/shop?product=Besan+Laddu');
  const modal = page.getByRole('dialog', { name: 'Besan Laddu' });
  await modal.getByRole('radio', { name: '1000 g' }).check();
  await modal.getByRole('button', { name: 'Increase quantity' }).click();
  await buyNow(page).click();
  await expect(page.getByText('You need to log in to proceed with the purchase.')).toBeVisible();
  await page.getByRole('button', { name: 'Continue as Priya Sharma' }).click();
  await expect(page).toHaveURL('/shop?product=Besan+Laddu');
  await expect(modal.getByRole('radio', { name: '1000 g' })).toBeChecked();
  await expect(modal.getByRole('status', { name: 'Price' }).or(modal.getByLabel('Price'))).toHaveText('₹1,280');
  await expect(modal.getByText('Welcome back. Press Buy Now to continue.')).toBeVisible();
});

test('the confirmation page for visitors, for other customers and for unknown payments', async ({ page, shopUrl }) => {
  await page.goto('/order-confirmation/order_nothing');
  await expect(heading(page, 'Log in to see your order')).toBeVisible();
  await becomeCustomer(page, shopUrl);
  await page.route('**/rpc/my_checkout', (route) => route.abort());
  await page.goto('/order-confirmation/order_nothing');
  await expect(heading(page, 'We couldn’t load your order right now')).toBeVisible();
  await page.unroute('**/rpc/my_checkout');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(heading(page, 'We can’t find this order')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Order history' })).toHaveAttribute(
    'href',
    '/profile?tab=orders',
  );
});

test('paying is not in the first load of a page that only shows', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const ofPaying = () =>
    loaded.filter((url) => /\/(direct-purchase|purchase|test-widget|razorpay-widget)-[\w-]{8}\.js/.test(url));
  await page.goto('/product/9', { waitUntil: 'networkidle' });
  expect(ofPaying()).toEqual([]);
  await buyNow(page).click();
  await expect(message(page, 'You need to log in to proceed with the purchase.')).toBeVisible();
  expect(ofPaying()).not.toEqual([]);
});
