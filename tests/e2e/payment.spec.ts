import { becomeCustomer, buyNow, expectOrderPlaced, heading, openAwkward, pay, payment } from './buyer.ts';
import { amount, emptyTitle, entry, message, openCart } from './cart-lists.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, test } from './shop-page.ts';

test.use({ expectedErrors: /status of (4|5)\d\d|ERR_FAILED|Content Security Policy/ });

async function openPayingCart(page: Page, shopUrl: string) {
  const customer = await becomeCustomer(page, shopUrl);
  await openCart(page, shopUrl, { cart: { 30: { 500: 1 } }, checkout: { 9: { 500: 2 } } });
  await expect(amount(page, 'Total')).toHaveText('₹712');
  return customer;
}

test('from the cart to the confirmation page: only what was bought leaves', async ({ page, shopUrl }) => {
  const customer = await openPayingCart(page, shopUrl);
  await buyNow(page).dblclick();
  await expect(payment(page)).toHaveCount(1);
  await expect(payment(page)).toContainText('you won’t be charged');
  await expect(pay(page)).toHaveText('Pay ₹712');
  await expect(pay(page)).toBeFocused();
  await expectAccessible(page);
  await pay(page).dblclick();
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
  await expectOrderPlaced(page);
  await expect(page).toHaveURL(/\/order-confirmation\/order_\w+$/);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  await expect(page.getByRole('main')).toContainText('₹712');
  await expect(page.getByRole('main')).toContainText(/Arrives by\w{3}, \d+ \w+/);
  await expect(page.getByText(/^Thank you! .* We’ve emailed the details to \S+@\S+\.$/)).toBeVisible();
  const bought = page.getByRole('list').filter({ has: page.getByText('Besan Laddu') });
  await expect(bought).toContainText('500 g · Quantity 2');
  await expect(page.getByRole('region', { name: 'Delivering to' })).toContainText('4B, Ranade Road, Mumbai');
  await expect(page.getByRole('region', { name: 'What happens next' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
  expect(await customer.orders()).toEqual([{ source: 'cart', total: 712, shipping: 40, status: 'Pending' }]);
  await page.getByRole('link', { name: 'Cart' }).click();
  await expect(entry(page, 'Cart', 'Khaman Dhokla')).toBeVisible();
  await expect(page.getByText('Nothing here yet. Move items here to buy them.')).toBeVisible();
});

test('fail, close, then pay: one order, and all of it from the keyboard', async ({ page, shopUrl }) => {
  const customer = await openPayingCart(page, shopUrl);
  const asked: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('/createOrder')) asked.push(((await response.json()) as { id: string }).id);
  });
  await buyNow(page).focus();
  await page.keyboard.press('Enter');
  await expect(pay(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(message(page, 'Payment failed')).toBeVisible();
  await expect(payment(page)).toHaveCount(0);
  await expect(buyNow(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(pay(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(
    message(page, 'You closed the payment window. Your items are saved: press Buy Now to try again.'),
  ).toBeVisible();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toBeVisible();

  await page.keyboard.press('Enter');
  await payment(page).getByRole('button', { name: 'Close', exact: true }).click();
  await expect(payment(page)).toHaveCount(0);
  await buyNow(page).press('Enter');
  await expect(pay(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expectOrderPlaced(page);
  await expect(heading(page, 'Order placed')).toBeFocused();
  expect(new Set(asked).size, 'the same order every time').toBe(1);
  expect(await customer.orders()).toHaveLength(1);
});

const createOrderAnswers = [
  [
    'not-enough-stock',
    409,
    'Only 3 of Diwali Box left in stock.',
    'Failed to add items to the order. Please try again.',
  ],
  ['not-available', 409, 'Besan Laddu is not available.', 'Failed to add items to the order. Please try again.'],
  ['unknown-product', 404, 'One is no longer in the shop.', 'Failed to add items to the order. Please try again.'],
  ['payments-away', 503, 'We can’t take payments right now.', 'Server error: 503'],
  ['sign-in-required', 401, null, 'User not authenticated'],
  ['unreachable', 0, null, 'Something went wrong. Please try again.'],
  ['address-incomplete', 409, 'Update mobile number', 'Update mobile number'],
] as const;

test('each refusal of an order has its own message, and nothing is lost', async ({ page, shopUrl }) => {
  const customer = await openPayingCart(page, shopUrl);
  for (const [code, status, sentence, said] of createOrderAnswers) {
    await page.route('**/createOrder', (route) =>
      status === 0 ? route.abort() : route.fulfill({ status, json: { error: { code, message: sentence } } }),
    );
    await buyNow(page).click();
    await expect(message(page, said).last()).toBeVisible();
    if (sentence) await expect(message(page, sentence).last()).toBeVisible();
    await expect(buyNow(page)).toBeEnabled();
    await page.unroute('**/createOrder');
  }
  await page.route('**/createOrder', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), provider: 'razorpay' } });
  });
  await buyNow(page).click();
  await expect(message(page, 'Payment widget not loaded'), 'its script is not let in here').toBeVisible();
  await expect(buyNow(page)).toBeEnabled();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toBeVisible();
  expect(await customer.orders()).toEqual([]);
});

test('an order that fails for another reason than its goods leaves the totals @soak', async ({ page, shopUrl }) => {
  await openPayingCart(page, shopUrl);
  await page.route('**/createOrder', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'payments-away', message: 'Payments are away.' } } }),
  );
  await buyNow(page).click();
  await expect(message(page, 'Server error: 503')).toBeVisible();
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await expect(page.getByText('Could not calculate totals.')).toHaveCount(0);
});

