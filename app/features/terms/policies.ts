import { weekdays } from '#domain/delivery/weekdays.ts';
import { complaintContacts, readablePhone, type ShopFacts, sellerOf } from '#domain/shop/shop-facts.ts';

/** `weeklyOff`: days of the week on which nothing moves, 0 is Sunday. */
export type TermsFacts = ShopFacts & { weeklyOff: readonly number[] };
export type PolicyPart = { title: string; paragraphs: string[]; list?: string[] };
export type Policy = { id: string; subheading: string; parts: PolicyPart[] };

export const termsChangedOn = '18 November 2026';

/** The policies whose subheading contains the text, whatever its case; all of them for an empty text. */
export function matchingPolicies(policies: readonly Policy[], text: string): Policy[] {
  const wanted = text.trim().toLowerCase();
  return policies.filter(({ subheading }) => subheading.toLowerCase().includes(wanted));
}

/** One policy alone gives the page its name; several are the terms. */
export function titleOf(shown: readonly Policy[]): string {
  const [only, another] = shown;
  return only && !another ? only.subheading : 'Terms and conditions';
}

/** Everything a customer agrees to, in plain words. The times are the owner's: change them only with the owner. */
export function policiesOf(shop: TermsFacts): Policy[] {
  const reach = [
    shop.email && `at ${shop.email}`,
    shop.whatsappNumber && `by phone or WhatsApp at ${readablePhone(shop.whatsappNumber)}`,
  ]
    .filter(Boolean)
    .join(' or ');
  const mail = shop.email ? `write to ${shop.email}` : 'write to us';
  return [
    {
      id: 'sale',
      subheading: 'Terms of sale',
      parts: [
        {
          title: 'Who we are',
          paragraphs: [
            [
              `${shop.name} is a shop for Indian sweets run by ${sellerOf(shop)}.`,
              shop.fssaiNumber && `FSSAI licence ${shop.fssaiNumber}.`,
              shop.gstin && `GSTIN ${shop.gstin}.`,
            ]
              .filter(Boolean)
              .join(' '),
            ...(reach ? [`You can reach us ${reach}.`] : []),
            'By placing an order you agree to these terms. The terms in force when you place an order apply to that order.',
          ],
        },
        {
          title: 'Your account',
          paragraphs: [
            'You can browse and fill a cart without an account. To buy, you sign in with a social account; we never see its password. Please keep your phone number and address up to date: that is where we call and deliver.',
          ],
        },
        {
          title: 'Ordering',
          paragraphs: [
            'An order is placed when your payment has succeeded. You’ll then find it under Order History. At most 25 of one item and size can be ordered at a time; for larger quantities, please write to us first.',
            'If we can’t make what you have paid for, because something has sold out or can’t travel to you, we’ll tell you and refund it in full.',
          ],
        },
        {
          title: 'Reviews',
          paragraphs: [
            'Reviews are the opinion of their authors and appear with their name and picture. Write about the sweets, truthfully and decently. You may change or delete your own reviews; we may hide those that are abusive, unlawful or not about the product.',
          ],
        },
      ],
    },
    {
      id: 'payment',
      subheading: 'Prices and payment',
      parts: [
        {
          title: 'Prices',
          paragraphs: [
            'Prices are in Indian rupees (₹). Sweets sold by weight are priced per 500 g; 1000 g costs twice as much. Tax and shipping are shown at the checkout before you pay, and what is shown there is what you pay.',
          ],
        },
        {
          title: 'Payment',
          paragraphs: [
            'You pay online through our payment provider. Card numbers, UPI PINs and bank passwords go to the provider alone; we receive a payment number and whether it succeeded, nothing more.',
            'If money was taken and no order appears, please don’t pay again: the payment becomes an order or is refunded automatically.',
          ],
        },
      ],
    },
    {
      id: 'products',
      subheading: 'Product information and allergens',
      parts: [
        {
          title: 'Ingredients and allergens',
          paragraphs: [
            'Each product page shows whether the sweet is vegetarian, and lists ingredients, allergens, net weight, shelf life, how to store it and who made it. A green dot in a square means vegetarian, a brown triangle means that it is not; egg counts as not vegetarian. Read it before you order, and read the label again before you eat.',
            'Our kitchen works with milk, ghee, wheat (gluten), peanuts, cashews, almonds, pistachios and other nuts, sesame and soya. Traces of each may be found in every product, even where it is not an ingredient. If you have a severe allergy, please do not rely on our sweets being free of it.',
          ],
        },
        {
          title: 'Freshness and weight',
          paragraphs: [
            'Sweets are made by hand in small batches. Pictures show the kind of sweet, not the exact piece: colour, shape and decoration vary. Weights are net weights when packed. Keep each sweet as its page and label say, and eat it within its shelf life.',
          ],
        },
      ],
    },
    {
      id: 'shipping',
      subheading: 'Shipping and refund policy',
      parts: [
        {
          title: 'Delivery',
          paragraphs: [
            `We deliver within India, in 1 to 7 business days after the order is placed, depending on where you are. ${businessDays(shop)} Festivals, weather and strikes may add to this; we’ll tell you when they do.`,
            'The shipping charge is shown before you pay. Some pincodes are too far for fresh sweets: the checkout says so before any money is taken. Please have someone at home to receive the parcel, and make sure we can reach you on the phone number in your profile.',
          ],
        },
        {
          title: 'No returns',
          paragraphs: [
            'Sweets are perishable items. For everyone’s safety there are no returns: what has left our kitchen can’t be sold again.',
          ],
        },
        {
          title: 'When something is wrong',
          paragraphs: [
            `If what arrives is spoiled, damaged, incomplete or not what you ordered, ask for a refund within 24 hours of delivery: open the order in your order history or by the link in its emails and choose “Report a problem”, with photos of the sweets and the box if you can. You get a ticket number at once, and an answer within 48 hours. If you can’t, ${mail} with the order number. We look at every request and refund the items affected, or the whole order if all of it is affected.`,
            'Taste alone, a wrong address in the profile, and nobody being at home to receive the parcel are not reasons for a refund.',
          ],
        },
        {
          title: 'Cancellation',
          paragraphs: [
            'You can cancel an order until we begin to prepare it; it is then refunded in full. After that the sweets are being made for you, and the order can no longer be cancelled. If we have to cancel, you get a full refund.',
          ],
        },
        {
          title: 'Refunds',
          paragraphs: [
            'Refunds are made within 7 business days after we have agreed to them or the order was cancelled, to your original payment method. Your bank may take a few more days to show it.',
          ],
        },
      ],
    },
    {
      id: 'privacy',
      subheading: 'Privacy policy',
      parts: [
        {
          title: 'What we store, and why',
          paragraphs: ['We keep what a sweets shop needs, and nothing for advertising:'],
          list: [
            'Account: name, email address and picture, as your social account gives them when you sign in.',
            'Address: the phone number and delivery address that you enter in your profile, to deliver and to call you about a delivery.',
            'Orders: what you bought, when, for how much, where it went, and the payment number; never card or bank details.',
            'What you write: reviews, which everyone can read, and your requests to be told when an item is back in stock.',
          ],
        },
        {
          title: 'Cookies and what your browser keeps',
          paragraphs: [
            'Your cart and checkout lists are two cookies, named cart and checkout, kept for 7 days. Your sign-in is kept in your browser until you log out, as are small things such as a banner you have closed. There are no advertising or tracking cookies.',
          ],
        },
        {
          title: 'Who else sees it',
          paragraphs: [
            'The payment provider (name, email, phone and amount), the courier (name, phone and address), and the companies that run our servers and send our mail, each only for that work. Authorities, where the law obliges us. We do not sell personal data.',
          ],
        },
        {
          title: 'How long, and your rights',
          paragraphs: [
            'Profile and reviews stay until you delete them or ask us to. Orders and invoices are kept as long as Indian tax law requires.',
            `You may see, correct and complete your data in your profile, and ask for a copy or for deletion at any time: ${mail}. You may withdraw your consent, name someone to act for you, and complain to the Data Protection Board of India.`,
          ],
        },
      ],
    },
    {
      id: 'complaints',
      subheading: 'Complaints and grievance officer',
      parts: [
        {
          title: 'Tell us',
          paragraphs: [
            grievanceWords(shop),
            'Say what happened, with the number of your order if there is one. A complaint is acknowledged within 48 hours with a ticket number by which you can ask about it, and settled within one month of the day we receive it. You may also call the National Consumer Helpline at 1915.',
          ],
        },
      ],
    },
    {
      id: 'law',
      subheading: 'Governing law',
      parts: [
        {
          title: 'Indian law',
          paragraphs: [
            'These terms, and every order, are governed by Indian law. Nothing in them takes away a right that the law gives you as a consumer, such as going to the consumer commission where you live.',
          ],
        },
      ],
    },
  ];
}

function businessDays({ weeklyOff }: TermsFacts): string {
  const days = [...weekdays.entries()].filter(([number]) => weeklyOff.includes(number)).map(([, day]) => `${day}s`);
  if (days.length === 0) return 'Every day except public holidays and our closures is a business day.';
  return `${days.join(', ')} and public holidays are not business days.`;
}

function grievanceWords(shop: ShopFacts): string {
  const contacts = complaintContacts(shop).map(({ text }) => text);
  if (!shop.grievanceOfficer)
    return `Complaints reach our grievance officer${contacts[0] ? ` at ${contacts.join(' or ')}` : ' at the shop’s address'}.`;
  return `Grievance officer: ${[shop.grievanceOfficer, ...contacts, shop.grievanceHours].filter(Boolean).join(', ')}.`;
}
