import sharp from 'sharp';
import { connectToShop, newMark } from '../support/rows.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, test as shopTest, signIn } from './shop-page.ts';

const test = shopTest.extend<{ sql: Awaited<ReturnType<typeof connectToShop>> }>({
  sql: async ({ page }, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await signIn(page, 'Asha Rao');
    await use(sql);
    await sql.end();
  },
});

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#e8892b' } })
    .png()
    .toBuffer();
const file = async (width: number, height: number) => ({
  name: 'festival.png',
  mimeType: 'image/png',
  buffer: await picture(width, height),
});
/** Of the calendar, the names that begin in their bar and end outside it, or the other way round. */
const halfOverTheirBars = (page: Page) =>
  page.getByRole('region', { name: / to / }).evaluate((strip) =>
    [...strip.querySelectorAll('li:has(a)')].flatMap((line) => {
      const [bar, name] = [line.firstElementChild, line.querySelector('a')].map((part) =>
        part?.getBoundingClientRect(),
      );
      if (!bar || !name) return ['nothing to see'];
      const isInside = name.left >= bar.left && name.right <= bar.right;
      return isInside || name.left >= bar.right || name.right <= bar.left ? [] : [line.textContent];
    }),
  );
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();

// Far ahead and not published, so that no other test's home page changes.
test('a festival is set up, looked at on its day, and gives way to a greater one @soak', async ({ page, sql }) => {
  const [title, rival] = [newMark('Utsav'), newMark('Greater')];
  await sql`insert into public.greetings (title, starts_at, ends_at, priority)
    values (${rival}, '2031-03-03 00:00+05:30', '2031-03-04 00:00+05:30', 900)`;
  await page.goto('/admin/greetings');
  await page.getByRole('button', { name: 'Add greeting' }).click();
  const form = page.getByRole('dialog', { name: 'New greeting' });
  await form.getByLabel('Title', { exact: true }).fill(title);
  await form.getByRole('textbox', { name: 'Message' }).fill('Sweets for the whole street.');
  await form.getByLabel('Link').fill('javascript:alert(1)');
  await form.getByLabel('From (India)').fill('2031-03-02T00:00');
  await form.getByLabel('Until (India)').fill('2031-03-01T00:00');
  await form.getByLabel('Priority').fill('800');
  await save(page);
  await expect(form.getByText('Enter a path such as /shop, or a link starting with https://.')).toBeVisible();
  await form.getByLabel('Link').fill('/shop?tab=gifts');
  await save(page);
  await expect(form.getByText('Must be after the start.')).toBeVisible();
  await form.getByLabel('Until (India)').fill('2031-03-05T00:00');
  await expect(
    form.getByText(
      `Shown 2 Mar 2031; 4 Mar 2031. The rest of the time: ${rival} (priority 900). It overrides Something sweet for today on 2 Mar 2031 and on 4 Mar 2031.`,
    ),
  ).toBeVisible();
  await form.getByLabel('Picture file').setInputFiles(await file(900, 500));
  await form.getByLabel('Fireworks when the page opens').check();
  await save(page);
  await expect(form).toBeHidden();

  const shown = page.getByRole('status', { name: 'Banner at this time' });
  const lookAt = (moment: string) => page.getByLabel('As of (India)').fill(moment);
  await lookAt('2031-03-02T09:00');
  await expect(shown).toContainText(`${title}. Sweets for the whole street.`);
  await expect(shown).toContainText('with fireworks');
  const [row] = await sql`select image, has_fireworks from public.greetings where title = ${title}`;
  const stored = await page.request.get(row?.image);
  expect(stored.headers()['content-type']).toBe('image/webp');
  expect((await sharp(await stored.body()).metadata()).width).toBe(192);
  await lookAt('2031-03-03T12:00');
  await expect(shown).toContainText(rival);
  expect(await halfOverTheirBars(page)).toEqual([]);
  await expect(page.getByRole('list', { name: /^Greetings shown/ })).toContainText(`${rival}: 3 Mar 2031`);
  await expectAccessible(page);

  // Another administrator is faster; then it can be saved.
  await page.getByRole('link', { name: title }).first().click();
  const edit = page.getByRole('dialog', { name: title });
  await edit.getByRole('textbox', { name: 'Message' }).fill('x');
  await sql`update public.greetings set priority = 801 where title = ${title}`;
  await save(page);
  await expect(edit.getByRole('alert')).toContainText('Changed by someone else.');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  const listed = page.getByRole('row').filter({ hasText: title });
  if ((page.viewportSize()?.width ?? 0) < 768) {
    await expect(page.getByRole('row').filter({ has: page.getByRole('link') })).toHaveCount(10);
    await page.getByRole('button', { name: /^Show all \d/ }).click();
  }
  await expect(listed).toContainText('801');
  await page.getByRole('link', { name: title }).first().click();
  await edit.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: title })).toHaveCount(0);
  await expect.poll(async () => (await page.request.get(row?.image)).ok()).toBe(false);
  await sql`delete from public.greetings where title = ${rival}`;
});

