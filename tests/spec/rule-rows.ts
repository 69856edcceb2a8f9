import { defaultSize, maxQuantity, sizes, withQuantity } from '#domain/cart/cart.ts';
import { moveToCheckout } from '#domain/cart/move-lines.ts';
import { testimonialsFrom } from '#domain/home/testimonials.ts';
import { nextStatuses } from '#domain/orders/status.ts';
import { addressWarning, emptyProfile } from '#domain/profile.ts';
import type { SpecRow } from './spec-row.ts';

const address = { ...emptyProfile, buildingNo: '1', street: 'Road', city: 'Pune', state: 'Maharashtra', zip: '411007' };
const moved = moveToCheckout({ cart: { 9: { 500: 2 } }, checkout: {} }, 9, 500);
const orders = 'supabase/schemas/07_orders/01_orders.sql';
const orderItems = 'supabase/schemas/07_orders/02_items_and_events.sql';

/** Sections 4 and 5: states and validation rules. */
export const ruleRows: SpecRow[] = [
  {
    section: 4,
    what: "an order starts as 'Pending'",
    keptIn: orders,
    source: "status text not null default 'Pending'",
  },
  {
    section: 4,
    what: "a customer's cancelling ends in 'canceled'",
    keptIn: 'domain/orders/status.ts',
    value: nextStatuses({ status: 'Pending', fulfilment: 'delivery' }, 'customer'),
    is: ['canceled'],
  },
  {
    section: 4,
    what: "badge class 'status-' plus the lowercased status",
    keptIn: 'app/features/account/order-history.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code as text
    source: 'return `status-${status.toLowerCase()}`;',
  },
  {
    section: 4,
    what: 'every move recalculates the amounts: they are asked for whenever the lines change',
    keptIn: 'app/features/checkout/use-totals.ts',
    source: 'JSON.stringify([session.who?.id, attempt, fulfilment, lines])',
  },
  {
    section: 4,
    what: 'an entry that moves to the checkout leaves the cart',
    keptIn: 'domain/cart/move-lines.ts',
    value: moved.ok && moved.basket,
    is: { cart: {}, checkout: { 9: { 500: 2 } } },
  },
  {
    section: 4,
    what: 'a quantity of 0 removes the product',
    keptIn: 'domain/cart/cart.ts',
    value: withQuantity({ 9: { 500: 2 } }, 9, 500, 0),
    is: {},
  },

  {
    section: 5,
    what: 'review without rating or comment',
    keptIn: 'app/features/reviews/review-form.tsx',
    text: 'Please provide a rating and a comment.',
  },
  { section: 5, what: 'blank edit', keptIn: 'app/features/reviews/edit-form.tsx', text: 'Comment cannot be empty.' },
  {
    section: 5,
    what: 'the modal counts from 0',
    keptIn: 'app/features/product/product-modal-content.tsx',
    source: 'minQuantity={0}',
  },
  {
    section: 5,
    what: 'the product page counts from 1',
    keptIn: 'app/features/product/product-page.tsx',
    source: 'minQuantity={1}',
  },
  { section: 5, what: 'quantities end at 25', keptIn: 'domain/cart/cart.ts', value: maxQuantity, is: 25 },
  {
    section: 5,
    what: 'decreasing at 1 in the cart removes',
    keptIn: 'app/features/cart/cart-line.tsx',
    source: '<Stepper value={line.quantity} min={0} max={maxQuantity}',
  },
  {
    section: 5,
    what: 'Add to Cart is disabled at 0',
    keptIn: 'app/features/product/purchase-options.tsx',
    source: 'const canBuy = product.available && quantity > 0;',
  },
  { section: 5, what: 'sizes', keptIn: 'domain/cart/cart.ts', value: sizes, is: [500, 1000] },
  { section: 5, what: 'sizes of what is ordered', keptIn: orderItems, source: 'check (size in (500, 1000))' },
  { section: 5, what: 'default size', keptIn: 'domain/cart/cart.ts', value: defaultSize, is: 500 },
  {
    section: 5,
    what: 'moving without a size',
    keptIn: 'app/features/cart/cart-moves.ts',
    text: 'Please select a size first.',
  },
  {
    section: 5,
    what: 'shipping without a pincode',
    keptIn: 'domain/checkout/messages.ts',
    text: 'Please update your address with a valid pincode to calculate shipping.',
  },
  {
    section: 5,
    what: 'phone missing',
    keptIn: 'domain/profile.ts',
    value: addressWarning(address),
    is: 'Update mobile number',
  },
  {
    section: 5,
    what: 'address missing',
    keptIn: 'domain/profile.ts',
    value: addressWarning({ ...emptyProfile, phone: '9000000001' }),
    is: 'Update address',
  },
  {
    section: 5,
    what: 'both missing',
    keptIn: 'domain/profile.ts',
    value: addressWarning(emptyProfile),
    is: 'Update mobile number and address',
  },
  {
    section: 5,
    what: 'cancelling asks first',
    keptIn: 'app/features/account/cancel-dialog.tsx',
    text: 'Are you sure you want to cancel this order?',
  },
  {
    section: 5,
    what: 'testimonials have at most 5 stars',
    keptIn: 'domain/home/testimonials.ts',
    value: testimonialsFrom([{ id: 1, title: '', author: '', text: '', stars: 9 }])[0]?.stars,
    is: 5,
  },
];
