import { expect, type Page, signIn, signInAsNewCustomer, test } from './shop-page.ts';

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });

async function putInCookies(page: Page, url: string, lists: { cart?: unknown; checkout?: unknown }) {
  await page
    .context()
    .addCookies(
      Object.entries(lists).map(([name, list]) => ({ name, value: encodeURIComponent(JSON.stringify(list)), url })),
    );
}

test('a visitor finds Home, Shop, Cart, Buy and Login on every page', async ({ page }) => {
  for (const path of ['/', '/shop', '/cart', '/terms', '/profile']) {
    await page.goto(path);
    await expect(main(page).getByRole('link').filter({ hasNotText: 'Search' })).toHaveText(['Home', 'Shop', 'Cart']);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Buy', exact: true })).toHaveAttribute(
      'href',
      '/shop',
    );
    await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Console' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: /^Profile of/ })).toHaveCount(0);
  }
});

test('the links of the bar lead where they say, and show where one is @soak', async ({ page }) => {
  await page.goto('/terms');
  for (const [name, path] of [
    ['Shop', '/shop'],
    ['Cart', '/cart'],
    ['Home', '/'],
  ] as const) {
    const link = main(page).getByRole('link', { name });
    await link.click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(link).toHaveAttribute('aria-current', 'page');
  }
  await page.getByRole('banner').getByRole('link', { name: 'Buy', exact: true }).click();
  await expect(page).toHaveURL(/\/shop$/);
});

test('the main links are at the bottom of a screen of at most 768 px, and on top of a wider one', async ({ page }) => {
  await page.goto('/terms');
  for (const [width, isAtBottom] of [
    [768, true],
    [769, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const box = await main(page).boundingBox();
    expect((box?.y ?? 0) > 400, `at ${width} px`).toBe(isAtBottom);
  }
});

test('the badge counts cart and checkout together', async ({ page, shopUrl }) => {
  await putInCookies(page, shopUrl, { cart: { 9: { 500: 2, 1000: 1 } }, checkout: { 10: { 500: 4 } } });
  await page.goto('/terms');
  await expect(main(page).getByRole('link', { name: 'Cart, 7 items' })).toBeVisible();
});

test('one item is called one item @soak', async ({ page, shopUrl }) => {
  await putInCookies(page, shopUrl, { cart: { 9: { 500: 1 } } });
  await page.goto('/terms');
  await expect(main(page).getByRole('link', { name: 'Cart, 1 item', exact: true })).toBeVisible();
});

test('the keyboard reaches Search in the bar of a phone, with and without JavaScript', async ({
  page,
  browser,
  shopUrl,
}) => {
  await page.goto('/terms');
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => window.scrollTo(0, 400));
  await main(page).getByRole('link', { name: 'Search' }).press('Enter');
  // A combobox as soon as its suggestions have come.
  await expect(page.getByRole('search').locator('input')).toBeFocused();
  await expect(page.getByRole('search').locator('form'), 'whole, though the page is scrolled').toBeInViewport({
    ratio: 1,
  });
  await expect(page).toHaveURL(/\/terms$/);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: shopUrl,
    viewport: page.viewportSize(),
  });
  const plain = await context.newPage();
  await plain.goto('/terms');
  await main(plain).getByRole('link', { name: 'Search' }).click();
  await plain.keyboard.type('ladoo');
  await plain.keyboard.press('Enter');
  await expect(plain).toHaveURL(/\/shop\?q=ladoo/);
  await expect(plain.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('Results');
  await context.close();
});

test('without JavaScript, Login leads to the profile and a product says what buying needs', async ({
  browser,
  shopUrl,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shopUrl });
  const page = await context.newPage();
  await page.goto('/product/9');
  // Playwright's texts and roles leave <noscript> out.
  const note = page.locator('main noscript > p');
  await expect(note).toBeVisible();
  expect(await note.innerText()).toContain('Turn on JavaScript to buy online');
  await expect(page.getByRole('button', { name: /Add to Cart|Buy Now/ })).toHaveCount(0);
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/profile\??$/);
  expect(await page.locator('main noscript > p').innerText()).toContain(
    'Turn on JavaScript to see your profile and orders',
  );
  await context.close();
});

