import { test as base, expect, type Page } from '@playwright/test';

/** A page on the running shop that fails its test when the browser reports an error. */
export const test = base.extend<{ shopUrl: string; expectedErrors: RegExp; watched: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape
  shopUrl: async ({}, use) => {
    const url = process.env.SHOP_URL;
    if (!url) throw new Error('SHOP_URL is not set: run the browser tests with playwright.config.ts');
    await use(url);
  },
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

export { expect, type Page };

export type DemoName = 'Priya Sharma' | 'Rahul Verma' | 'Asha Rao';

export async function signIn(page: Page, name: DemoName): Promise<void> {
  await page.goto('/terms'); // the lightest page
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  await expect(page.getByRole('link', { name: `Profile of ${name}` })).toBeVisible();
}

let people = 0;

/** Somebody new, so that tests do not meet on the same person's rows. */
export async function signInAsNewCustomer(page: Page, name = 'Meera Joshi'): Promise<{ name: string; email: string }> {
  people += 1;
  const email = `customer-${process.pid}-${Date.now()}-${people}@example.com`;
  await page.goto('/terms');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Continue as somebody else' }).click();
  await expect(page.getByRole('link', { name: `Profile of ${name}` })).toBeVisible();
  return { name, email };
}
