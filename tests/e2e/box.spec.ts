import { insertProduct, moveStock } from '../support/rows.ts';
import { becomeCustomer, buyNow, expectOrderPlaced, pay } from './buyer.ts';
import { amount, message } from './cart-lists.ts';
import { expect, test } from './order-visit.ts';
import { expectAccessible } from './page-quality.ts';
import type { Page } from './shop-page.ts';

const place = (page: Page, number: number, what: string | RegExp) =>
  page.getByRole('button', {
    name: new RegExp(`^Place ${number}, row \\d+: ${what instanceof RegExp ? what.source : what}$`),
  });
const sweet = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Add ${name} (₹|Out)`) });
const boxes = (page: Page, list: 'cart' | 'checkout') => page.getByRole('list', { name: `Boxes in the ${list}` });

/** Until its code is there, pressing does nothing. */
async function openBuilder(page: Page, query = ''): Promise<void> {
  await page.goto(`/box${query}`);
  await expect(page.locator('[data-above-dock]:not([aria-busy])')).toBeVisible();
}

test('a box is filled, bought, and named with its contents in the order @wide', async ({ page, shopUrl }) => {
  const customer = await becomeCustomer(page, shopUrl);
  await openBuilder(page);
  await page.getByRole('button', { name: /^Petite/ }).click();
  await sweet(page, 'Besan Laddu').click();
  await sweet(page, 'Nariyal Laddu').click();
  await expect(place(page, 1, 'Besan Laddu')).toBeVisible();
  await expect(page.getByText('4 places left.', { exact: true })).toBeVisible();
  // A place is changed, emptied, and filled again.
  await place(page, 2, 'Nariyal Laddu').click();
  await sweet(page, 'Boondi Laddu').click();
  await expect(place(page, 2, 'Boondi Laddu')).toBeVisible();
  await place(page, 2, 'Boondi Laddu').click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(place(page, 2, 'empty')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(place(page, 2, 'Boondi Laddu')).toBeVisible();
  // A reload loses nothing.
  await page.reload();
  await expect(place(page, 2, 'Boondi Laddu')).toBeVisible();
  await page.getByRole('button', { name: 'Fill the rest' }).click();
  await expect(page.getByRole('button', { name: /^Place \d+, row \d+: empty$/ })).toHaveCount(0);
  await expect(page.getByText('Contains: Milk')).toBeVisible();
  await expect(page.getByText('Vegetarian', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText('Added 1x Petite to cart')).toBeFocused();
  await expect(page.getByText('Cart, 1 item')).toBeAttached();
  await page.getByRole('link', { name: 'View cart' }).click();
  await expect(boxes(page, 'cart')).toContainText('Besan Laddu');
  await boxes(page, 'cart').getByRole('button', { name: 'Increase quantity' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move to checkout: Petite' }).click();
  await expect(message(page, 'Item moved to checkout successfully!')).toBeVisible();
  await expect(boxes(page, 'checkout')).toContainText('Petite');
  await expect(amount(page, 'Total')).not.toHaveText(/^(₹0|—)$/);
  await buyNow(page).click();
  await pay(page).click();
  await expectOrderPlaced(page);
  await expect(page.getByText(/Petite \(.*Besan Laddu.*\)/)).toBeVisible();
  await expect(page.getByText(/^Cart, \d/)).toHaveCount(0);
  expect(await customer.orders()).toMatchObject([{ source: 'cart', shipping: 40, status: 'Pending' }]);

  // What was bought once is bought again from the history.
  await page.goto('/profile?tab=orders');
  await page.locator('summary').first().click();
  await page.getByRole('button', { name: 'Order again' }).click();
  await expect(boxes(page, 'cart')).toContainText('Besan Laddu');
});

test('with the keyboard alone: arrows, typing, Enter, Delete and Ctrl+Z @wide', async ({ page }) => {
  await openBuilder(page);
  await page.getByRole('button', { name: /^Petite/ }).focus();
  await page.keyboard.press('Space');
  for (const _ of ['Classic', 'Grand', 'the box']) await page.keyboard.press('Tab');
  await expect(place(page, 1, 'empty')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(place(page, 5, 'empty')).toBeFocused();
  await page.keyboard.type('motichoor');
  await expect(page.getByRole('searchbox', { name: 'Search sweets' }).last()).toHaveValue('motichoor');
  await page.keyboard.press('Enter');
  await expect(place(page, 5, 'Motichoor Laddu')).toBeVisible();
  await expect(page.getByText('Motichoor Laddu in place 5. 5 places left.')).toBeAttached();
  await expect(place(page, 1, 'empty')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Delete');
  await expect(place(page, 5, 'empty')).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(place(page, 5, 'Motichoor Laddu')).toBeFocused();
});

test('a piece is dragged into a place, to another, and out of the box @wide', async ({ page }) => {
  await openBuilder(page);
  await page.getByRole('button', { name: /^Petite/ }).click();
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  const middle = async (of: ReturnType<typeof place>) => {
    const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: x + width / 2, y: y + height / 2 };
  };
  await drag(await middle(sweet(page, 'Besan Laddu')), await middle(place(page, 2, 'empty')));
  await expect(place(page, 2, 'Besan Laddu')).toBeVisible();
  await drag(await middle(place(page, 2, 'Besan Laddu')), await middle(place(page, 1, 'empty')));
  await expect(place(page, 1, 'Besan Laddu')).toBeVisible();
  await expect(place(page, 2, 'empty')).toBeVisible();
  await drag(await middle(place(page, 1, 'Besan Laddu')), { x: 200, y: 20 });
  await expect(place(page, 1, 'empty')).toBeVisible();
});

test('who leaves out gluten gets none, also in the suggestion', async ({ page }) => {
  await openBuilder(page);
  await page.getByRole('button', { name: /^Grand/ }).click();
  await expect(sweet(page, 'Rava Laddu')).toBeVisible();
  await page.getByRole('button', { name: 'No gluten' }).click();
  await expect(sweet(page, 'Rava Laddu')).toHaveCount(0);
  await page.getByRole('button', { name: 'Suggest a box' }).click();
  await expect(page.getByRole('button', { name: 'Add to cart' })).toBeVisible();
  await expect(page.getByText(/^Contains: /)).not.toContainText('Gluten');
});

test('a box in the cart says which of its sweets sold out, and is changed there', async ({ page, sql }) => {
  const id = await insertProduct(sql, {
    name: `Gone Sweet ${Date.now()}`,
    category: 'Gift',
    price: 300,
    hasSize: true,
    stock: 1000,
  });
  const [product] = await sql<{ Name: string }[]>`select "Name" from public."Products" where "Id" = ${id}`;
  const name = product?.Name ?? '';
  await sql`insert into private.box_sweets (product_id, piece_grams) values (${id}, 30)`;
  await openBuilder(page);
  await page.getByRole('button', { name: /^Petite/ }).click();
  await expect(async () => {
    await page.reload();
    await expect(sweet(page, name)).toBeVisible({ timeout: 1000 });
  }).toPass();
  await sweet(page, name).click();
  await page.getByRole('button', { name: 'Fill the rest' }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await moveStock(sql, id, -1000, 'wastage');
  await page.getByRole('link', { name: 'View cart' }).click();
  await expect(boxes(page, 'cart')).toContainText(`${name} is out of stock. Change box to choose another.`);
  await expect(page.getByRole('button', { name: 'Move to checkout: Petite' })).toBeDisabled();
  await page.getByRole('link', { name: 'Change box' }).click();
  await expect(page.getByText(/1 sweet can’t be had right now|\d sweets can’t be had right now/)).toBeVisible();
  await page.getByRole('button', { name: 'Fill the rest' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(message(page, 'Your box is changed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Move to checkout: Petite' })).toBeEnabled();
  await expect(boxes(page, 'cart').getByRole('listitem')).toHaveCount(1);
  await sql`delete from private.box_sweets where product_id = ${id}`;
});
