import { openHome } from './home-visit.ts';
import { bringFontsLate, expectAccessible, expectStill } from './page-quality.ts';
import { expect, type Page, test } from './shop-page.ts';

const catalogue = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: 'A Taste Of Authenticity' }) });
const cardOf = (page: Page, name: string) =>
  catalogue(page)
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

test('the first page shows the sweets of the database with price and picture', async ({ page }) => {
  await page.goto('/');
  const card = cardOf(page, 'Besan Laddu');
  await expect(card).toContainText('₹');
  const picture = card.locator('img');
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  await expect(page.getByRole('heading', { name: /Samosa/ })).toHaveCount(0);
});

test('a product is added to the cart from its card, and its name opens the product', async ({ page }) => {
  await openHome(page);
  await cardOf(page, 'Besan Laddu').getByRole('button', { name: 'Add Besan Laddu to Cart' }).click();
  await expect(page.getByText('Added 1x Besan Laddu (500g) to cart')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Cart/ })).toContainText('1');
  await cardOf(page, 'Besan Laddu').getByRole('link', { name: 'Besan Laddu' }).click();
  await expect(page).toHaveURL(/\?product=Besan\+Laddu$/);
});

test('everything is there, in order', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('complementary', { name: 'Greeting' })).toBeVisible();
  const parts = [
    page.getByRole('region', { name: 'From our kitchen', exact: true }),
    page.getByRole('region', { name: 'Browse the shop' }),
    page.getByRole('heading', { level: 2, name: 'A Taste Of Authenticity' }),
    page.getByRole('link', { name: 'Try Them All' }),
    page.getByRole('heading', { name: 'There is no quick way to stir halwa' }),
    page.getByRole('heading', { name: 'Combo Packs' }),
    page.getByRole('button', { name: 'Order In Bulk' }),
    page.getByRole('heading', { name: 'From our kitchen to your door' }),
    page.getByRole('link', { name: 'Order Now' }),
    page.getByRole('heading', { name: 'What our customers say' }),
    page.getByRole('contentinfo'),
  ];
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? Number.NaN));
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await expect(page.getByRole('link', { name: 'Try Them All' })).toHaveAttribute('href', '/shop');
  await expect(page.getByRole('link', { name: 'Order Now' })).toHaveAttribute('href', '/shop');
  for (const pack of ['Halwa', 'Chocolate', 'Laddu', 'Family']) {
    const link = page.getByRole('region', { name: 'Combo Packs' }).getByRole('link', { name: `${pack} Combo Pack` });
    await expect(link).toHaveAttribute('href', /^\/product\/\d+$/);
  }
});

test('a visitor finds shortcuts before the catalogue: by kind, by occasion, and reasons to trust', async ({ page }) => {
  await page.goto('/');
  const ways = page.getByRole('region', { name: 'Browse the shop' });
  for (const [name, address] of [
    ['Laddu', '/shop?category=laddu'],
    ['Halwa', '/shop?category=halwa'],
    ['Chocolate', '/shop?category=chocolate'],
    ['Gift boxes', '/shop?category=gift'],
    ['Takeaway', '/shop?category=takeaway'],
    ['Diwali & festivals', '/shop?tab=gifts'],
    ['Weddings', '/shop?tab=gifts&price=above-400'],
    ['A thank you', '/shop?category=chocolate'],
    ['Under ₹500', '/shop?price=below-500'],
  ] as const)
    await expect(ways.getByRole('link', { name, exact: true })).toHaveAttribute('href', address);
  await expect(ways.locator('img')).toHaveCount(5);
  await expect(ways.getByRole('list', { name: 'Why buy here' }).getByRole('listitem')).toContainText([
    'Made on the day',
    'Delivery date',
    /FSSAI licensed \d{14}/,
    /Rated \d\.\d out of 5 in [\d,]+ reviews/,
  ]);
  await ways.getByRole('link', { name: 'Laddu' }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 2, name: 'Laddu' })).toBeVisible();
});

test('the catalogue fills rows of 2 up to 768 px and of 3 above', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/');
  const all = await catalogue(page).locator('li').count();
  expect(all).toBeGreaterThan(5);
  for (const [width, perRow] of [
    [390, 2],
    [768, 2],
    [769, 3],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const shown = catalogue(page).locator('li:visible');
    await expect(shown, `at ${width} px`).toHaveCount(all - (all % perRow));
    const tops = await shown.evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().top)));
    expect(
      tops.filter((top) => top === tops[0]),
      `at ${width} px`,
    ).toHaveLength(perRow);
    expect(
      tops.filter((top) => top === tops.at(-1)),
      `at ${width} px`,
    ).toHaveLength(perRow);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('content and links are there, and no button that does nothing', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Besan Laddu', exact: true })).toBeVisible();
    await expect(page.getByRole('complementary', { name: 'Greeting' })).toBeVisible();
    const slides = page.getByRole('region', { name: 'From our kitchen', exact: true });
    await expect(slides.getByRole('group').first().getByRole('link')).toHaveAttribute('href', /^\/shop/);
    await expect(page.getByRole('link', { name: 'Halwa Combo Pack' }).first()).toBeVisible();
    const packs = page.getByRole('region', { name: 'Combo Packs' });
    await expect(packs.locator('a[href^="mailto:"]')).toBeVisible();
    await expect(packs.locator('a[href^="https://wa.me/"]')).toBeVisible();
    for (const name of ['Order In Bulk', 'Dismiss greeting', 'Pause slides', 'Next slide']) {
      await expect(page.getByRole('button', { name })).toBeHidden();
    }
    await page.getByRole('link', { name: 'Order Now' }).click();
    await expect(page).toHaveURL(/\/shop$/);
  });
});

test('visitors do not download supabase-js', async ({ page }) => {
  const coming: Promise<string>[] = [];
  page.on('response', (response) => {
    // One that comes when the test is over is not read.
    if (response.url().endsWith('.js')) coming.push(response.text().catch(() => ''));
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const scripts = await Promise.all(coming);
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((text) => text.includes('exchangeCodeForSession(')).length).toBe(0);
});

test('the page is accessible, in light and in dark', async ({ page }) => {
  await openHome(page);
  await page.getByRole('heading', { name: 'What our customers say' }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('listitem').filter({ has: page.locator('blockquote') })).toHaveCount(5);
  await expectAccessible(page);
});

test('nothing is wider than the screen, down to 320 pixels @soak', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openHome(page);
  await page.getByRole('heading', { name: 'What our customers say' }).scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('nothing shifts while the page loads and is scrolled', { tag: '@wide' }, async ({ page }) => {
  await bringFontsLate(page);
  await openHome(page);
  await readDown(page);
  await expectStill(page);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('button', { name: 'Dismiss greeting' }).click();
  await openHome(page);
  await readDown(page);
  await expectStill(page);
});

async function readDown(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let top = 0; top < height; top += 700) {
    // Two frames, so that what comes into view is laid out before going on.
    await page.evaluate((y) => {
      window.scrollTo(0, y);
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }, top);
  }
  await expect(page.getByRole('listitem').filter({ has: page.locator('blockquote') })).toHaveCount(5);
}
