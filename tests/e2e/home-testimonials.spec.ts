import { openHome } from './home-visit.ts';
import { expect, type Page, test } from './shop-page.ts';

const fourHours = 14_400_000;
const section = (page: Page) => page.getByRole('region', { name: 'What our customers say' });
const testimonials = (page: Page) =>
  section(page)
    .getByRole('listitem')
    .filter({ has: page.locator('blockquote') });

async function visit(page: Page): Promise<void> {
  await openHome(page);
  await section(page).scrollIntoViewIfNeeded();
}

function countRequests(page: Page): () => number {
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/testimonials')) requests += 1;
  });
  return () => requests;
}

test('five testimonials are shown, and fetched once in four hours @soak', async ({ page }) => {
  const requests = countRequests(page);
  await openHome(page);
  expect(requests(), 'not before they are near the viewport').toBe(0);
  await section(page).scrollIntoViewIfNeeded();
  await expect(testimonials(page)).toHaveCount(5);
  await expect(
    testimonials(page)
      .first()
      .getByRole('img', { name: /^[1-5] out of 5 stars$/ }),
  ).toBeVisible();
  expect(requests()).toBe(1);

  const fetchedAt = await page.evaluate(() => JSON.parse(localStorage.getItem('mithaas-testimonials') ?? '{}').at);
  await visit(page);
  await expect(testimonials(page)).toHaveCount(5);
  await page.clock.setFixedTime(fetchedAt + fourHours - 1);
  await visit(page);
  await expect(testimonials(page)).toHaveCount(5);
  expect(requests(), 'no request within four hours').toBe(1);

  await page.clock.setFixedTime(fetchedAt + fourHours);
  await visit(page);
  await expect(testimonials(page)).toHaveCount(5);
  expect(requests(), 'after four hours, once').toBe(2);
});

test('the place is kept while they come, and stars end at five', async ({ page }) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/rest/v1/testimonials*', async (route) => {
    await asked;
    const words = { title: 'So <b>good</b>', author: 'मीरा', text: '<script>alert(1)</script> 🙏', stars: 9 };
    await route.fulfill({ json: [{ id: 1, ...words }] });
  });
  await visit(page);
  const before = await section(page).boundingBox();
  answer();
  await expect(testimonials(page)).toHaveCount(1);
  await expect(section(page).getByRole('img', { name: '5 out of 5 stars' })).toBeVisible();
  await expect(testimonials(page)).toContainText('<script>alert(1)</script> 🙏');
  expect((await section(page).boundingBox())?.height).toBe(before?.height);
});

test('when they cannot be fetched a quiet sentence says so, in the same place @soak', async ({ page }) => {
  await page.route('**/rest/v1/testimonials*', (route) => route.fulfill({ body: 'not JSON' }));
  await openHome(page);
  const before = await section(page).boundingBox();
  await section(page).scrollIntoViewIfNeeded();
  await expect(section(page).getByRole('status')).toHaveText('We couldn’t load reviews right now.');
  expect((await section(page).boundingBox())?.height).toBe(before?.height);
});

test('a broken cache is read as none @soak', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('mithaas-testimonials', '{"at":'));
  await visit(page);
  await expect(testimonials(page)).toHaveCount(5);
});
