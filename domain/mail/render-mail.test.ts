import { describe, expect, test } from 'vitest';
import { mailFixtures, orderFacts, shopFacts } from '../../tests/support/mail-facts.ts';
import type { MailFacts, OrderMailFacts } from './facts.ts';
import { renderMail } from './render-mail.ts';

const fixtures = Object.entries(mailFixtures);
const withOrder = fixtures.filter(([, facts]) => 'order' in facts && facts.order);
const bothParts = (facts: MailFacts) => {
  const { html, text } = renderMail(facts);
  return [seen(html), text] as const;
};

/** What a reader sees of an HTML part. */
function seen(html: string): string {
  return html
    .replace(/<(head|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

test('the subjects say what happened', () => {
  expect(Object.fromEntries(fixtures.map(([name, facts]) => [name, renderMail(facts).subject]))).toEqual({
    'gift on its way': 'A box of sweets for you, from Meera and Arjun',
    'group placed': 'Your order for 120 recipients is placed',
    'order placed': 'Your order 1042 is placed',
    'order placed by phone, unpaid': 'Your order 1042 is placed',
    'order to collect placed': 'Your order 1042 is placed',
    'order confirmed': 'Your order 1042 is confirmed',
    'order confirmed with a note': 'Your order 1042 is confirmed',
    'order shipped': 'Your order 1042 is on its way',
    'order ready': 'Your order 1042 is ready to collect',
    'order delivered': 'Your order 1042 was delivered',
    'order collected': 'Your order 1042 was collected',
    'order canceled by the customer': 'Your order 1042 has been cancelled',
    'order canceled by the shop': 'Your order 1042 has been cancelled',
    'order refunded in part': 'We’ve refunded ₹1,300 for your order 1042',
    'payment refunded without an order': 'We’ve refunded ₹3,735.48',
    'refund by hand': 'We’ve refunded ₹1,300 for your order 1042',
    'refund started': 'Your refund of ₹1,300 for your order 1042',
    'refund late': 'Your refund of ₹1,300 for your order 1042 is delayed',
    'refund given up': 'Your refund of ₹3,735.48 is delayed',
    'payment refused': 'We’re refunding your payment of ₹3,735.48',
    'second payment refused': 'We’re refunding your payment of ₹3,735.48',
    'gift reminder': 'Diwali is coming: your gift list from last year',
    'review request': 'How did you like your sweets?',
    'review request for one product': 'How did you like Kaju Katli?',
    'cart reminder': 'Your cart is saved',
    'claim received': 'We’ve received your report: ticket C-1007',
    'claim answered': 'An answer to your ticket C-1007',
    'claim refunded': 'We’re refunding ₹614.25: ticket C-1007',
    'claim refunded offline': 'We’re refunding ₹614.25: ticket C-1007',
    'claim replaced': 'We’re sending a replacement: ticket C-1007',
    'claim refused': 'Our decision on your ticket C-1007',
    'replacement sent': 'Your replacement for order 1042 is on its way',
    'back in stock': 'Kesar Peda is back in stock',
  });
});

describe.each(fixtures)('%s', (_name, facts) => {
  test('greets by name, says who wrote, and leaves no gap', () => {
    for (const part of bothParts(facts)) {
      expect(part).toMatch(
        facts.template === 'gift-on-its-way' ? /Namaste\s+Kamala Devi\s*,/ : /Namaste\s+Asha Rao\s*,/,
      );
      for (const fact of ['Mithaas', 'Johari Bazaar', 'namaste@mithaas.example', '+91 98123 45678', '12345678901234'])
        expect(part).toContain(fact);
      expect(part).not.toMatch(/undefined|null|NaN|\[object|Invalid/);
    }
  });

  test('links to this shop only, over what the shop is told its address is', () => {
    const { html, text } = renderMail(facts);
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g), ...text.matchAll(/(https?:\S+)/g)].map(
      (m) => m[1] ?? '',
    );
    const elsewhere = links.filter((link) => !link.startsWith('https://mithaas.example'));
    for (const link of elsewhere)
      expect(link).toMatch(/^(mailto:namaste@|https:\/\/wa\.me\/919812345678|https:\/\/track\.example\/)/);
    expect(links.length).toBeGreaterThan(3);
  });

  test('loads nothing: no scripts, fonts, trackers; a picture only of the sweet that is back', () => {
    const { html } = renderMail(facts);
    expect(html).not.toMatch(/<script|@import|url\(|<link|<iframe|<form/i);
    expect(html.match(/<img/g)?.length ?? 0).toBe(facts.template === 'back-in-stock' ? 1 : 0);
  });
});

describe.each(withOrder)('%s', (_name, facts) => {
  test('holds the order: number, reference, items, sums, in both parts', () => {
    for (const part of bothParts(facts)) {
      for (const fact of ['1042', '3f2a9c1b', '16 Nov 2026', 'Kaju Katli', '2 × 500 g', '₹1,300', 'Motichoor Laddu'])
        expect(part).toContain(fact);
      for (const fact of ['1 × 1 kg', '₹720.50', 'Family Combo', '1 piece', '₹3,519.50', '₹175.98'])
        expect(part).toContain(fact);
      expect(part).toMatch(/₹3,735\.48|₹3,695\.48/);
      expect(part).toContain('not an invoice');
    }
  });

  test('shows sums that add up', () => {
    const { text } = renderMail(facts);
    const amounts = (pattern: RegExp) => [...text.matchAll(pattern)].map((m) => (m[1] === 'free' ? 0 : inPaise(m[1])));
    const lines = amounts(/^ {2}.*: (₹[\d,.]+)$/gm);
    const [subtotal = 0, tax = 0, shipping = 0] = amounts(
      /^(?:Subtotal|Tax \(GST on items\)|Shipping charge(?: \(incl\. GST ₹1\.90\))?): (\S+)$/gm,
    );
    const [total] = amounts(/^Total(?: paid)?: (\S+)$/gm);
    expect(lines.reduce((sum, line) => sum + line, 0)).toBe(subtotal);
    expect(subtotal + tax + shipping).toBe(total);
  });
});

const inPaise = (rupees = '') => Math.round(Number(rupees.replace(/[₹,]/g, '')) * 100);

describe('what each mail must not leave out', () => {
  test.each([
    ['order placed', ['Expected by', '20 Nov 2026', 'Flat 4B, Gulmohar', '560034', 'Total paid']],
    ['order placed by phone, unpaid', ['Total']],
    ['order to collect placed', ['Collect from', 'free']],
    ['order shipped', ['Blue Dart', 'BD 7781 2290']],
    ['order ready', ['bring your order number, 1042', '12 Johari Bazaar']],
    ['order delivered', ['refund within 24 hours of delivery', 'no returns']],
    ['order collected', ['refund within 24 hours of collecting it']],
    ['claim received', ['C-1007', '20 Nov 2026, 3:30 pm', '1 × Kaju Katli: damaged']],
    ['claim answered', ['Could you send a photo of the box?']],
    ['claim refunded', ['₹614.25', '27 Nov 2026', 'original payment method', 'We’re sorry for the crushed box.']],
    ['claim refunded offline', ['pay ₹614.25 back to you directly']],
    ['claim replaced', ['at no charge', '20 Nov 2026']],
    [
      'claim refused',
      ['The photos show another shop’s sweets.', 'Asha Rao', 'care@mithaas.example', '+91 90000 00099'],
    ],
    ['replacement sent', ['Blue Dart', 'BD 1234567', 'nothing to pay']],
    ['order canceled by the customer', ['You cancelled', 'by 24 Nov 2026']],
    ['order canceled by the shop', ['We’re sorry', 'Our oven broke down', 'within 7 business days']],
    [
      'order refunded in part',
      ['₹1,300', 'agreed on for your order 1042', 'on 17 Nov 2026', '5 to 7 business days', '74332745213000012345678'],
    ],
    ['payment refunded without an order', ['sold out while you were paying', '₹3,735.48', 'rfnd_FgRAHdNOM4ZVbP']],
    ['refund by hand', ['by UPI on 17 Nov 2026', '432109876543', 'was cancelled']],
    ['refund started', ['₹1,300', 'by 24 Nov 2026', '5 to 7 business days', 'You don’t need to do anything']],
    ['refund late', ['We’re sorry', 'by 24 Nov 2026', 'We keep trying']],
    ['refund given up', ['₹3,735.48', 'another way', 'Never share an OTP']],
    ['payment refused', ['We’re sorry', '₹3,735.48', 'by 24 Nov 2026']],
    ['second payment refused', ['already paid', 'by 24 Nov 2026']],
    ['review request', ['1042', '20 Nov 2026', 'Kaju Katli', 'Motichoor Laddu', 'Stop review requests']],
    ['cart reminder', ['Nothing was charged', 'Kaju Katli', '2 × 500 g', 'Family Combo', 'Stop cart reminders']],
    ['back in stock', ['Kesar Peda', '₹540', 'nothing to unsubscribe from']],
  ])('%s: %j', (name, facts) => {
    for (const part of bothParts(mailFixtures[name] as MailFacts))
      for (const fact of facts) expect(part).toContain(fact);
  });

  test('an unpaid order never says that money was paid or comes back', () => {
    const order = { ...orderFacts, isPaid: false, canceledBy: 'shop' as const };
    for (const template of ['order-placed', 'order-canceled'] as const)
      for (const part of bothParts({ template, shop: shopFacts, order }))
        expect(part).not.toMatch(/Total paid|your payment|comes back|business days/);
  });

  test('a ticket is one click away, by the link of its order', () => {
    for (const [, facts] of fixtures)
      if ('claim' in facts)
        for (const part of [renderMail(facts).html, renderMail(facts).text])
          expect(part).toContain(facts.claim.followUrl);
  });

  test('the order history is one click away, opened at the order', () => {
    for (const [, facts] of fixtures.filter(
      ([, { template }]) =>
        !['back-in-stock', 'gift-on-its-way', 'review-request', 'cart-reminder'].includes(template) &&
        !template.startsWith('claim-'),
    )) {
      const { html, text } = renderMail(facts);
      const id = 'group' in facts ? facts.group.orderId : 'order' in facts ? facts.order?.id : undefined;
      const order = id ? `&order=${id}` : '';
      const address = `https://mithaas.example/profile?tab=orders${order}`;
      expect(html).toContain(`href="${address.replace('&', '&amp;')}"`);
      expect(text).toContain(address);
    }
  });
});

test('what the shop wrote to the customer is in both parts, and nothing where it wrote nothing', () => {
  const { html, text } = renderMail(mailFixtures['order confirmed with a note'] as MailFacts);
  expect(html).toContain('A note for you: It comes with a card.');
  expect(text).toContain('A note for you: It comes with a card.');
  expect(renderMail(mailFixtures['order confirmed'] as MailFacts).text).not.toContain('A note for you');
});

test('a shop that has not filled in its settings writes mails without holes', () => {
  const shop = { ...shopFacts, email: '', whatsapp: '', address: '', fssai: null };
  for (const [, facts] of fixtures) {
    const { html, text } = renderMail({ ...facts, shop } as MailFacts);
    expect(text).not.toMatch(/FSSAI|WhatsApp|Collect from|: *$| ,|undefined|null/m);
    expect(html).not.toMatch(/mailto:|wa\.me/);
  }
});

test('an order without a date, address, courier or name is written without them', () => {
  const order: OrderMailFacts['order'] = { ...orderFacts, name: ' ', deliveryBy: null, address: null };
  for (const part of bothParts({ template: 'order-shipped', shop: shopFacts, order })) {
    expect(part).toContain('Namaste,');
    expect(part).not.toMatch(/Expected by|Delivery to|Courier|Tracking/);
  }
  expect(
    renderMail({ template: 'order-placed', shop: shopFacts, order: { ...orderFacts, deliveryBy: '2026-02-30' } }).text,
  ).not.toContain('Expected by');
});

test('an amount that is no whole number of paise is never mailed', () => {
  for (const totalPaise of [Number.NaN, 1.5, Number.POSITIVE_INFINITY])
    expect(() =>
      renderMail({ template: 'order-placed', shop: shopFacts, order: { ...orderFacts, totalPaise } }),
    ).toThrow(RangeError);
});

test('the recipient of a gift reads who sent it and when it comes, and no amount', () => {
  const { subject, html, text } = renderMail(mailFixtures['gift on its way'] as MailFacts);
  for (const part of [html, text]) {
    for (const said of ['Meera and Arjun', 'Pune', '20 Nov 2026', 'BD 1234567']) expect(part).toContain(said);
    expect(part).not.toContain('₹');
    expect(part).not.toContain('/profile');
  }
  expect(subject).toBe('A box of sweets for you, from Meera and Arjun');
});

test('an order that goes to another person greets the buyer', () => {
  const facts = mailFixtures['order shipped'] as OrderMailFacts;
  const { text } = renderMail({ ...facts, order: { ...facts.order, buyer: 'Meera Till', isGift: true } });
  expect(text).toContain('Namaste Meera Till,');
  expect(text).toContain('with your card and without prices');
  expect(text).not.toContain('Please have someone at home');
});

test('an order is followed without a login by the link of its email, in both parts, beside the order history', () => {
  const followUrl = `https://mithaas.example/order/${'Ab-_'.repeat(18)}`;
  for (const [, facts] of withOrder) {
    if (!('order' in facts) || !facts.order) continue;
    const { html, text } = renderMail({ ...facts, order: { ...facts.order, followUrl } } as MailFacts);
    expect(html).toContain(`href="${followUrl}"`);
    expect(text).toContain(followUrl);
    expect(text).toContain('/profile?tab=orders&order=');
  }
  const elsewhere = { ...orderFacts, followUrl: 'https://evil.example/order/x' };
  expect(renderMail({ template: 'order-placed', shop: shopFacts, order: elsewhere }).html).not.toContain(
    'evil.example',
  );
});

test('what may be stopped says so to the mail program, too', () => {
  for (const name of ['review request', 'cart reminder', 'gift reminder'])
    expect(renderMail(mailFixtures[name] as MailFacts).unsubscribeUrl).toContain('/unsubscribe?token=');
  expect(renderMail(mailFixtures['order placed'] as MailFacts).unsubscribeUrl).toBeUndefined();
});
