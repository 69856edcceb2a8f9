import type { Request } from '@playwright/test';
import { buyOverHttp, setAddress } from '../support/buying.ts';
import { newCustomer } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, signIn, signInAsNewCustomer, test, watching } from './shop-page.ts';

const areas = ['Dashboard', 'Greetings', 'Orders', 'Products', 'Customers', 'Vendors', 'Inventory', 'Expenses'];
const milkCake = { productId: 1, quantity: 1, size: 500 } as const;

test('visitors and customers are sent from the console to the shop', async ({ page }) => {
  await page.goto('/admin');
  await expect(page).toHaveURL('/');
  await signInAsNewCustomer(page);
  await page.goto('/admin/orders');
  await expect(page).toHaveURL('/');
});

test('menu and heading are in the document, to be seen with a session only', async ({ page }) => {
  const frame = page.getByRole('navigation', { name: 'Daily work' });
  // No script comes.
  await page.route(
    (url) => url.pathname.endsWith('.js'),
    () => {},
  );
  const open = () => page.goto('/admin/orders', { waitUntil: 'commit' });
  await open();
  await expect(page.locator('h1')).toHaveText('Orders');
  await expect(frame).toBeHidden();
  await signIn(page, 'Asha Rao');
  await open();
  await expect(frame).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeDisabled();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('after the first visit a screen does not wait for the check of access', async ({ page }) => {
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/orders');
  await expect(page.getByRole('table', { name: 'Orders' })).toBeVisible();
  const isCheck = (url: URL) => url.pathname.endsWith('/rpc/is_administrator');
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(isCheck, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('table', { name: 'Orders' })).toBeVisible();
  letGo();
  await expect(page.getByText(/^\d+ of /)).toBeVisible();
});

test('an administrator comes in by the console button, finds every area, and logs out @wide', async ({ page }) => {
  const pending = pendingCalls(page);
  await signIn(page, 'Asha Rao');
  await page.goto('/');
  await page.getByRole('link', { name: 'Console' }).click();
  await expect(page).toHaveURL('/admin/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  const isPhone = (page.viewportSize()?.width ?? 0) < 900;
  const openMenu = async () => {
    if (isPhone) await page.getByRole('button', { name: 'Menu', exact: true }).click();
    return page.getByRole('navigation', { name: 'Console' });
  };
  for (const area of areas) {
    await (await openMenu()).getByRole('link', { name: area }).click();
    await expect(page.getByRole('heading', { level: 1, name: area })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/admin/${area.toLowerCase()}$`));
  }
  if (!isPhone) {
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await expect(page).toHaveURL('/admin/orders');
  }
  await openMenu();
  await expect
    .poll(() => pending.size, 'a request without its response would be refused when the session ends')
    .toBe(0);
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});

/** The calls of the page that have no response yet. Waiting for "networkidle" would end at once: the page was idle before. */
function pendingCalls(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') pending.add(request);
  });
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => pending.delete(request));
  return pending;
}

test('the dashboard shows tasks and figures; a new order is announced immediately', async ({ page, shopUrl }) => {
  await signIn(page, 'Asha Rao');
  await watching(page, () => page.goto('/admin/dashboard?period=month'));
  const todo = page.getByRole('list', { name: 'To do' });
  // The demo shop has unpaid phone orders, and every figure says what it is compared with.
  await expect(todo.getByRole('link', { name: /^₹[\d,.]+\s*To collect\s*[\d,]+ unpaid orders?$/ })).toBeVisible();
  for (const title of [
    'To confirm',
    'To pack today',
    'Refunds due',
    'Undelivered',
    'Low stock',
    'Bills overdue',
    'Expenses due',
  ])
    await expect(todo.getByRole('link', { name: title })).toBeVisible();
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByText(/^([\d,]+ (more|fewer) than|same as) the 30 days before$/)).toBeVisible();
  await expect(figures.getByRole('link', { name: /^Net profit, \w+ so far/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Best sellers' }).getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);

  // Other tests place orders too, and each message replaces the one before: all orders announced are collected.
  await page.evaluate(() => {
    const announced = new Set<string>();
    const messages = document.querySelector('section[aria-label="Messages"]') as Element;
    const look = () => {
      for (const { pathname } of messages.querySelectorAll('a')) announced.add(pathname);
    };
    new MutationObserver(look).observe(messages, { childList: true, subtree: true });
    Object.assign(window, { announced });
  });
  const customer = await newCustomer(shopUrl, 'Meera Joshi');
  await setAddress(customer);
  const id = await buyOverHttp(shopUrl, customer, [milkCake]);
  await page.waitForFunction((path) => Reflect.get(window, 'announced').has(path), `/admin/orders/${id}`);
});

test('the message about a new order covers no button in use @soak', async ({ page, shopUrl }) => {
  const customer = await newCustomer(shopUrl, 'Meera Joshi');
  await setAddress(customer);
  const id = await buyOverHttp(shopUrl, customer, [milkCake]);
  await signIn(page, 'Asha Rao');
  await watching(page, () => page.goto(`/admin/orders/${id}`));
  const news = page.getByRole('status').filter({ hasText: /^New order \d+/ });

  // A message would cover a dialog's buttons: it is shown when the dialog closes.
  await page.getByRole('button', { name: 'Edit address' }).click();
  await buyOverHttp(shopUrl, customer, [milkCake]);
  await page.waitForTimeout(1000);
  expect(await news.count()).toBe(0);

  // Nor does it stay for a pointer that was there first. Others buy, too: it may also make room for the next.
  // This page has a form: messages come at the top, away from the button that saves it.
  const { width } = page.viewportSize() ?? { width: 0 };
  const pointer = { x: width / 2, y: width < 900 ? 90 : 40 };
  await page.mouse.move(pointer.x, pointer.y);
  await page.keyboard.press('Escape');
  await expect(news).toBeVisible();
  const shown = await news.locator('p').innerText();
  const box = await news.boundingBox();
  expect(box && box.y < pointer.y && pointer.y < box.y + box.height, 'the pointer is on the message').toBe(true);
  await expect(page.getByText(shown, { exact: true })).toHaveCount(0);
});
