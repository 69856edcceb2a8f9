import { connectToShop, insertPaidOrder, insertProduct, insertReview, insertUser } from '../support/rows.ts';
import { newCustomer, userIdOf } from '../support/visitor.ts';
import { expectAccessible } from './page-quality.ts';
import { expect, haveSession, type Page, test } from './shop-page.ts';

// Products of their own for each width, because both run beside each other and count reviews.
const products = {
  phone: { mine: '/product/11' },
  desktop: { mine: '/product/12' },
};
const productsOf = (project: { name: string }) => products[project.name as keyof typeof products];

// Where no other test counts what the shop lists.
const unseen = { category: 'Takeaway', price: 5000 } as const;

const reviews = (page: Page) => page.getByRole('region', { name: /^Reviews of/ });
const review = (page: Page, text: string) => reviews(page).getByRole('listitem').filter({ hasText: text });
const message = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text);
const count = async (page: Page) => Number(/(\d+) reviews?/.exec(await reviews(page).innerText())?.[1] ?? 0);
let people = 0;

/** A new customer logs in from the reviews of a product and returns there. */
async function comeAsNewCustomer(page: Page, product: string, name = 'Meera Joshi'): Promise<void> {
  people += 1;
  await page.goto(product);
  await reviews(page).getByRole('button', { name: 'Log in to review' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`reviewer-${process.pid}-${Date.now()}-${people}@example.com`);
  await page.getByRole('button', { name: 'Continue as someone else' }).click();
  await expect(page).toHaveURL(`${product}#reviews`, { timeout: 15_000 });
  await expect(reviews(page).getByRole('form', { name: 'Write a review' })).toBeVisible();
}

async function write(page: Page, stars: number, text: string): Promise<void> {
  if (stars > 0)
    await reviews(page)
      .getByRole('radio', { name: new RegExp(`^${stars} star`) })
      .check();
  await reviews(page).getByLabel('Your review').fill(text);
  await reviews(page).getByRole('button', { name: 'Submit review' }).click();
}

test('a customer who logs in from the reviews returns to the reviews @soak', async ({ page }) => {
  await comeAsNewCustomer(page, '/product/9');
  await expect(reviews(page).getByRole('heading', { name: 'Reviews of Besan Laddu' })).toBeInViewport();
  await expect(reviews(page).getByRole('form', { name: 'Write a review' })).toBeInViewport();
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport();
});

test('a visitor reads reviews and is asked to log in to write one', async ({ page }) => {
  await page.goto('/product/9');
  await expect(review(page, 'Vivek Mishra')).toContainText('Ordered for a puja');
  await expect(review(page, 'Vivek Mishra').getByRole('img', { name: '5 out of 5 stars' })).toBeVisible();
  await expect(review(page, 'Vivek Mishra').getByRole('time')).toHaveText(/^\d{1,2} [A-Z][a-z]+ 20\d\d$/);
  await expect(reviews(page).getByText('Please log in to write a review.')).toBeVisible();
  await expect(reviews(page).getByRole('form')).toHaveCount(0);
  const days = await reviews(page)
    .locator('time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
  expect(days, 'newest first').toEqual([...days].sort().reverse());
});

test('a customer writes, edits and deletes a review; average and count update immediately', async ({ page }, {
  project,
}) => {
  const { mine } = productsOf(project);
  await comeAsNewCustomer(page, mine);
  await expect(reviews(page).getByRole('listitem').first()).toContainText('20');
  const before = await count(page);
  const mark = `${project.name}-${Date.now()}`;
  const text = `<script>alert(1)</script> बहुत अच्छा 😋 ${mark}`;
  await write(page, 2, text);
  await expect(message(page, 'Your review has been submitted!')).toBeVisible();
  const own = reviews(page).getByRole('listitem').first();
  await expect(own, 'text is text').toContainText(text);
  await expect(own.getByRole('img', { name: '2 out of 5 stars' })).toBeVisible();
  await expect(reviews(page).getByText('You’ve reviewed this product.')).toBeVisible();
  await expect(reviews(page).getByRole('form', { name: 'Write a review' }), 'one review each').toHaveCount(0);
  await expect.poll(() => count(page)).toBe(before + 1);

  await own.getByRole('button', { name: 'Edit' }).click();
  await own.getByRole('textbox').fill('   ');
  await own.getByRole('button', { name: 'Save' }).click();
  await expect(message(page, 'Comment cannot be empty.')).toBeVisible();
  await own.getByRole('button', { name: 'Cancel' }).click();
  await expect(own).toContainText(text);

  await own.getByRole('button', { name: 'Edit' }).click();
  await expect(own.getByRole('textbox')).toBeFocused();
  await own.getByRole('textbox').fill(`Even better the second day ${mark}`);
  await own.getByRole('button', { name: 'Save' }).click();
  await expect(message(page, 'Your comment has been updated.')).toBeVisible();
  await page.reload();
  await expect(review(page, mark)).toContainText('Even better the second day');
  await expect(review(page, mark)).toContainText('edited');

  await review(page, mark).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
  await expect(review(page, mark)).toHaveCount(1);
  await review(page, mark).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete review' }).click();
  await expect(message(page, 'Your comment has been deleted.')).toBeVisible();
  await expect(review(page, mark)).toHaveCount(0);
  await expect.poll(() => count(page)).toBe(before);
  await expect(reviews(page).getByRole('form', { name: 'Write a review' }), 'and may write again').toBeVisible();
});

test.describe('a second review', () => {
  test.use({ expectedErrors: /status of 409/ });

  test('of the same product opens the first for editing, with what was typed @soak', async ({ page, shopUrl }) => {
    const customer = await newCustomer(shopUrl, 'Meera Joshi');
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    const productId = await insertProduct(sql, unseen);
    await haveSession(page, customer);
    await page.goto(`/product/${productId}`);
    await expect(reviews(page).getByRole('form', { name: 'Write a review' })).toBeVisible();
    // The same customer writes one in another window.
    await customer.from('comments').insert({ content: 'The first', rating: 2, product_id: productId }).throwOnError();
    await write(page, 5, 'The second');
    await expect(message(page, 'You have already reviewed this product.')).toBeVisible();
    const editing = reviews(page).getByRole('form', { name: 'Edit your review' });
    await expect(editing.getByRole('textbox')).toHaveValue('The second');
    await expect(reviews(page).getByText('Your 2 stars stay. You can change the text.')).toBeVisible();
    await expect(reviews(page).getByRole('listitem')).toContainText('The first');
    await editing.getByRole('button', { name: 'Save' }).click();
    await expect(message(page, 'Your comment has been updated.')).toBeVisible();
    await expect(reviews(page).getByRole('listitem')).toContainText('The second');
    const rows = await sql`select content, rating from public.comments where product_id = ${productId}`;
    expect([...rows]).toEqual([{ content: 'The second', rating: 2 }]);

    await page.reload();
    await reviews(page).getByRole('button', { name: 'Edit your review' }).click();
    await expect(reviews(page).getByRole('form', { name: 'Edit your review' }).getByRole('textbox')).toBeFocused();
    await sql.end();
  });
});

test('reviews of customers who bought the product are marked as verified', async ({ page, shopUrl }) => {
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  const productId = await insertProduct(sql, { ...unseen, stock: 20 });
  const buyer = await newCustomer(shopUrl, 'Kabir Anand');
  await insertPaidOrder(sql, { userId: await userIdOf(buyer), productId, status: 'Delivered' });
  await insertReview(sql, {
    userId: await insertUser(sql, { name: 'Just Looking' }),
    productId,
    content: 'Looks nice',
  });
  await sql.end();
  await haveSession(page, buyer);
  await page.goto(`/product/${productId}`);
  await expect(review(page, 'Just Looking')).toBeVisible();
  await write(page, 5, 'Bought it twice');
  await expect(review(page, 'Bought it twice')).toContainText('Verified purchase');
  await expect(review(page, 'Just Looking')).not.toContainText('Verified purchase');
  await page.reload();
  await expect(review(page, 'Bought it twice')).toContainText('Verified purchase');
});

test('a review carries its author’s name @soak', async ({ page }, { project }) => {
  await comeAsNewCustomer(page, '/product/16', 'Kabir Anand');
  await write(page, 5, `Signed ${project.name}-${Date.now()}`);
  await expect(reviews(page).getByRole('listitem').first()).toContainText('Kabir Anand');
});

test('a rating and a comment are needed, and no more than 2,000 characters @soak', async ({ page }) => {
  await comeAsNewCustomer(page, '/product/10');
  await write(page, 0, 'No stars given');
  await expect(message(page, 'Please provide a rating and a comment.')).toBeVisible();
  await message(page, 'Please provide a rating and a comment.').locator('..').getByRole('button').click();
  await write(page, 3, ' \n ');
  await expect(message(page, 'Please provide a rating and a comment.')).toBeVisible();

  await reviews(page).getByLabel('Your review').fill('a'.repeat(1900));
  await expect(reviews(page).getByText('100 of 2,000 characters left')).toBeVisible();
  await write(page, 3, 'ल'.repeat(350_000));
  await expect(reviews(page).getByText('3,000 characters too many')).toBeVisible();
  await expect(message(page, 'Please keep it within 2,000 characters.')).toBeVisible();
});

test('customers cannot change the reviews of others, nor deleted ones @soak', async ({ page, shopUrl, browser }, {
  project,
}) => {
  const author = await newCustomer(shopUrl, 'Author Elsewhere');
  const { data } = await author.auth.getUser();
  const content = `Not yours ${project.name}-${Date.now()}`;
  const row = { content, rating: 5, product_id: 17, user_id: data.user?.id ?? '' };
  expect((await author.from('comments').insert(row)).error).toBeNull();
  await comeAsNewCustomer(page, '/product/17');
  await expect(review(page, content)).toBeVisible();
  await expect(review(page, content).getByRole('button')).toHaveCount(0);

  const mine = `Soon gone ${project.name}-${Date.now()}`;
  await write(page, 4, mine);
  await review(page, mine).getByRole('button', { name: 'Edit' }).click();
  // The same person, in another window, deletes it first.
  const elsewhere = await browser.newContext({ storageState: await page.context().storageState() });
  const other = await elsewhere.newPage();
  await other.goto(`${shopUrl}/product/17`);
  await review(other, mine).getByRole('button', { name: 'Delete' }).click();
  await other.getByRole('alertdialog').getByRole('button', { name: 'Delete review' }).click();
  await expect(message(other, 'Your comment has been deleted.')).toBeVisible();
  await elsewhere.close();

  await review(page, 'Cancel').getByRole('textbox').fill('Too late');
  await review(page, 'Cancel').getByRole('button', { name: 'Save' }).click();
  await expect(message(page, 'Failed to update comment.')).toBeVisible();
  await review(page, 'Cancel').getByRole('button', { name: 'Cancel' }).click();
  await review(page, mine).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete review' }).click();
  await expect(message(page, 'Failed to delete comment.')).toBeVisible();
});

test('long lists come twenty at a time, and the sixth review of an hour is refused in plain words @soak', async ({
  browser,
  shopUrl,
}) => {
  const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
  const crowded = await insertProduct(sql, unseen);
  for (let person = 0; person < 21; person += 1)
    await insertReview(sql, { userId: await insertUser(sql), productId: crowded, content: `Visit ${person}` });
  const client = await newCustomer(shopUrl);
  for (let index = 0; index < 5; index += 1) {
    const row = { content: `Visit ${index}`, rating: 4, product_id: await insertProduct(sql, unseen) };
    expect((await client.from('comments').insert(row)).error).toBeNull();
  }
  await sql.end();
  // In a page of its own: browsers report the refusal as an error, which other pages may not have.
  const context = await browser.newContext({ baseURL: shopUrl });
  const page = await context.newPage();
  await haveSession(page, client);
  await page.goto(`/product/${crowded}`);
  const items = reviews(page).getByRole('listitem');
  await expect(items.filter({ hasText: 'Visit' }).first()).toBeVisible();
  await expect(items).toHaveCount(20);
  await reviews(page).getByRole('button', { name: 'Show more reviews' }).click();
  await expect.poll(() => items.count()).toBeGreaterThan(20);

  await write(page, 4, 'One too many');
  await expect(message(page, 'Failed to submit your review.')).toBeVisible();
  await expect(message(page, 'You can write five reviews an hour.')).toBeVisible();
  await expect(reviews(page).getByLabel('Your review'), 'the words are not lost').toHaveValue('One too many');
  await context.close();
});

test('reviews that do not come are said to be missing, and come when asked again @soak', async ({ page }) => {
  let broken = true;
  await page.route('**/rest/v1/rpc/product_reviews?*', (route) =>
    broken ? route.fulfill({ contentType: 'application/json', body: 'nothing' }) : route.continue(),
  );
  await page.goto('/product/9');
  await expect(message(page, 'Could not load comments.')).toBeVisible();
  broken = false;
  await reviews(page).getByRole('button', { name: 'Try again' }).click();
  await expect(review(page, 'Vivek Mishra')).toBeVisible();
});

test('the reviews are accessible, in light and in dark, and stars are chosen from the keyboard', async ({ page }) => {
  await comeAsNewCustomer(page, '/product/18');
  await reviews(page).getByRole('radio', { name: '1 star' }).focus();
  await page.keyboard.press('Space');
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('ArrowRight');
  await expect(reviews(page).getByRole('radio', { name: '4 stars' })).toBeChecked();
  await expect(reviews(page).getByRole('listitem').first()).toContainText('20');
  await expectAccessible(page, 'section[aria-labelledby]');
});
