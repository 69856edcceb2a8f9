import { address } from '../support/buying.ts';
import { newCustomer, userIdOf } from '../support/visitor.ts';
import { expect, haveSession, type Page } from './shop-page.ts';

export { address };
export type Address = Partial<typeof address>;

/** A new customer who is signed in, with this much of an address. */
export async function becomeCustomer(page: Page, shopUrl: string, row: Address = address) {
  const client = await newCustomer(shopUrl, 'Meera Joshi');
  const user_id = await userIdOf(client);
  const stored = await client.from('user_profiles').upsert({ user_id, ...row });
  if (stored.error) throw stored.error;
  await haveSession(page, client);
  return {
    client,
    changeAddress: (change: Address) => client.from('user_profiles').upsert({ user_id, ...address, ...change }),
    async orders() {
      const { data: rows, error } = await client.from('orders').select('source, total_amount, shipping_charge, status');
      if (error) throw error;
      return rows.map(({ source, total_amount, shipping_charge, status }) => ({
        source,
        total: Number(total_amount),
        shipping: Number(shipping_charge),
        status,
      }));
    },
  };
}

export const buyNow = (page: Page) => page.getByRole('button', { name: 'Buy Now' });
export const payment = (page: Page) => page.getByRole('dialog', { name: 'Test payment' });
export const pay = (page: Page) => payment(page).getByRole('button', { name: /^Pay ₹/ });
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Opens the test payment and chooses how it goes wrong. */
export async function openAwkward(page: Page, choices: Record<string, string | true>): Promise<void> {
  await buyNow(page).click();
  await payment(page).getByText('Test scenarios').click();
  for (const [name, choice] of Object.entries(choices)) {
    const field = payment(page).getByLabel(name);
    if (choice === true) await field.check();
    else await field.selectOption(choice);
  }
}

export async function expectOrderPlaced(page: Page): Promise<void> {
  await expect(heading(page, 'Order placed')).toBeVisible();
  await expect(page.getByText(/^#\d+$/)).toBeVisible();
}