test('a slide is added with its picture, moved by keyboard and deleted @soak', async ({ page, sql }) => {
  const title = newMark('Slide');
  await page.goto('/admin/greetings?tab=slides');
  const items = page.getByRole('list', { name: 'slides' }).getByRole('listitem');
  await expect(items.first()).toBeVisible();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'New slide' });
  await form.getByLabel('Title', { exact: true }).fill(title);
  await form.getByLabel('Button text').fill('Look');
  await form.getByLabel('Published').uncheck();
  await save(page);
  await expect(form.getByText('Choose a picture.')).toBeVisible();
  await form.getByLabel('Picture file').setInputFiles(await file(300, 200));
  await expect(form.getByText('This picture is too small. It needs to be at least 640 pixels wide.')).toBeVisible();
  await form.getByLabel('Picture file').setInputFiles(await file(1800, 1200));
  await expect(form.getByText('This picture is too small')).toHaveCount(0);
  await save(page);
  await expect(form).toBeHidden();
  const [row] = await sql`select background_img as image from public.caurousel where title = ${title}`;
  expect(row?.image).toMatch(/-1600\.webp$/);
  const small = await page.request.get(String(row?.image).replace('-1600', '-640'));
  expect(await sharp(await small.body()).metadata()).toMatchObject({ width: 640, height: 360 });

  await expect(items.last()).toContainText(title);
  await page.getByRole('link', { name: title }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByText(`${title} is now`)).toBeAttached();
  await page.getByRole('button', { name: 'Save positions' }).click();
  await expect(page.getByText('Positions saved.')).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(items.last()).not.toContainText(title);
  await page.getByRole('link', { name: title }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: title })).toHaveCount(0);
});

test.describe('two administrators', () => {
  test.use({ expectedErrors: /status of 409/ });

  test('an owner who reorders testimonials sees what another administrator changed in the meantime @soak', async ({
    page,
    sql,
  }) => {
    const [title, other] = [newMark('Mine'), newMark('Other')];
    const add = (name: string, position: number) => sql`
      insert into public.testimonials (title, author, text, stars, position, is_published)
      values (${name}, 'A customer', 'Good.', 5, ${position}, false)`;
    await add(title, 900);
    await page.goto('/admin/greetings?tab=testimonials');
    const items = page.getByRole('list', { name: 'testimonials' }).getByRole('listitem');
    await items.last().scrollIntoViewIfNeeded();
    await expect(items.last()).toContainText(title);
    const dragged = await items.last().boundingBox();
    const above = await items.nth(-2).boundingBox();
    if (!dragged || !above) throw new Error('nothing to drag');
    await page.mouse.move(dragged.x + 26, dragged.y + dragged.height / 2);
    await page.mouse.down();
    await page.mouse.move(above.x + 26, above.y + 8, { steps: 5 });
    await page.mouse.up();
    await expect(items.nth(-2)).toContainText(title);
    await add(other, 901);
    await page.getByRole('button', { name: 'Save positions' }).click();
    await expect(page.getByText('This list was changed by someone else.')).toBeVisible();
    await expect(items.last()).toContainText(other);
    await expect(items.nth(-2)).toContainText(title);
    await page.getByRole('button', { name: `Publish ${title}` }).click();
    await expect(page.getByRole('button', { name: `Hide ${title}` })).toBeVisible();
    await sql`delete from public.testimonials where title in (${title}, ${other})`;
  });
});
