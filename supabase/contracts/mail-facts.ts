// The content of an email, from private.mail_content; domain/mail renders it.
import { fulfilment, moment } from './contract.ts';
import { z } from './z.ts';

const Shop = z.object({
  name: z.string(),
  siteUrl: z.string(),
  email: z.string(),
  whatsapp: z.string(),
  address: z.string(),
  fssai: z.string().nullable(),
});

const Order = z.object({
  id: z.string(),
  number: z.number(),
  placedAt: moment,
  name: z.string(),
  items: z.array(
    z.object({
      name: z.string(),
      quantity: z.number(),
      sizeGrams: z.number().nullable(),
      linePaise: z.number(),
    }),
  ),
  subTotalPaise: z.number(),
  discountPaise: z.number().optional(),
  offers: z.string().optional(),
  taxPaise: z.number(),
  shippingPaise: z.number(),
  shippingTaxPaise: z.number().optional(),
  totalPaise: z.number(),
  isPaid: z.boolean().optional(),
  fulfilment,
  address: z
    .object({ building: z.string(), street: z.string(), city: z.string(), state: z.string(), zip: z.string() })
    .nullable(),
  phone: z.string(),
  deliveryBy: z.string().nullable(),
  deliverOn: z.string().nullish(),
  missedDay: z.string().nullish(),
  courier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  trackingUrl: z.string().nullable(),
  cancelReason: z.string().nullable(),
  note: z.string().nullable().optional(),
  canceledBy: z.enum(['customer', 'shop']).nullable(),
  buyer: z.string().nullable().optional(),
  isGift: z.boolean().optional(),
});

export const MailFacts = z.discriminatedUnion('template', [
  z.object({
    template: z.enum([
      'order-placed',
      'order-confirmed',
      'order-shipped',
      'order-ready',
      'order-delivered',
      'order-canceled',
    ]),
    shop: Shop,
    order: Order,
  }),
  z.object({
    template: z.literal('refund-processed'),
    shop: Shop,
    name: z.string(),
    amountPaise: z.number(),
    order: Order.nullable(),
    reason: z.enum([
      'order-canceled',
      'order-refunded',
      'sold-out',
      'offer-used-up',
      'wrong-amount',
      'second-payment',
      'other',
    ]),
  }),
  z.object({
    template: z.literal('payment-refused'),
    shop: Shop,
    name: z.string(),
    amountPaise: z.number(),
    reason: z.enum(['sold-out', 'offer-used-up', 'wrong-amount', 'second-payment']),
  }),
  z.object({
    template: z.literal('group-placed'),
    shop: Shop,
    name: z.string(),
    group: z.object({ orderId: z.string(), recipients: z.number(), totalPaise: z.number(), placedAt: moment }),
  }),
  z.object({
    template: z.literal('gift-on-its-way'),
    shop: Shop,
    name: z.string(),
    sender: z.string(),
    city: z.string(),
    deliveryBy: z.string().nullable(),
    courier: z.string().nullable(),
    trackingNumber: z.string().nullable(),
    trackingUrl: z.string().nullable(),
  }),
  z.object({
    template: z.literal('gift-reminder'),
    shop: Shop,
    name: z.string().nullable(),
    festival: z.string(),
    orderBy: z.string(),
    gifts: z.array(z.object({ recipient: z.string(), city: z.string(), items: z.string() })),
    more: z.number(),
    historyUrl: z.string(),
    stopUrl: z.string(),
  }),
  z.object({
    template: z.literal('back-in-stock'),
    shop: Shop,
    name: z.string().nullable(),
    product: z.object({
      name: z.string(),
      url: z.string(),
      imageUrl: z.string().nullable(),
      pricePaise: z.number(),
    }),
  }),
]);
