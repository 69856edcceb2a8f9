import { describe, expect, test } from 'vitest';
import { mailFixtures, orderFacts, shopFacts } from '../../tests/support/mail-facts.ts';
import type { GiftMailFacts, MailFacts } from './facts.ts';
import { renderMail } from './render-mail.ts';

const attacks = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><style>*{display:none}</style>',
  '<!-- ',
  '&lt;b&gt; &amp; &#60;',
  'Asha\r\nBcc: everybody@example.com\r\n\r\nTotal paid: ₹1',
  'Asha\u2028Total paid: ₹1',
  '\u202Eoar ahsa\u2066',
  '\0\u0007\u001b[31m',
  'अनुष्का शर्मा 🎉👩‍👩‍👧',
  'عائشہ خان',
  '\uD83D',
  '$& $1 $` {{name}}',
  '⟨'.repeat(60),
  '',
];

/** The same facts, with every text replaced that people outside the shop can choose. */
function poisoned(facts: MailFacts, text: string): MailFacts {
  const order = {
    ...orderFacts,
    name: text,
    items: [{ name: text, quantity: 1, sizeGrams: 500, linePaise: 100 }],
    address: { building: text, street: text, city: text, state: text, zip: text },
    phone: text,
    courier: text,
    trackingNumber: text,
    trackingUrl: text,
    cancelReason: text,
    note: text,
    canceledBy: 'shop' as const,
  };
  const shop = { ...shopFacts, name: text, email: text, whatsapp: text, address: text, fssai: text };
  if (facts.template === 'back-in-stock')
    return { ...facts, shop, name: text, product: { ...facts.product, name: text, url: text, imageUrl: text } };
  if (facts.template === 'gift-on-its-way')
    return {
      ...facts,
      shop,
      name: text,
      sender: text,
      city: text,
      courier: text,
      trackingNumber: text,
      trackingUrl: text,
    };
  if (facts.template === 'gift-reminder')
    return {
      ...facts,
      shop,
      name: text,
      festival: text,
      orderBy: text,
      gifts: [{ recipient: text, city: text, items: text }],
      historyUrl: text,
      stopUrl: text,
    };
  if ('claim' in facts)
    return {
      ...facts,
      shop,
      name: text,
      claim: {
        ...facts.claim,
        ticket: text,
        followUrl: text,
        items: [{ name: text, quantity: 1, problem: 'damaged' }],
        words: text,
        settleBy: text,
        acknowledgeBy: text,
        courier: text,
        trackingNumber: text,
        trackingUrl: text,
      },
    };
  if (facts.template === 'review-request')
    return {
      ...facts,
      shop,
      name: text,
      arrivedOn: text,
      products: [
        { name: text, url: text },
        { name: text, url: text },
      ],
      stopUrl: text,
    };
  if (facts.template === 'cart-reminder')
    return {
      ...facts,
      shop,
      name: text,
      items: [{ name: text, quantity: 1, sizeGrams: 500 }],
      restoreUrl: text,
      stopUrl: text,
    };
  if (facts.template === 'group-placed')
    return { ...facts, shop, name: text, group: { ...facts.group, placedAt: text } };
  if (facts.template === 'payment-refused') return { ...facts, shop, name: text };
  if (facts.template === 'refund-processed') return { ...facts, shop, name: text, order: facts.order && order };
  return { ...facts, shop, order };
}

