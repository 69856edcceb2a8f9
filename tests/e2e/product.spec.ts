import { expectAccessible, expectStill, pressToTheEnd } from './page-quality.ts';
import { expect, test } from './shop-page.ts';

test('the product page shows what the shop knows, and buys from 1 to 25', { tag: '@wide' }, async ({ page }) => {
  await page.goto('/product/10');
  await expect(page.getByRole('heading', { level: 1, name: 'Motichoor Laddu' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.getByRole('img', { name: 'Motichoor Laddu', exact: true })).toBeVisible();
  await expect(main.getByText('10% off').first()).toBeVisible();
  await expect(main.getByText('Shipping Calculated at checkout.')).toBeVisible();
  await expect(main.getByText(/^\(\d+ reviews\)$/).first()).toBeVisible();
  await expect(main.getByRole('table')).toBeHidden();
  await main.getByText('Ingredients, storage and seller details').click();
  for (const [fact, value] of [
    ['Veg or non-veg', 'Vegetarian'],
    ['Ingredients', /Gram flour/],
    ['Allergens', /Milk/],
    ['Shelf life', '7 days'],
    ['Storage', 'Cool and dry, airtight'],
    ['Net weight', '500 g or 1,000 g'],
    ['Price per 100 g', '₹72 + 5% GST'],
    ['Made by', /^Mithaas Sweets Private Limited, Shop 3, .* Mumbai 400028$/],
    ['FSSAI licence', /^\d{14}$/],
    ['Complaints', /^Nandini Kamat.*@mithaas\.example/],
  ] as const)
    await expect(main.getByRole('row', { name: fact }).getByRole('cell')).toHaveText(value);
  await expect(main.getByRole('row', { name: 'Veg or non-veg' }).getByRole('img', { name: 'Veg' })).toBeVisible();
  const price = main.getByLabel('Price', { exact: true });
  await expect(price).toHaveText('₹360');
  await expect(main.getByRole('button', { name: 'Decrease quantity' })).toBeDisabled();
  await main.getByRole('radio', { name: '1000 g' }).check();
  await main.getByRole('button', { name: 'Increase quantity' }).click();
  await expect(price).toHaveText('₹1,440');
  await main.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page.getByText('Added 2x Motichoor Laddu (1000g) to cart')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: 'View cart' })).toHaveAttribute(
    'href',
    '/cart',
  );
  await pressToTheEnd(main.getByRole('button', { name: 'Increase quantity' }));
  await main.getByRole('button', { name: 'Add to Cart' }).click();
  await expect(page.getByText('Added 23x Motichoor Laddu (1000g) to cart')).toBeVisible();
  await expect(page.getByText('Limit 25 per item. We added 23.')).toBeVisible();
});

test('on a phone the price and the buttons are in reach from the first look to the last review', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/product/1', { waitUntil: 'networkidle' });
  const main = page.getByRole('main');
  const bar = [
    main.getByLabel('Price', { exact: true }),
    main.getByRole('button', { name: 'Add to Cart' }),
    main.getByRole('button', { name: 'Buy Now' }),
  ];
  const navigation = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
  const expectInReach = async () => {
    for (const part of bar) {
      await expect(part).toHaveCount(1);
      await expect(part).toBeInViewport({ ratio: 1 });
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
    }
  };
  await expectInReach();
  await main.getByRole('radio', { name: '1000 g' }).check();
  await expectInReach();
  await main.getByRole('heading', { name: /^Reviews/ }).scrollIntoViewIfNeeded();
  await expectInReach();
  await main.getByRole('button', { name: 'Add to Cart' }).click();
  const message = await page.getByText(/^Added 1x/).boundingBox();
  const button = await bar[1]?.boundingBox();
  expect((message?.y ?? 0) + (message?.height ?? 0), 'messages lie above the buttons').toBeLessThan(button?.y ?? 0);
});

test('a product without reviews says so @soak', async ({ page }) => {
  await page.goto('/product/22');
  await expect(page.getByRole('main').getByText('No reviews yet').first()).toBeVisible();
});

