import { defaultSize, maxQuantity, sizes, withQuantity } from '#domain/cart/cart.ts';
import { moveToCheckout } from '#domain/cart/move-lines.ts';
import { totalsMessage } from '#domain/checkout/messages.ts';
import { testimonialsFrom } from '#domain/home/testimonials.ts';
import { nextStatuses } from '#domain/orders/status.ts';
import { addressWarning, emptyProfile } from '#domain/profile.ts';
import type { SpecRow } from './spec-row.ts';

const address = { ...emptyProfile, buildingNo: '1', street: 'Road', city: 'Pune', state: 'Maharashtra', zip: '411007' };
const moved = moveToCheckout({ cart: { 9: { 500: 2 } }, checkout: {} }, 9, 500);
const account = 'app/features/account/account.component.test.tsx';
const cart = 'app/features/cart/cart.component.test.tsx';
const product = 'app/features/product/product.component.test.tsx';
const reviews = 'app/features/reviews/reviews.component.test.tsx';

/** Sections 4 and 5: states and validation rules. */
export const ruleRows: SpecRow[] = [
  {
    section: 4,
    what: "an order starts as 'Pending'",
    provenBy:
      'supabase/tests/checkout-settle.test.ts › a paid checkout becomes an order with everything that was agreed',
  },
  {
    section: 4,
    what: "a customer's cancelling ends in 'canceled'",
    value: nextStatuses({ status: 'Pending', fulfilment: 'delivery' }, 'customer'),
    is: ['canceled'],
  },
  {
    section: 4,
    what: "badge class 'status-' plus the lowercased status",
    provenBy: `${account} › shows its short id and its status with the badge of that status`,
  },
  {
    section: 4,
    what: 'every move recalculates the amounts: they are asked for whenever the lines change',
    provenBy: 'tests/e2e/checkout.spec.ts › every move recalculates the amounts, and nothing else moves',
  },
  {
    section: 4,
    what: 'an entry that moves to the checkout leaves the cart',
    value: moved.ok && moved.basket,
    is: { cart: {}, checkout: { 9: { 500: 2 } } },
  },
  {
    section: 4,
    what: 'a quantity of 0 removes the product',
    value: withQuantity({ 9: { 500: 2 } }, 9, 500, 0),
    is: {},
  },

  {
    section: 5,
    what: 'review without rating or comment',
    provenBy: `${reviews} › needs a rating and a comment`,
  },
  {
    section: 5,
    what: 'blank edit',
    provenBy: `${reviews} › an edited review cannot be empty`,
  },
  {
    section: 5,
    what: 'the modal counts from 0',
    provenBy: `${product} › in the modal counts from 0, and at 0 nothing can be added or bought`,
  },
  {
    section: 5,
    what: 'the product page counts from 1',
    provenBy: `${product} › on the product page counts from 1`,
  },
  { section: 5, what: 'quantities end at 25', value: maxQuantity, is: 25 },
  {
    section: 5,
    what: 'decreasing at 1 in the cart removes',
    provenBy: `${cart} › decreasing a quantity of 1 removes the line from the cart`,
  },
  {
    section: 5,
    what: 'Add to Cart is disabled at 0',
    provenBy: `${product} › in the modal counts from 0, and at 0 nothing can be added or bought`,
  },
  { section: 5, what: 'sizes', value: sizes, is: [500, 1000] },
  {
    section: 5,
    what: 'sizes of what is ordered',
    provenBy: 'supabase/tests/guards.test.ts › an order has sizes of 500 and 1000 grams only',
  },
  { section: 5, what: 'default size', value: defaultSize, is: 500 },
  {
    section: 5,
    what: 'moving without a size',
    provenBy: `${cart} › of two sizes one has to be selected before it moves`,
  },
  {
    section: 5,
    what: 'shipping without a pincode',
    value: totalsMessage({ reason: 'no-pincode' }),
    is: 'Please update your address with a valid pincode to calculate shipping.',
  },
  {
    section: 5,
    what: 'phone missing',
    value: addressWarning(address),
    is: 'Update mobile number',
  },
  {
    section: 5,
    what: 'address missing',
    value: addressWarning({ ...emptyProfile, phone: '9000000001' }),
    is: 'Update address',
  },
  {
    section: 5,
    what: 'both missing',
    value: addressWarning(emptyProfile),
    is: 'Update mobile number and address',
  },
  {
    section: 5,
    what: 'cancelling asks first',
    provenBy: `${account} › asks before it is cancelled`,
  },
  {
    section: 5,
    what: 'testimonials have at most 5 stars',
    value: testimonialsFrom([{ id: 1, title: '', author: '', text: '', stars: 9 }])[0]?.stars,
    is: 5,
  },
];
