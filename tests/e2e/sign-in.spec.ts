import { expect, test } from './shop-page.ts';

test('a customer signs in, stays signed in and signs out', async ({ page }) => {
  await page.goto('/terms');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Continue as Priya Sharma' }).click();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
  expect(new URL(page.url()).search, 'the code is gone from the address').toBe('');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
  for (const own of ['/profile?tab=orders', '/profile']) {
    await page.goto(own);
    await expect(page.getByRole('link', { name: 'Logout' })).toBeVisible();
  }
  // What is still being read when the session ends would be refused.
  await page.waitForLoadState('networkidle');
  const tokens = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(await tokens()).toContain('refresh_token');
  await page.getByRole('link', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  expect(await tokens(), 'logging out leaves no token and no name in the browser').not.toMatch(/_token|Priya/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('a browser that blocks storage shows the shop, and says why logging in is not possible', async ({
  browser,
  shopUrl,
}) => {
  // Not watched: React Router's script for scrolling complains, and goes on.
  const page = await browser.newPage({ baseURL: shopUrl });
  await page.addInitScript(() => {
    for (const store of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, store, {
        get() {
          throw new DOMException('Access is denied', 'SecurityError');
        },
      });
  });
  await page.goto('/cart');
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(
    page.getByText('Your browser is blocking cookies, so you can’t log in. Allow them for this site and try again.'),
  ).toBeVisible();
  await page.close();
});

test.describe('when the network was lost for a moment', () => {
  test.use({ expectedErrors: /net::ERR_FAILED/ });

  test('Login works at the next press', async ({ page }) => {
    await page.goto('/terms');
    // The last part of the page has come: before that, the page itself would miss what is held back below.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /page-footer/.test(name)),
    );
    await page.waitForLoadState('networkidle');
    const others = /assets\/(?!session-work)[^/]*\.js/;
    await page.route(others, (route) => route.abort());
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page.getByText('Something went wrong. Please try again.')).toBeVisible();
    await page.unroute(others);
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveTitle('Demo sign-in');
  });
});

test('the demo sign-in offers its three people and a form for another name @soak', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveTitle('Demo sign-in');
  for (const name of ['Priya Sharma', 'Rahul Verma', 'Asha Rao']) {
    await expect(page.getByRole('button', { name: `Continue as ${name}` })).toBeVisible();
  }
  const name = 'मीरा <b>Joshi</b>';
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`meera-${process.pid}-${Date.now()}@example.com`);
  await page.getByRole('button', { name: 'Continue as someone else' }).click();
  await expect(page.getByRole('link', { name: `Profile of ${name}` })).toBeVisible();
});

test('signing in works from the keyboard alone', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Demo sign-in');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Continue as Priya Sharma' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Profile of Priya Sharma' })).toBeVisible();
});

test('signing in works under the address 127.0.0.1 too @soak', async ({ page, shopUrl }) => {
  const local = shopUrl.replace('localhost', '127.0.0.1');
  await page.goto(local);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Continue as Rahul Verma' }).click();
  await expect(page.getByRole('link', { name: 'Profile of Rahul Verma' })).toBeVisible();
  expect(page.url()).toBe(`${local}/`);
});

test('a cancelled or refused sign-in returns to the shop without a session', async ({ page }) => {
  await page.goto('/?error=access_denied&error_description=No+thanks');
  await expect(page.getByText('Login wasn’t completed. Please try again.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled();
  await expect(page).toHaveURL('/');
});
