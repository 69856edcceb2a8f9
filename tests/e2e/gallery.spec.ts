import type { Locator } from '@playwright/test';
import { expect, test } from './shop-page.ts';

/** The picture is inside its frame, the frame inside the screen, and nothing of it is cut away. */
async function expectWhole(picture: Locator) {
  await expect(picture).toBeVisible();
  const { fit, ratio, isInside } = await picture.evaluate((image: HTMLImageElement) => {
    const own = image.getBoundingClientRect();
    const frame = (image.closest('ul') as HTMLElement).getBoundingClientRect();
    return {
      fit: getComputedStyle(image).objectFit,
      ratio: own.width / own.height,
      isInside:
        own.top >= frame.top - 1 && own.bottom <= frame.bottom + 1 && own.left >= -1 && own.right <= innerWidth + 1,
    };
  });
  expect({ fit, isInside }).toEqual({ fit: 'contain', isInside: true });
  expect(ratio).toBeCloseTo(1, 1);
}

test('pictures are shown whole on the page and in the modal at every width', async ({ page }) => {
  await page.goto('/product/9');
  const onPage = page.getByRole('main').getByRole('img', { name: 'Besan Laddu', exact: true });
  const sizes = [
    [320, 640],
    [390, 844],
    [667, 375],
    [768, 1024],
    [769, 1024],
    [1440, 900],
  ] as const;
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expectWhole(onPage);
  }
  await page.goto('/shop?product=besan+laddu');
  const inModal = page.getByRole('dialog').getByRole('img', { name: 'Besan Laddu', exact: true });
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expectWhole(inModal);
  }
});

test('pictures are swiped on a phone, and zoomed by tap and by keyboard', async ({ page }) => {
  await page.goto('/product/9');
  const main = page.getByRole('main');
  const zooms = main.getByRole('button', { name: /^Zoom in: / });
  await expect(zooms).toHaveCount(3);
  await expect(main.getByRole('img', { name: 'Besan Laddu', exact: true })).toHaveAttribute('fetchpriority', 'high');
  await expect(main.getByRole('img', { name: /broken open/ })).toHaveAttribute('loading', 'lazy');
  await expect(main.getByText('1 / 3')).toBeVisible();
  await zooms.first().evaluate((button) => button.closest('ul')?.scrollBy(260, 0));
  await expect(main.getByText('2 / 3')).toBeVisible();

  await zooms.nth(1).tap();
  const dialog = page.getByRole('dialog', { name: /picture 2 of 3/ });
  await expect(dialog).toBeVisible();
  const toggle = dialog.getByRole('button', { name: /^Zoom/ });
  await expect(toggle).toBeFocused();
  const width = () => dialog.getByRole('img').evaluate((image) => image.getBoundingClientRect().width);
  const small = await width();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  expect(await width()).toBeGreaterThan(small * 1.5);
  await page.keyboard.press('-');
  await expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: /picture 3 of 3/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(zooms.nth(1)).toBeFocused();
});

test('a thumbnail shows its picture', { tag: '@wide' }, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/product/9');
  const main = page.getByRole('main');
  const thumbnail = main.getByRole('button', { name: /^Show picture 3: / });
  await thumbnail.click();
  await expect(thumbnail).toHaveAttribute('aria-current', 'true');
  await expect(main.getByText('3 / 3')).toBeVisible();
});

test('price, buying and the pincode are on the first phone screen; facts are folded; others go well with it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/product/9', { waitUntil: 'networkidle' });
  const main = page.getByRole('main');
  for (const part of [
    main.getByLabel('Price', { exact: true }),
    main.getByRole('button', { name: 'Add to Cart', exact: true }),
    main.getByRole('button', { name: 'Buy Now' }),
    main.getByRole('textbox', { name: /pincode/i }),
  ])
    await expect(part).toBeInViewport({ ratio: 1 });
  await expect(main.getByText('What it tastes like')).toBeVisible();
  await expect(main.getByText('How it travels')).toBeVisible();
  await expect(main.getByRole('table')).toBeHidden();
  await main.getByText('Ingredients, storage and seller details').click();
  await expect(main.getByRole('row', { name: 'Ingredients' })).toContainText('Gram flour');
  const others = main.getByRole('region', { name: 'Goes well with' });
  await expect(others.getByRole('article')).toHaveCount(4);
  const link = others.getByRole('link').first();
  const name = await link.innerText();
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();

  // A name of two lines on a lower screen: the field is still above the bar, whole.
  await page.setViewportSize({ width: 412, height: 823 });
  await page.goto('/product/1', { waitUntil: 'networkidle' });
  const check = await main.getByRole('button', { name: 'Check', exact: true }).boundingBox();
  const price = await main.getByLabel('Price', { exact: true }).boundingBox();
  expect((check?.y ?? 0) + (check?.height ?? 0)).toBeLessThan(price?.y ?? 0);
});