test('unknown products: the message, a link back, and status 404', async ({ browser, shopUrl, request }) => {
  const odd = [
    '999999',
    '0',
    '-1',
    '1e3',
    '9.5',
    'besan',
    '%F0%9F%8D%AC',
    '%E0%A4%B2',
    '9'.repeat(40),
    'x'.repeat(8000),
  ];
  for (const id of odd) {
    const response = await request.get(`/product/${id}`);
    expect([id.slice(0, 20), response.status()]).toEqual([id.slice(0, 20), 404]);
    expect(await response.text()).toContain('Loading product...');
  }
  // A page of its own: browsers count a page with status 404 as an error in the console.
  const page = await browser.newPage();
  await page.goto(`${shopUrl}/product/999999`);
  await expect(page.getByRole('heading', { name: 'Loading product...' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Go to the shop' }).click();
  await expect(page).toHaveURL(`${shopUrl}/shop`);
  await page.close();
});

test('search engines read price, currency, stock and rating', async ({ page, shopUrl }) => {
  const facts = async (id: number) => {
    await page.goto(`/product/${id}`);
    return JSON.parse(await page.locator('script[type="application/ld+json"]').innerText()) as Record<string, unknown>;
  };
  expect(await facts(11)).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Nariyal Laddu',
    url: `${shopUrl}/product/11`,
    image: `${shopUrl}/images/products/nariyal-laddu-960.webp`,
    offers: {
      '@type': 'Offer',
      // With tax, as customers pay it.
      price: '285.60',
      priceCurrency: 'INR',
      availability: 'https://schema.org/InStock',
    },
    aggregateRating: { '@type': 'AggregateRating', bestRating: 5 },
  });
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${shopUrl}/product/11`);
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', 'Nariyal Laddu · Mithaas');
  await expect(page.locator('meta[property="product:price:amount"]')).toHaveAttribute('content', '285.60');
  await expect(page).toHaveTitle('Nariyal Laddu · Mithaas');
  const image = await page.request.get(`${shopUrl}/images/products/nariyal-laddu-960.webp`);
  expect(image.status()).toBe(200);
  expect(await facts(38)).toMatchObject({ offers: { price: '839.48', availability: 'https://schema.org/OutOfStock' } });
  expect(await facts(37)).not.toHaveProperty('aggregateRating');
});

test('the product page can be read without JavaScript', async ({ browser, shopUrl }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${shopUrl}/product/9`);
  await expect(page.getByRole('heading', { level: 1, name: 'Besan Laddu' })).toBeVisible();
  await page.getByText('Ingredients, storage and seller details').click();
  await expect(page.getByRole('row', { name: 'Ingredients' })).toContainText('Gram flour');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Laddu' }).click();
  await expect(page).toHaveURL(`${shopUrl}/shop?category=laddu`);
  await context.close();
});

test('the product page is accessible, keeps still, and fits 320 pixels', async ({ page }) => {
  await page.goto('/product/27', { waitUntil: 'networkidle' });
  await expectAccessible(page);
  await expectStill(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/product/21');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('the sitemap lists public pages and every product; robots.txt names it and keeps private pages out', async ({
  request,
  shopUrl,
}) => {
  const sitemap = await request.get('/sitemap.xml');
  expect(sitemap.headers()['content-type']).toContain('xml');
  const xml = await sitemap.text();
  const addresses = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]);
  for (const path of ['/', '/shop', '/shop?tab=gifts', '/terms', '/product/1', '/product/38'])
    expect(addresses).toContain(shopUrl + path);
  expect(xml).toMatch(/product\/1<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
  for (const address of addresses.slice(0, 6)) expect((await request.get(address ?? '')).status()).toBe(200);
  const robots = await request.get('/robots.txt');
  expect(robots.headers()['content-type']).toContain('text/plain');
  const lines = (await robots.text()).split('\n');
  for (const path of ['/admin', '/cart', '/profile', '/logout']) expect(lines).toContain(`Disallow: ${path}`);
  expect(lines).toContain(`Sitemap: ${shopUrl}/sitemap.xml`);
  expect(lines).not.toContain('Disallow: /');
});

test('the details for the modal are fetched each time, as the page is, and unknown names are no error', async ({
  request,
}) => {
  const known = await request.get('/product-details?name=BESAN%20laddu');
  expect(known.headers()['cache-control']).toBe('no-cache');
  expect(await known.json()).toMatchObject({ id: 9, name: 'Besan Laddu', pricePaise: 32_000 });
  for (const name of ['', 'Nothing', '%F0%9F%8D%AC', '%00', '%27%3B--', 'x'.repeat(10_000)]) {
    const response = await request.get(`/product-details?name=${name}`);
    expect(response.status()).toBe(200);
    expect(await response.json()).toBeNull();
  }
});
