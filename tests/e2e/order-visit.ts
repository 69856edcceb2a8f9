import type { Sql } from 'postgres';
import { setAddress } from '../support/buying.ts';
import { connectToShop } from '../support/rows.ts';
import { newCustomer, type ShopClient, signInAs } from '../support/visitor.ts';
import { expect, haveSession, type Page, test as shopTest, watching } from './shop-page.ts';

/** A new customer with an address, signed in on the page; the owner; and a door to the shop's database. */
export const test = shopTest.extend<{ customer: ShopClient; owner: ShopClient; sql: Sql }>({
  customer: async ({ page, shopUrl }, use) => {
    const client = await newCustomer(shopUrl, 'Meera Joshi');
    await setAddress(client);
    await haveSession(page, client);
    await use(client);
  },
  owner: async ({ shopUrl }, use) => use(await signInAs(shopUrl, { account: 'Asha Rao' })),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
  sql: async ({}, use) => {
    const sql = await connectToShop(process.env.SHOP_DATA_DIR ?? '');
    await use(sql);
    await sql.end();
  },
});

export { expect };

/** Besan Laddu, by weight; Diwali Lamp Hamper, by the piece. */
export const laddu = { productId: 9, quantity: 2, size: 500 } as const;
export const hamper = { productId: 35, quantity: 1, size: 500 } as const;

export const entryOf = (page: Page, orderId: string) => page.locator(`details[id="order-${orderId}"]`);

/** The history, watching: what happens from now on is heard. */
export async function openHistory(page: Page, query = ''): Promise<void> {
  await watching(page, () => page.goto(`/profile?tab=orders${query}`));
  await expect(page.getByRole('tab', { name: /\(\d+\)/ })).toBeVisible();
}

/** Moves an order along as the owner does in the console. */
export async function moveAlong(owner: ShopClient, orderId: string, ...steps: string[]): Promise<void> {
  for (const status of steps) {
    const { data, error } = await owner.from('orders').update({ status }).eq('id', orderId).select('id');
    if (error) throw error;
    expect(data).toHaveLength(1);
  }
}