test('an empty or broken cart has no badge', async ({ page, shopUrl }) => {
  await page.goto('/terms');
  await expect(main(page).getByRole('link', { name: 'Cart' })).toHaveText('Cart');
  await putInCookies(page, shopUrl, { cart: ['<script>'], checkout: { 9: { 500: -3, 700: 2 }, x: { 500: 1 } } });
  await page.reload();
  await expect(main(page).getByRole('link', { name: 'Cart' })).toHaveText('Cart');
});

test('a customer has the profile picture and no console button', async ({ page }) => {
  const { name } = await signInAsNewCustomer(page);
  const asked = page.waitForResponse((response) => response.url().includes('/rpc/is_administrator'));
  await page.goto('/terms');
  await asked;
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Console' })).toHaveCount(0);
  await page.getByRole('link', { name: `Profile of ${name}` }).click();
  await expect(page).toHaveURL(/\/profile$/);
});

test('an administrator has the console button', async ({ page }) => {
  await signIn(page, 'Asha Rao');
  await page.goto('/terms');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Console' })).toHaveAttribute('href', '/admin');
  await page.goto('/logout');
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Console' })).toHaveCount(0);
});

test('signing in returns to the page the visitor was on', async ({ page }) => {
  await page.goto('/terms?policy=privacy');
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Continue as Rahul Verma' }).click();
  await expect(page.getByRole('link', { name: 'Profile of Rahul Verma' })).toBeVisible();
  await expect(page).toHaveURL(/\/terms\?policy=privacy$/);
  await expect(page.getByRole('heading', { name: 'Privacy policy' })).toBeVisible();
});

test('the category shortcuts of the footer land on their filter @soak', async ({ page }) => {
  for (const category of ['Halwa', 'Chocolate', 'Laddu']) {
    await page.goto('/terms');
    await page.getByRole('contentinfo').getByRole('link', { name: category }).click();
    await expect(page).toHaveURL((url) => url.pathname + url.search === `/shop?category=${category.toLowerCase()}`);
    await expect(page.getByRole('main').getByRole('heading', { level: 2, name: category })).toBeVisible();
  }
});

test('the policy links of the footer show the policy they name @soak', async ({ page }) => {
  for (const [link, heading] of [
    ['Shipping and refund', 'Shipping and refund policy'],
    ['Privacy', 'Privacy policy'],
    ['Terms', 'Governing law'],
  ] as const) {
    await page.goto('/terms?policy=nothing-here');
    await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).click();
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
});

test('the footer says how to reach the shop', async ({ page }) => {
  await page.goto('/terms');
  const contact = page.getByRole('contentinfo').getByRole('navigation', { name: 'Contact' });
  await expect(contact.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /^https:\/\/wa\.me\/91\d{10}$/);
  await expect(contact.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/);
  await expect(contact.getByRole('link', { name: 'Instagram' })).toHaveAttribute('href', /^https:/);
  await expect(contact.getByRole('link', { name: 'Facebook' })).toHaveAttribute('href', /^https:/);
});

test('without JavaScript every link of bar and footer is there', async ({ browser, shopUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: shopUrl });
  const page = await context.newPage();
  await page.goto('/terms');
  await main(page).getByRole('link', { name: 'Shop' }).click();
  await expect(page).toHaveURL(/\/shop$/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await expect(page.getByRole('heading', { name: 'Privacy policy' })).toBeVisible();
  await context.close();
});

test('an unknown address says that the page was not found, in the title of its tab too', async ({
  browser,
  shopUrl,
}) => {
  // A page of its own: browsers count a page with status 404 as an error in the console.
  const page = await browser.newPage();
  await page.goto(`${shopUrl}/nothing-here`);
  await expect(page).toHaveTitle('We can’t find that page');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Halwa' })).toBeVisible();
  await expect(page.locator('main img')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Go to the shop' }).click();
  await expect(page).toHaveURL(`${shopUrl}/shop`);
  await page.close();
});