/** Tags and attribute names, which only we may write. */
function skeleton(html: string): string[] {
  return [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""')).sort();
}

describe.each(Object.entries(mailFixtures))('%s', (_name, facts) => {
  const innocent = new Set(skeleton(renderMail(poisoned(facts, 'innocent 1')).html));
  const known = new Set([...innocent, ...skeleton(renderMail(facts).html)]);

  test.each(attacks)('facts that read %j stay text', (text) => {
    const { subject, html, text: plain } = renderMail(poisoned(facts, text));
    expect(skeleton(html).filter((tag) => !known.has(tag))).toEqual([]);
    expect(subject).not.toMatch(/[\p{Cc}\u2028]/u);
    for (const part of [subject, html, plain]) {
      expect(part).not.toMatch(/(?!\n)[\p{Cc}\u202e\u2066\u2028]/u);
      expect(part.isWellFormed()).toBe(true);
      expect(part).not.toMatch(/undefined|NaN|\[object/);
    }
    expect(plain).not.toMatch(/^(Bcc|Total paid: ₹1$)/m);
  });
});

test('people keep their scripts: Devanagari, Urdu, joined emoji', () => {
  for (const name of ['अनुष्का शर्मा', 'عائشہ خان', '👩‍👩‍👧', "O'Brien & Söhne <3"]) {
    const { html, text } = renderMail({ template: 'order-placed', shop: shopFacts, order: { ...orderFacts, name } });
    expect(text).toContain(`Namaste ${name},`);
    expect(html).toContain(`<bdi>${name.replace('&', '&amp;').replace('<', '&lt;').replace("'", '&#39;')}</bdi>`);
  }
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not an address', ' ', '//'])(
  'a tracking address like %j is not a link',
  (trackingUrl) => {
    const order = { ...orderFacts, trackingNumber: 'BD1', trackingUrl };
    const { html, text } = renderMail({ template: 'order-shipped', shop: shopFacts, order });
    expect(text).toContain('Tracking: BD1\nExpected');
    expect(html).not.toMatch(/javascript:|data:|file:/);
  },
);

const giftFacts: GiftMailFacts = {
  template: 'gift-on-its-way',
  shop: shopFacts,
  name: 'Kamala Devi',
  sender: 'Meera',
  city: 'Pune',
  deliveryBy: null,
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
};

test('what a buyer writes is no link in the email to the recipient of a gift', () => {
  const { html, text, subject } = renderMail({
    ...giftFacts,
    sender: 'https://evil.example/win ₹1 crore',
    name: 'www.evil.example',
    city: 'mail me@evil.example or evil。example',
  });
  for (const part of [html, text, subject]) {
    expect(part).not.toMatch(/:\/\/evil|www\.evil|evil[.。]example|@evil/);
    expect(part.replaceAll('\u200b', '')).toContain('https://evil.example/win ₹1 crore');
  }
});

test('a sender with initials reads as it was written', () => {
  const { text, subject } = renderMail({ ...giftFacts, sender: 'Dr. R.K. Rao & family' });
  for (const part of [subject, text]) expect(part).toContain('Dr. R.K. Rao & family');
});

test.each([
  ['/product/7', 'https://mithaas.example/product/7'],
  ['https://mithaas.example/product/7?a=1', 'https://mithaas.example/product/7?a=1'],
  ['https://evil.example/product/7', 'https://mithaas.example/'],
  ['//evil.example', 'https://mithaas.example/'],
  ['https://mithaas.example.evil.example/', 'https://mithaas.example/'],
  ['javascript:alert(1)', 'https://mithaas.example/'],
])('a product at %j is linked as %s', (url, link) => {
  const product = { name: 'Peda', url, imageUrl: null, pricePaise: 100 };
  const { text } = renderMail({ template: 'back-in-stock', shop: shopFacts, name: null, product });
  expect(text).toContain(`See it in the shop: ${link}\n`);
});

test('amounts of a thousand random orders are shown exactly', () => {
  let seed = 20_261_116;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let run = 0; run < 1000; run += 1) {
    const items = Array.from({ length: 1 + random(6) }, (_, index) => ({
      name: `Sweet ${index}`,
      quantity: 1 + random(25),
      sizeGrams: [null, 500, 1000][random(3)] ?? null,
      linePaise: 1 + random(5_000_000),
    }));
    const subTotalPaise = items.reduce((sum, { linePaise }) => sum + linePaise, 0);
    const [taxPaise, shippingPaise] = [random(500_000), random(20_000)];
    const totalPaise = subTotalPaise + taxPaise + shippingPaise;
    const order = { ...orderFacts, items, subTotalPaise, taxPaise, shippingPaise, totalPaise };
    const { text } = renderMail({ template: 'order-confirmed', shop: shopFacts, order });
    const shown = [...text.matchAll(/: ₹([\d,]+)(?:\.(\d\d))?$/gm)].map(
      ([, whole = '', part = '00']) => BigInt(whole.replaceAll(',', '')) * 100n + BigInt(part),
    );
    const expected = [...items.map(({ linePaise }) => linePaise), subTotalPaise, taxPaise, shippingPaise, totalPaise];
    if (shippingPaise === 0) expected.splice(-2, 1);
    expect(shown).toEqual(expected.map(BigInt));
  }
});
