import type { MailFacts, OrderFacts, ShopFacts } from '../../domain/mail/facts.ts';

export const shopFacts: ShopFacts = {
  name: 'Mithaas',
  siteUrl: 'https://mithaas.example',
  email: 'namaste@mithaas.example',
  whatsapp: '+919812345678',
  address: '12 Johari Bazaar, Jaipur, Rajasthan 302003',
  fssai: '12345678901234',
};

export const orderFacts: OrderFacts = {
  id: '3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607',
  number: 1042,
  placedAt: '2026-11-15 19:01:39.93+00',
  name: 'Asha Rao',
  items: [
    { name: 'Kaju Katli', quantity: 2, sizeGrams: 500, linePaise: 130_000 },
    { name: 'Motichoor Laddu', quantity: 1, sizeGrams: 1000, linePaise: 72_050 },
    { name: 'Family Combo', quantity: 1, sizeGrams: null, linePaise: 149_900 },
  ],
  subTotalPaise: 351_950,
  taxPaise: 17_598,
  shippingPaise: 4_000,
  shippingTaxPaise: 190,
  totalPaise: 373_548,
  fulfilment: 'delivery',
  address: {
    building: 'Flat 4B, Gulmohar',
    street: '80 Feet Road',
    city: 'Bengaluru',
    state: 'Karnataka',
    zip: '560034',
  },
  phone: '+91 98123 45678',
  deliveryBy: '2026-11-20',
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
  cancelReason: null,
  canceledBy: null,
};

const shop = shopFacts;
const pickup: OrderFacts = {
  ...orderFacts,
  fulfilment: 'pickup',
  address: null,
  deliveryBy: null,
  shippingPaise: 0,
  totalPaise: 369_548,
};

/** Every mail the shop writes, by what it is about. */
export const mailFixtures: Record<string, MailFacts> = {
  'order placed': { template: 'order-placed', shop, order: orderFacts },
  'order placed by phone, unpaid': { template: 'order-placed', shop, order: { ...orderFacts, isPaid: false } },
  'order to collect placed': { template: 'order-placed', shop, order: pickup },
  'order confirmed': { template: 'order-confirmed', shop, order: orderFacts },
  'order confirmed with a note': {
    template: 'order-confirmed',
    shop,
    order: { ...orderFacts, note: 'It comes with a card.' },
  },
  'order shipped': {
    template: 'order-shipped',
    shop,
    order: {
      ...orderFacts,
      courier: 'Blue Dart',
      trackingNumber: 'BD 7781 2290',
      trackingUrl: 'https://track.example/BD77812290?a=1&b=2',
    },
  },
  'order ready': { template: 'order-ready', shop, order: pickup },
  'order delivered': { template: 'order-delivered', shop, order: orderFacts },
  'order collected': { template: 'order-delivered', shop, order: pickup },
  'order canceled by the customer': {
    template: 'order-canceled',
    shop,
    order: { ...orderFacts, canceledBy: 'customer' },
  },
  'order canceled by the shop': {
    template: 'order-canceled',
    shop,
    order: { ...orderFacts, canceledBy: 'shop', cancelReason: 'Our oven broke down, and we could not bake in time.' },
  },
  'order refunded in part': {
    template: 'refund-processed',
    shop,
    name: 'Asha Rao',
    amountPaise: 130_000,
    order: orderFacts,
    reason: 'order-refunded',
  },
  'payment refunded without an order': {
    template: 'refund-processed',
    shop,
    name: 'Asha Rao',
    amountPaise: 373_548,
    order: null,
    reason: 'sold-out',
  },
  'payment refused': { template: 'payment-refused', shop, name: 'Asha Rao', amountPaise: 373_548, reason: 'sold-out' },
  'second payment refused': {
    template: 'payment-refused',
    shop,
    name: 'Asha Rao',
    amountPaise: 373_548,
    reason: 'second-payment',
  },
  'group placed': {
    template: 'group-placed',
    shop,
    name: 'Asha Rao',
    group: {
      orderId: orderFacts.id,
      recipients: 120,
      totalPaise: 11_940_000,
      placedAt: '2026-11-15 19:01:39.93+00',
    },
  },
  'gift on its way': {
    template: 'gift-on-its-way',
    shop,
    name: 'Kamala Devi',
    sender: 'Meera and Arjun',
    city: 'Pune',
    deliveryBy: '2026-11-20',
    courier: 'Blue Dart',
    trackingNumber: 'BD 1234567',
    trackingUrl: 'https://track.example/BD1234567',
  },
  'gift reminder': {
    template: 'gift-reminder',
    shop,
    name: 'Asha Rao',
    festival: 'Diwali',
    orderBy: '2026-11-06',
    gifts: [
      { recipient: 'Kamala Devi', city: 'Pune', items: 'Besan Laddu 500 g × 2' },
      { recipient: 'Arjun Mehta', city: 'Mumbai', items: 'Kaju Katli 1 kg × 1, Diwali Box × 1' },
    ],
    more: 3,
    historyUrl: 'https://mithaas.example/profile?tab=orders',
    stopUrl: `https://mithaas.example/unsubscribe?token=3f2a9c1b-6d5e-4f70-8a91-b2c3d4e5f607.${'0123456789abcdef'.repeat(4)}`,
  },
  'back in stock': {
    template: 'back-in-stock',
    shop,
    name: 'Asha Rao',
    product: {
      name: 'Kesar Peda',
      url: 'https://mithaas.example/product/7',
      imageUrl: 'https://mithaas.example/images/story-960.webp',
      pricePaise: 54_000,
    },
  },
};
