import { expect, type Page, signIn, test } from './shop-page.ts';

test.use({ expectedErrors: /status of 503/ });

/** Searched for, so that the rows of other tests do not matter. */
const lists = [
  { path: '/admin/orders?q=2500', main: (page: Page) => page.getByRole('link', { name: '2500', exact: true }) },
  { path: '/admin/customers?q=priya%40example.com', main: (page: Page) => page.getByText('priya@example.com') },
  {
    path: '/admin/inventory?search=Dark+Chocolate',
    main: (page: Page) => page.getByRole('button', { name: 'Adjust stock of Dark Chocolate Almond Bark' }),
  },
  {
    path: '/admin/expenses?q=Accountant',
    main: (page: Page) => page.getByRole('cell', { name: '₹3,000' }).first(),
  },
  {
    path: '/admin/settings?tab=delivery',
    main: (page: Page) => page.getByRole('link', { name: 'North-East and Sikkim' }),
  },
  { path: '/admin/purchases/new', main: (page: Page) => page.getByRole('button', { name: 'Save draft' }) },
];

test('on a tablet the lists fit the screen, with their amounts and buttons', async ({ page }) => {
  await signIn(page, 'Asha Rao');
  for (const { path, main } of lists) {
    await page.goto(path);
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(main(page)).toBeVisible();
      expect(await widestOverflow(page), `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test('turned sideways the bar is at the top, and a bar of tabs shows the open one', async ({ page }) => {
  await signIn(page, 'Asha Rao');
  await page.goto('/admin/settings?tab=search');
  await expect(page.getByRole('link', { name: 'Search words' })).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 667, height: 375 });
  const bar = page.getByRole('navigation', { name: 'Daily work' });
  await expect(bar.getByRole('button', { name: 'Menu' })).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 200));
  await expect(bar).not.toBeInViewport();
});

test('a dashboard that could not be loaded says so, and Try again brings its numbers', async ({ page }) => {
  await signIn(page, 'Asha Rao');
  const questions = /\/rpc\/admin_read_(work|dashboard)$/;
  await page.route(questions, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/admin/dashboard');
  const tile = page.getByRole('list', { name: 'To do' }).getByRole('link', { name: 'To confirm' });
  await expect(tile).toContainText('—');
  await page.unroute(questions);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(tile).toContainText(/\d/);
  await expect(page.getByText('Revenue', { exact: true })).toBeVisible();
});

/** How far the page, or a table in its frame, is wider than the room it has. */
const widestOverflow = (page: Page) =>
  page.evaluate(() => {
    const frames = [
      document.documentElement,
      ...[...document.querySelectorAll('table')].map((table) => table.parentElement),
    ];
    return Math.max(...frames.map((frame) => (frame ? frame.scrollWidth - frame.clientWidth : 0)));
  });