test('a payment that fails and is taken later is found by the open cart @soak', async ({ page, shopUrl }) => {
  const customer = await openPayingCart(page, shopUrl);
  await openAwkward(page, { 'Payment is captured': 'after-failing' });
  await pay(page).click();
  await expect(message(page, 'Payment failed')).toBeVisible();
  await expect(message(page, 'Order placed successfully!')).toBeVisible({ timeout: 20_000 });
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toHaveCount(0);
  await page.getByRole('link', { name: 'See your order' }).click();
  await expectOrderPlaced(page);
  expect(await customer.orders()).toHaveLength(1);
});

test('what turns out to be paid already is shown as the order it is @soak', async ({ page, shopUrl }) => {
  await openPayingCart(page, shopUrl);
  let isPaid = false;
  await page.route('**/rpc/my_checkout', (route) =>
    route.fulfill({ json: { state: isPaid ? 'ordered' : 'confirming', total_paise: 71_200, number: 2501 } }),
  );
  await buyNow(page).click();
  await payment(page).getByRole('button', { name: 'Close', exact: true }).click();
  await page.route('**/createOrder', (route) => {
    isPaid = true;
    return route.fulfill({ status: 409, json: { error: { code: 'already-paid', message: 'This is already paid.' } } });
  });
  await buyNow(page).click();
  await expectOrderPlaced(page);
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'Cart' }).click();
  await expect(entry(page, 'Cart', 'Khaman Dhokla')).toBeVisible();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toHaveCount(0);
});

test('the provider says that the order is paid already: it is shown @soak', async ({ page, shopUrl }) => {
  await openPayingCart(page, shopUrl);
  await page.route('**/test-payments/pay', (route) =>
    route.fulfill({ status: 400, json: { error: { description: 'Order already paid' } } }),
  );
  await page.route('**/rpc/my_checkout', (route) =>
    route.fulfill({ json: { state: 'ordered', total_paise: 71_200, number: 2501 } }),
  );
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
  await expect(message(page, 'Payment failed')).toHaveCount(0);
});

