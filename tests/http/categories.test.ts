// Categories that the owner adds, as visitors get them: at once, in their colour, and only where there are such.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hashSource } from '../../server/pages/page-policy.ts';
import { newMark } from '../support/rows.ts';
import { type ShopClient, signInAs } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
const name = newMark('Barfi');
const renamed = `${name} two`;
let administrator: ShopClient;
beforeAll(async () => {
  administrator = await signInAs(shopUrl, { account: 'Asha Rao' });
});

type Category = { id: number; name: string; updated_at: string };
async function find(wanted: string): Promise<Category | undefined> {
  const { data } = await administrator.rpc('admin_list_categories').throwOnError();
  return (data as Category[]).find((row) => row.name === wanted);
}
afterAll(async () => {
  for (const one of [await find(name), await find(renamed)])
    if (one) await administrator.rpc('admin_delete_category', { category_id: one.id, seen: one.updated_at });
});

const addressOf = (category: string) => `${shopUrl}/shop?${new URLSearchParams({ category: category.toLowerCase() })}`;
async function shopPage(address: string) {
  const response = await fetch(address);
  return {
    etag: response.headers.get('etag'),
    policy: response.headers.get('content-security-policy') ?? '',
    html: await response.text(),
  };
}

test('a new category is in the filters of pages that were cached, and its colour is allowed by its hash', async () => {
  expect((await shopPage(`${shopUrl}/shop`)).html).not.toContain(name);
  await administrator.rpc('admin_save_category', { name, colour: '#102a6b' }).throwOnError();
  await expect.poll(async () => (await shopPage(`${shopUrl}/shop`)).html).toContain(`>${name}</a>`);
  const { html, policy } = await shopPage(addressOf(name));
  const rules = /<style>(\[data-category=[^<]*)<\/style>/.exec(html)?.[1] ?? '';
  expect(rules).toContain(`[data-category="${name}"]{--category:#102a6b;--on-category:#fff7f0}`);
  expect(policy).toContain(hashSource(rules));
});

test('a renamed category shows its new name on the next page', async () => {
  const category = await find(name);
  const change = { name: renamed, category_id: category?.id, seen: category?.updated_at };
  await administrator.rpc('admin_save_category', change).throwOnError();
  await expect.poll(async () => (await shopPage(`${shopUrl}/shop`)).html).toContain(`>${renamed}</a>`);
});

test('the page of a category is cached, the page of an unknown category is not', async () => {
  await expect.poll(async () => (await shopPage(addressOf(renamed))).etag).not.toBeNull();
  const madeUp = await shopPage(addressOf(newMark('Made up')));
  expect(madeUp.etag).toBeNull();
  expect(madeUp.html).toContain('<title>Shop Indian sweets');
});
