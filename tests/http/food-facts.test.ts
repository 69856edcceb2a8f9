// What customers read before they buy, in the pages as they come from the server, before any script runs.
import { beforeAll, expect, inject, test } from 'vitest';
import { foodFacts, newMark } from '../support/rows.ts';
import { type ShopClient, signInAs } from '../support/visitor.ts';

const shopUrl = inject('shopUrl');
let asha: ShopClient;
beforeAll(async () => {
  asha = await signInAs(shopUrl, { account: 'Asha Rao' });
});

/** A page as text; `cells` are the rows of its table of facts. */
async function pageAt(path: string) {
  const html = await (await fetch(shopUrl + path)).text();
  const plain = (markup: string) =>
    markup
      .replaceAll(/<!--.*?-->|<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  const cells = [...html.matchAll(/<tr><th scope="row">(.*?)<\/th><td>(.*?)<\/td><\/tr>/gs)];
  const facts = Object.fromEntries(cells.map(([, label = '', value = '']) => [plain(label), plain(value)]));
  return { html, text: plain(html.replaceAll(/<script.*?<\/script>/gs, '')), facts };
}

test('a product page shows every food fact, and who made and sells it', async () => {
  const { html, facts } = await pageAt('/product/7');
  expect(facts).toEqual({
    'Veg or non-veg': 'Vegetarian',
    Ingredients: 'Orange peel, sugar, dark chocolate (cocoa mass, sugar, cocoa butter)',
    Allergens: 'May contain milk, nuts',
    'Shelf life': '60 days',
    Storage: 'Cool and dry, below 24 °C',
    'Net weight': '500 g or 1,000 g',
    'Price per 100 g': '₹108 + 5% GST',
    'Made by': expect.stringContaining('Satpura Cacao Works'),
    'Sold by': expect.stringContaining('Mithaas Sweets Private Limited, Shop 3'),
    'FSSAI licence of the seller': expect.stringMatching(/^\d{14}$/),
    Complaints: 'Nandini Kamat grievance@mithaas.example +91 90000 00099',
  });
  expect(html).toContain('<strong>May contain milk, nuts</strong>');
  expect(html).toMatch(/data-mark="veg" role="img" aria-label="Veg"/);
  const [, jsonLd = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  expect(JSON.parse(jsonLd)).toMatchObject({
    manufacturer: { name: expect.stringContaining('Satpura') },
    additionalProperty: expect.arrayContaining([
      { '@type': 'PropertyValue', name: 'Allergens', value: 'May contain milk, nuts' },
    ]),
  });
});

test('every product card shows its veg or non-veg mark', async () => {
  for (const path of ['/', '/shop', '/shop?tab=takeaway']) {
    const { html } = await pageAt(path);
    const cards = html.match(/<article/g)?.length ?? 0;
    expect(cards, path).toBeGreaterThan(5);
    expect(html.match(/data-mark="veg"/g)?.length, path).toBeGreaterThanOrEqual(cards);
  }
});

test('footer and terms name the seller and the grievance officer', async () => {
  for (const path of ['/', '/shop', '/product/10', '/terms']) {
    const { text } = await pageAt(path);
    for (const fact of [
      'Mithaas Sweets Private Limited',
      '17 Ranade Road, Dadar West, Mumbai 400028',
      /FSSAI licence \d{14}/,
      'GSTIN 27AAAAA0000A1Z2',
      'WhatsApp +91 90000 00000',
      'hello@mithaas.example',
      'Grievance officer Nandini Kamat grievance@mithaas.example +91 90000 00099 Monday to Saturday, 10 am to 6 pm',
    ])
      expect(text, path).toMatch(typeof fact === 'string' ? new RegExp(fact.replaceAll(/[+.]/g, '\\$&')) : fact);
  }
  const { text } = await pageAt('/terms?policy=complaints');
  expect(text).toContain('acknowledged within 48 hours with a ticket number');
});

test('the Data API refuses to list a product that lacks food facts, and names the field', async () => {
  const row = { Name: newMark('Sweet'), Price: 100, Category: 'Gift', ...foodFacts, food_mark: null, is_listed: true };
  const { error, status } = await asha.from('Products').insert(row as never);
  expect(status).toBe(422);
  expect(error).toMatchObject({
    details: 'food_mark',
    message: `${row.Name} cannot be listed yet. Missing: the veg or non-veg mark.`,
  });
});
