import { expect, signIn, test } from './shop-page.ts';

test('a customer signs in, is greeted by name, stays signed in and signs out', async ({ page, isMobile: _ }) => {
  await signIn(page, 'Priya Sharma');
  await expect(page.getByText('Priya Sharma')).toBeAttached();
  expect(new URL(page.url()).search, 'the code is gone from the address').toBe('');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
});

test('the demo sign-in offers its three people and a form for everybody else', async ({ page }, { project }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page).toHaveTitle('Demo sign-in');
  for (const name of ['Priya Sharma', 'Rahul Verma', 'Asha Rao']) {
    await expect(page.getByRole('button', { name: `Continue as ${name}` })).toBeVisible();
  }
  await page.getByLabel('Name').fill('मीरा <b>Joshi</b>');
  await page.getByLabel('E-mail').fill(`meera-${project.name}-${Date.now()}@example.com`);
  await page.getByRole('button', { name: 'Continue as somebody else' }).click();
  await expect(page.getByText('मीरा <b>Joshi</b>')).toBeAttached();
});

test('signing in works from the keyboard alone', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Demo sign-in');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Continue as Priya Sharma' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
});

test('signing in works under the address 127.0.0.1 too', async ({ page, shopUrl }) => {
  const local = shopUrl.replace('localhost', '127.0.0.1');
  await page.goto(local);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: 'Continue as Rahul Verma' }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  expect(page.url()).toBe(`${local}/`);
});

test('the name in the page is the session’s own: an administrator is the user the database knows', async ({
  page,
  shopUrl,
}) => {
  await signIn(page, 'Asha Rao');
  const { key } = (await (await page.request.get(`${shopUrl}/env.json`)).json()) as { key: string };
  const answer = await page.evaluate(async (apikey) => {
    const session = JSON.parse(localStorage.getItem('mithaas-session') ?? 'null') as {
      access_token: string;
      user: { id: string };
    };
    const response = await fetch('/rest/v1/rpc/is_administrator', {
      method: 'POST',
      headers: { apikey, authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: session.user.id }),
    });
    return response.json();
  }, key);
  expect(answer).toBe(true);
});
