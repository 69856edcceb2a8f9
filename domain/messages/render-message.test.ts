import { describe, expect, test } from 'vitest';
import { cutTo, gsm7Length, isGsm7, toGsm7 } from './gsm7.ts';
import { type MessageFacts, messageTemplates } from './message.ts';
import { renderMessage } from './render-message.ts';

const facts = (more: Partial<MessageFacts> = {}): MessageFacts => ({
  template: 'order-placed',
  shopName: 'Mithaas',
  number: 1042,
  isPickup: false,
  deliveryBy: '2026-11-20',
  isChosenDay: false,
  courier: null,
  trackingNumber: null,
  recipients: null,
  amountPaise: 129_900,
  url: 'https://mithaas.example/p',
  ...more,
});
const text = (more: Partial<MessageFacts> = {}) => renderMessage(facts(more)).text;

describe('a text message', () => {
  test.each<[string, Partial<MessageFacts>, string]>([
    ['placed', {}, 'Mithaas: Order 1042 is placed (Rs 1,299). Thank you! Arrives by Fri, 20 Nov.'],
    [
      'placed for a chosen day',
      { isChosenDay: true },
      'Mithaas: Order 1042 is placed (Rs 1,299). Thank you! Arrives on Fri, 20 Nov.',
    ],
    [
      'placed to be collected',
      { isPickup: true },
      "Mithaas: Order 1042 is placed (Rs 1,299). Thank you! We'll tell you when it's ready to collect.",
    ],
    [
      'placed for many',
      { template: 'group-placed', recipients: 40 },
      'Mithaas: Your order for 40 recipients is placed (Rs 1,299). Thank you!',
    ],
    [
      'shipped',
      { template: 'order-shipped', courier: 'Delhivery', trackingNumber: 'DL123' },
      'Mithaas: Order 1042 is on its way with Delhivery, tracking no. DL123. Arrives by Fri, 20 Nov.',
    ],
    ['shipped by ourselves', { template: 'order-shipped', deliveryBy: null }, 'Mithaas: Order 1042 is on its way.'],
    [
      'ready',
      { template: 'order-ready', isPickup: true },
      'Mithaas: Order 1042 is ready. Collect it at our counter. Please bring the order number.',
    ],
    ['delivered', { template: 'order-delivered' }, 'Mithaas: Order 1042 is delivered. Sweets are best fresh: enjoy!'],
    ['collected', { template: 'order-delivered', isPickup: true }, 'Mithaas: Order 1042 is collected.'],
    ['cancelled', { template: 'order-canceled' }, "Mithaas: Order 1042 is cancelled. If you paid, we'll refund you"],
    [
      'refunded',
      { template: 'refund-processed' },
      "Mithaas: We've refunded Rs 1,299 for order 1042 to your original payment method.",
    ],
    [
      'refunded without an order',
      { template: 'refund-processed', number: null },
      "Mithaas: We've refunded Rs 1,299 to your original payment method.",
    ],
  ])('of an order %s', (_, more, expected) => {
    expect(text(more)).toContain(expected);
  });

  test.each(messageTemplates)('%s fits into one, whatever names, couriers and addresses are', (template) => {
    const url = `https://${'long-name.'.repeat(8)}example/profile?tab=orders&order=3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607`;
    for (const long of [
      'x'.repeat(80),
      'मिठास '.repeat(10),
      '{[~]}'.repeat(20),
      'Ćafé “Süß” – ₹ '.repeat(5),
      '',
      '👋\n\u202e',
    ])
      for (const amountPaise of [100, 99_999_999_900]) {
        const more = {
          template,
          shopName: long,
          courier: long,
          trackingNumber: long,
          url,
          amountPaise,
          recipients: 500,
        };
        for (const isPickup of [true, false]) {
          const rendered = renderMessage(facts({ ...more, isPickup }));
          expect(gsm7Length(rendered.text)).toBeLessThanOrEqual(160);
          expect(isGsm7(rendered.text)).toBe(true);
          expect(rendered.text).not.toMatch(/[\r\n]/);
          expect(rendered.text).toMatch(/order|refunded/i);
          for (const parameter of rendered.parameters) {
            expect(parameter).not.toBe('');
            expect(parameter).not.toMatch(/[\n\t\u202e]| {2}/);
          }
        }
      }
  });

  test('has the link to the order where it fits', () => {
    expect(text({ template: 'order-ready' })).toContain('Details: https://mithaas.example/p');
    expect(text({ url: `https://mithaas.example/${'p'.repeat(100)}` })).not.toContain('https://');
  });
});

test.each(messageTemplates)('a registered template has the same places each time: %s', (template) => {
  const full = renderMessage(facts({ template, courier: 'Delhivery', trackingNumber: 'DL123', recipients: 2 }));
  const bare = renderMessage(facts({ template, deliveryBy: null, amountPaise: null, number: null, isPickup: null }));
  expect(bare.parameters).toHaveLength(full.parameters.length);
  expect(full.template).toBe(template.replaceAll('-', '_'));
  expect(full.parameters[0]).toBe('Mithaas');
});

describe('the GSM alphabet', () => {
  test('replaces signs, drops accents and leaves other scripts out', () => {
    expect(toGsm7('We’ve “kept” ₹540 – thanks…')).toBe('We\'ve "kept" Rs 540 - thanks...');
    expect(toGsm7('Ćáfé मिठास\tSweets\n')).toBe('Café Sweets');
    expect(toGsm7('Ćáfé')).toBe('Café');
  });

  test('counts signs of the extension twice, and cuts between them', () => {
    expect(gsm7Length('a€')).toBe(3);
    expect(cutTo('ab€€', 5)).toBe('ab€');
  });
});
