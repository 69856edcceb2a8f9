import { connectToShop, newMark } from '../support/rows.ts';
import { expect, test as shopTest, signIn } from './shop-page.ts';

const test = shopTest.extend<{ sql: Awaited<ReturnType<typeof connectToShop>> }>({
  sql: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await signIn(page, 'Asha Rao');
    await use(sql);
    await sql.end();
  },
});

test.use({
  expectedErrors: /ERR_FAILED|status of (404|409)|dynamically imported module|Error loading route module|Error: broken/,
});

test('unsaved input is not lost by Back, Escape, another tab, another administrator or a lost response', async ({
  page,
  sql,
}) => {
  const title = newMark('Careful');
  const leave = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  const stay = () => leave.getByRole('button', { name: 'Keep editing' });

  // An answer that never comes: sent again, it is one testimonial, and the last in the list.
  await page.goto('/admin/greetings?tab=testimonials');
  await page.getByRole('button', { name: 'Add testimonial' }).click();
  const form = page.getByRole('dialog', { name: 'New testimonial' });
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Testimonial').fill('Good.');
  await form.getByLabel('Author').fill('A customer');
  await form.getByLabel('Published').uncheck();
  await page.route(
    (url) => url.pathname.endsWith('/testimonials'),
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByText('The shop didn’t respond. Check your connection and try again.')).toBeVisible();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form).toBeHidden();
  expect(await sql`select 1 from public.testimonials where title = ${title}`).toHaveLength(1);

  // Back and Escape ask before leaving; after a conflict the administrator can still save.
  await page.getByRole('link', { name: title }).click();
  const edit = page.getByRole('dialog', { name: title });
  await edit.getByLabel('Testimonial').fill('Mine.');
  await page.goBack();
  await expect(stay()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(leave).toBeHidden();
  await edit.getByLabel('Testimonial').press('Escape');
  await expect(leave).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(leave).toBeHidden();
  await expect(edit.getByLabel('Testimonial')).toHaveValue('Mine.');
  await sql`update public.testimonials set text = 'Theirs.' where title = ${title}`;
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(edit.getByRole('alert')).toContainText(
    'Save again to replace their version with yours, or cancel to see theirs.',
  );
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(edit).toBeHidden();
  expect((await sql`select text from public.testimonials where title = ${title}`)[0]?.text).toBe('Mine.');

  // An order that is not saved yet.
  await page.getByRole('link', { name: title }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('link', { name: 'Slides' }).click();
  await stay().click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Greetings' })).toBeFocused();
  await sql`delete from public.testimonials where title = ${title}`;

  // A year of two digits is none.
  await page.goto('/admin/greetings?open=new');
  const banner = page.getByRole('dialog', { name: 'New greeting' });
  await banner.getByLabel('Title').fill(title);
  await banner.getByLabel('From (India)').fill('0026-11-08T00:00');
  await banner.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(banner.getByText('Choose a year between 2000 and 2099.')).toBeVisible();
  await banner.getByLabel('From (India)').fill('2024-11-08T00:00');
  await banner.getByLabel('Until (India)').fill('2024-11-09T00:00');
  await expect(banner.getByText('These dates are in the past, so nobody will see it.')).toBeVisible();
});

test('an error on one screen leaves the rest of the console usable, also by keyboard @soak', async ({ page, sql }) => {
  void sql;
  await page.goto('/admin/orders');
  await expect(page.getByRole('table')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('b');
  await expect(page.getByRole('region', { name: 'Selected orders' }).getByRole('button').first()).toBeFocused();

  // A screen that throws leaves the menu in reach, and can be tried again.
  const broken = `export const handle = { title: 'Expenses' };
    export default () => { if (!window.isMended) throw new Error('broken'); return 'Expenses again'; };`;
  await page.route(
    (url) => /\/assets\/expenses-[^/]*\.js$/.test(url.pathname),
    (route) => route.fulfill({ contentType: 'text/javascript', body: broken }),
  );
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByText('We couldn’t load this.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Something went wrong' })).toBeFocused();
  await expect(page.getByRole('navigation', { name: 'Daily work' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isMended: true }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Expenses again')).toBeVisible();
  await page.unrouteAll();

  // After a release a file has another name: the document is loaded again, once, and knows it.
  await page.goto('/admin/orders');
  await expect(page.getByRole('table')).toBeVisible();
  await page.route(
    (url) => /\/assets\/vendors-[^/]*\.js$/.test(url.pathname),
    (route) => route.fulfill({ status: 404 }),
    { times: 1 },
  );
  const reloaded = page.waitForEvent('load');
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await reloaded;
  await expect(page.getByRole('table')).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await expect(page.getByRole('heading', { level: 1, name: 'Vendors' })).toBeVisible();
});
