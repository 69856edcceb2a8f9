import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { type ShopClient, signInAs } from '../support/visitor.ts';

/** A page on the running shop that fails its test when the browser reports an error. */
export const test = base.extend<{ shopUrl: string; expectedErrors: RegExp; watched: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
  shopUrl: async ({}, use) => use(shopUrl()),
  baseURL: ({ shopUrl }, use) => use(shopUrl),
  // Browsers report refused requests: tests of refusals say which ones they cause.
  expectedErrors: [/^$/, { option: true }],
  watched: [
    async ({ page, expectedErrors }, use) => {
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !expectedErrors.test(message.text())) problems.push(message.text());
      });
      await use(undefined);
      expect(problems, 'errors in the browser').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, type Locator, type Page };

export type DemoName = 'Priya Sharma' | 'Rahul Verma' | 'Asha Rao';

/** The browser of a customer who signed in before; sign-in itself is tested in sign-in.spec.ts. */
export async function haveSession(page: Page, client: ShopClient): Promise<void> {
  const { data } = await client.auth.getSession();
  await page.context().addInitScript((session) => {
    // Once in this tab: after logging out the customer stays logged out.
    if (sessionStorage.getItem('had-session')) return;
    sessionStorage.setItem('had-session', 'yes');
    localStorage.setItem('mithaas-session', session);
  }, JSON.stringify(data.session));
}

/** From the next page on. */
export async function signIn(page: Page, account: DemoName): Promise<void> {
  await haveSession(page, await signInAs(shopUrl(), { account }));
}

let people = 0;

/** A new customer, so that tests do not share a person's rows; from the next page on. */
export async function signInAsNewCustomer(page: Page, name = 'Meera Joshi'): Promise<{ name: string; email: string }> {
  people += 1;
  const email = `customer-${process.pid}-${Date.now()}-${people}@example.com`;
  await haveSession(page, await signInAs(shopUrl(), { name, email }));
  return { name, email };
}

function shopUrl(): string {
  const url = process.env.SHOP_URL;
  if (!url) throw new Error('SHOP_URL is not set: run the browser tests with playwright.config.ts');
  return url;
}

/** All orders or products of a list: by its button on a phone, by the head of the table elsewhere. */
export async function chooseAll(page: Page, count: number): Promise<void> {
  const button = page.getByRole('button', { name: `Select all ${count}`, exact: true });
  const box = page.getByRole('checkbox', { name: 'Select all on this page' });
  await expect(button.or(box).first()).toBeVisible();
  if (await button.isVisible()) await button.click();
  else await box.check();
}

/** On a phone the filters of a list are folded. */
export async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Filters/, expanded: false });
  if ((page.viewportSize()?.width ?? 0) < 768) await button.click();
}

/** A page that watches from its first moment: what happens from now on is heard. */
export async function watching(page: Page, open: () => Promise<unknown>): Promise<void> {
  const joined = page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('Subscribed to PostgreSQL'),
    }),
  );
  await open();
  await joined;
}