test('a payment that was replaced by another one is not reported as missing @soak', async ({ page, shopUrl }) => {
  await openPayingCart(page, shopUrl);
  await page.clock.install();
  await openAwkward(page, { 'No response to the browser': true, 'Payment notice to the shop': 'never' });
  await pay(page).click();
  await expect(payment(page)).toContainText('Waiting for the bank…');
  await page.clock.fastForward(10_500);
  await expect(heading(page, 'Confirming your payment')).toBeVisible();
  const second = await page.context().newPage();
  await second.goto('/cart');
  await entry(second, 'Checkout', 'Besan Laddu').getByRole('button', { name: 'Increase quantity' }).click();
  await expect(amount(second, 'Total')).toHaveText('₹1,048');
  await buyNow(second).click();
  await expect(payment(second)).toBeVisible();
  // Whether the shop has found the money by then is its own affair.
  await expect(heading(page, /We haven’t received your payment yet|Order placed|Payment refunded/)).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('There is no order');
});

test('an expired payment is followed, and a failed refund is shown @soak', async ({ page, shopUrl }) => {
  await becomeCustomer(page, shopUrl);
  await page.clock.install();
  const refund = { reason: 'sold-out', amount_paise: 71_200, status: 'failed' };
  let answer: object = { state: 'lapsed' };
  await page.route('**/rpc/my_checkout', (route) => route.fulfill({ json: answer }));
  await page.goto('/order-confirmation/order_late');
  await expect(heading(page, 'We haven’t received your payment yet')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('it becomes an order or is refunded automatically');
  answer = { state: 'refunded', refund };
  await page.clock.fastForward(5_500);
  await expect(heading(page, 'Payment refunded')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Your refund is delayed.');
});

test('expired totals are fetched again, and a changed total is shown before paying', async ({ page, shopUrl }) => {
  const customer = await openPayingCart(page, shopUrl);
  await customer.changeAddress({ zip: '110001' });
  await buyNow(page).click();
  await expect(message(page, 'now. Please check it and press Buy Now again.'), 'Delhi is farther').toContainText('by');
  await buyNow(page).click();
  await expect(payment(page), 'the flat charge is the same in Delhi').toContainText('₹712');
  await payment(page).getByRole('button', { name: 'Close', exact: true }).click();

  await customer.changeAddress({ zip: '411007' });
  await page.route('**/getShippingPrice', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), shipping_rate: 90, total: 762 } });
  });
  await page.route('**/createOrder', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'quote-expired', message: 'no longer valid' } } }),
  );
  await buyNow(page).click();
  await expect(message(page, 'The total is now ₹762. Please check it and press Buy Now again.')).toBeVisible();
  await expect(amount(page, 'Total')).toHaveText('₹762');
  await expect(payment(page)).toHaveCount(0);
});

test('placing fails after paying: the order still comes, and is not paid twice', async ({ page, shopUrl }) => {
  const customer = await openPayingCart(page, shopUrl);
  await page.route('**/placeOrder', (route) => route.abort());
  await page.route('**/rpc/my_checkout', (route) =>
    route.fulfill({ json: { state: 'confirming', total_paise: 71_200 } }),
  );
  await buyNow(page).click();
  await pay(page).click();
  await expect(message(page, 'Failed to place order. Please try again.')).toBeVisible();
  await expect(message(page, 'Don’t pay again: we’re confirming your payment.')).toBeVisible();
  await page.unroute('**/rpc/my_checkout');
  await expectOrderPlaced(page);
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
  expect(await customer.orders()).toHaveLength(1);
  await page.goto('/cart');
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toHaveCount(0);
});

