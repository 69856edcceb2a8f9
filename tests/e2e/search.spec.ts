import { connectToShop } from '../support/rows.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, type Page, signIn, test } from './shop-page.ts';

const field = (page: Page) => page.getByRole('search').locator('input');
/** On a phone the field comes over the bar. */
async function openSearch(page: Page): Promise<void> {
  const icon = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Search' });
  if (await icon.isVisible()) await icon.click();
}
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');

test('a misspelled sweet is found and opened with the keyboard alone, and what is typed early is not lost @wide', async ({
  page,
}) => {
  let suggestionsCame = false;
  await page.route(/\/assets\/suggestions-.*\.js/, async (route) => {
    await expect(field(page)).toHaveValue('kaju ktli'); // typed before the page was ready
    suggestionsCame = true;
    await route.continue();
  });
  await page.goto('/terms');
  expect(suggestionsCame).toBe(false); // no field has the focus
  // Once the field's own code is there, a moment after the page.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(field(page)).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.type('kaju ktli');
  await expect(options(page)).toHaveText([
    /^Kaju Katli Silver Box\s*Gift\s*₹950/,
    /^Kaju Chocolate Katli/,
    /./,
    /./,
    /See all 4/,
  ]);
  await expectAccessible(page);
  const combobox = page.getByRole('combobox', { name: 'Search sweets' });
  await expect(combobox).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true');
  await expect(combobox).toHaveAttribute(
    'aria-activedescendant',
    (await options(page).first().getAttribute('id')) ?? '',
  );
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Kaju Katli Silver Box' })).toBeVisible();
  await expect(options(page)).toHaveCount(0);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('the field leads to what was found, and keeps the word', async ({ page }) => {
    await page.goto('/shop');
    await openSearch(page);
    await field(page).fill('gajar ka halva');
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveTitle(/^Search: gajar ka halva · /);
    await expect(field(page)).toHaveValue('gajar ka halva');
    await expect(page.getByText('3 items', { exact: true })).toBeVisible();
    await expect(page.getByRole('article').first()).toContainText('Gajar Halwa');
    await field(page).fill('ghevar');
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing found for “ghevar”' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Ask on WhatsApp' })).toHaveAttribute('href', /wa\.me.*ghevar/);
    await expect(page.getByRole('article')).toHaveCount(8);
  });
});

test.describe('on a bad connection', () => {
  test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });
  test('a late response never replaces a newer one, and a lost connection is reported', async ({ page, context }) => {
    let letOldAnswerGo = () => {};
    const held = new Promise<void>((resolve) => {
      letOldAnswerGo = resolve;
    });
    await page.route(/search_products\?query=gajar&/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/terms');
    await openSearch(page);
    await field(page).fill('gajar');
    const asked = page.waitForRequest(/query=gajar&/);
    await asked;
    await field(page).fill('besan');
    await expect(options(page).first()).toContainText('Besan Laddu');
    const late = page.waitForResponse(/query=gajar&/);
    letOldAnswerGo();
    await (await late).finished();
    await expect(options(page).first()).toContainText('Besan Laddu');

    await context.setOffline(true);
    await field(page).fill('jalebi');
    await expect(page.getByText('We can’t reach the shop right now. Please check your connection.')).toBeVisible();
    await page.keyboard.press('Enter'); // stays on the page
    await expect(page.getByText('We can’t reach the shop right now. Please check your connection.')).toBeVisible();
    await expect(field(page)).toHaveValue('jalebi');
    await expect(page).toHaveURL(/\/terms(#search-field)?$/);
    await context.setOffline(false);
    await expect(options(page).first()).toContainText('Hot Jalebi');

    // The answer does not come: a sign of work at once, then the page says what is wrong and can be asked again.
    let letItFail = () => {};
    const failing = new Promise<void>((resolve) => {
      letItFail = resolve;
    });
    await page.route(/shop\.data\?/, async (route) => {
      await failing;
      await route.abort();
    });
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status').getByText('Loading…')).toBeAttached();
    await expect(field(page)).toHaveValue('jalebi');
    letItFail();
    await expect(page.getByRole('heading', { name: 'We can’t reach the shop right now' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await expect(field(page)).toHaveValue('jalebi');
    await page.unroute(/shop\.data\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article').first()).toContainText('Hot Jalebi');
  });
});

test('the owner adds a synonym for a search without results, and customers find the product @soak', async ({
  page,
  shopUrl,
}) => {
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  const word = `zu${[...Date.now().toString(8)].map((digit) => 'bdfgklmn'[Number(digit)]).join('u')}`;
  try {
    const html = await (await page.request.get(`/shop?q=${word}`)).text();
    expect(html).toContain('Nothing found for');
    await page.request.get(`/shop?q=${word.toUpperCase()}`);

    await signIn(page, 'Asha Rao');
    await page.goto('/admin/settings?tab=search');
    await page.getByRole('button', { name: `Add meaning of ${word}` }).click();
    const dialog = page.getByRole('dialog', { name: `What does “${word}” mean?` });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Enter at least two words that mean the same')).toBeVisible();
    await dialog.getByLabel('Words').fill(`${word}, karachi halwa`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: `${word}, karachi halwa` })).toBeVisible();
    await expect(page.getByRole('button', { name: `Add meaning of ${word}` })).toBeHidden();
    await expectAccessible(page);

    await page.goto(`${shopUrl}/shop?q=${word}`);
    await expect(page.getByRole('heading', { name: `Results for “${word}”` })).toBeVisible();
    await expect(page.getByRole('article').first()).toContainText('Karachi Halwa');
  } finally {
    await sql`delete from private.search_synonyms where ${word} = any (words)`;
    await sql.end();
  }
});