test('a refunded payment is explained in plain words', async ({ page, shopUrl }) => {
  await openPayingCart(page, shopUrl);
  const sentence =
    'It sold out before your payment arrived. We’re refunding your payment. It takes up to 7 business days.';
  await page.route('**/placeOrder', (route) =>
    route.fulfill({ status: 409, json: { error: { code: 'payment-refunded', message: sentence } } }),
  );
  await page.route('**/rpc/my_checkout', (route) =>
    route.fulfill({
      json: { state: 'refunded', refund: { reason: 'sold-out', amount_paise: 71_200, status: 'pending' } },
    }),
  );
  await buyNow(page).click();
  await pay(page).click();
  await expect(message(page, sentence)).toBeVisible();
  await expect(heading(page, 'Payment refunded')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('We’re refunding ₹712. It takes up to 7 business days.');
});

test('the browser closes right after paying: the cart of the return is without what was bought @soak', async ({
  page,
  shopUrl,
}) => {
  const customer = await openPayingCart(page, shopUrl);
  await page.route('**/placeOrder', () => {});
  await buyNow(page).click();
  const asked = page.waitForRequest('**/placeOrder');
  await pay(page).click();
  await asked;
  await page.goto('/robots.txt');
  await expect.poll(async () => (await customer.orders()).length, { timeout: 20_000 }).toBe(1);
  await page.goto('/cart');
  await expect(message(page, 'Order placed successfully!')).toBeVisible();
  await expect(entry(page, 'Checkout', 'Besan Laddu')).toHaveCount(0);
  await expect(entry(page, 'Cart', 'Khaman Dhokla')).toBeVisible();
  await page.getByRole('link', { name: 'See your order' }).click();
  await expectOrderPlaced(page);
  await page.goto('/cart');
  await expect(entry(page, 'Cart', 'Khaman Dhokla')).toBeVisible();
  await expect(message(page, 'Order placed successfully!'), 'shown once').toHaveCount(0);
  await expect(emptyTitle(page)).toHaveCount(0);
});

test('a customer who left while paying reads about it on return, and once before paying again', async ({
  page,
  shopUrl,
}) => {
  await openPayingCart(page, shopUrl);
  await openAwkward(page, { 'No response to the browser': true, 'Payment notice to the shop': 'never' });
  await pay(page).click();
  await expect(payment(page)).toContainText('Waiting for the bank');
  await page.reload();
  const left =
    'Your last payment wasn’t completed. If money was taken, your order will appear within two minutes. If not, press Buy Now again.';
  await expect(message(page, left)).toBeVisible();
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await page.getByRole('button', { name: 'Close message' }).click();
  await buyNow(page).click();
  await expect(message(page, left)).toBeVisible();
  await expect(payment(page)).toHaveCount(0);
  await buyNow(page).click();
  await expect(pay(page)).toBeVisible();
});

test('when the response to a payment is lost, the page says confirming, then shows the order', async ({
  page,
  shopUrl,
}) => {
  await openPayingCart(page, shopUrl);
  await page.clock.install();
  // Authorized and reported late: only the shop captures the payment, so that there is something to wait for.
  let isHeld = true;
  await page.route('**/rpc/my_checkout', (route) =>
    isHeld ? route.fulfill({ json: { state: 'confirming', total_paise: 71_200 } }) : route.continue(),
  );
  await openAwkward(page, { 'No response to the browser': true });
  await pay(page).click();
  await expect(payment(page)).toContainText('Waiting for the bank…');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(payment(page), 'only the answer ends it').toBeVisible();
  await page.clock.fastForward(10_500);
  await expect(heading(page, 'Confirming your payment')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('two minutes at most');
  await page.getByRole('link', { name: 'Cart' }).click();
  await expect(amount(page, 'Total')).toHaveText('₹712');
  await buyNow(page).click();
  await expect(
    message(page, 'Your payment for these items is still being confirmed. Please don’t pay again.'),
  ).toBeVisible();
  await expect(heading(page, 'Confirming your payment'), 'it is not opened a second time').toBeVisible();
  await page.clock.fastForward(130_000);
  await expect(page.getByRole('main')).toContainText('This is taking longer than usual.');
  isHeld = false;
  await page.clock.fastForward(16_000);
  await expectOrderPlaced(page);
});
