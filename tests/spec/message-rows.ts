import { lineName } from '#domain/cart/add-to-list.ts';
import { orderProblem, purchaseMessages, totalsMessage } from '#domain/checkout/messages.ts';
import { provenBy, type SpecRow } from './spec-row.ts';

const account = 'app/features/account/account.component.test.tsx';
const cart = 'app/features/cart/cart.component.test.tsx';
const product = 'app/features/product/product.component.test.tsx';
const reviews = 'app/features/reviews/reviews.component.test.tsx';

const shown = (text: string, test: string): SpecRow => ({ section: 8, what: `'${text}'`, provenBy: test });
const same = (value: unknown, is: string): SpecRow => ({ section: 8, what: `'${is}'`, value, is });
const refused = (code: string, status = 409) => orderProblem({ status, code, message: null });

/** Section 8: what customers are told. */
export const messageRows: SpecRow[] = [
  ...provenBy(8, 'app/root.component.test.tsx › a page that fails says so', [
    "'Something went wrong. Please try again.' on a page",
  ]),
  ...provenBy(
    8,
    'app/features/navigation/navigation.component.test.tsx › when sign-in cannot be reached, Login says so',
    ["'Something went wrong. Please try again.' at Login"],
  ),
  ...provenBy(8, `${account} › stays as it is when cancelling fails, and the customer is told`, [
    "'Something went wrong. Please try again.' when an order is cancelled",
  ]),
  shown('Item not found in the cart.', `${cart} › what another tab took out of the cart cannot be moved`),
  shown('Item not found in checkout.', `${cart} › what another tab took out of the checkout cannot be moved back`),
  shown('Item moved to checkout successfully!', `${cart} › moving an item to the checkout is confirmed`),
  shown('Item removed from checkout.', `${cart} › removing an item from the checkout is confirmed`),
  shown('Item moved back to cart.', `${cart} › moving an item back to the cart is confirmed`),
  same(purchaseMessages.signedOut, 'User not authenticated'),
  same(totalsMessage({ reason: 'signed-out' }), 'You need to log in to calculate totals.'),
  same(totalsMessage({ reason: 'no-token' }), 'Failed to retrieve access token. Please log in again.'),
  same(totalsMessage({ reason: 'failed', sentence: null }), 'Could not calculate totals. Please try again.'),
  same(purchaseMessages.logInFirst, 'You need to log in to proceed with the purchase.'),
  same(purchaseMessages.notPlaced, 'Failed to place order. Please try again.'),
  {
    section: 8,
    what: "'Failed to add items to the order. Please try again.'",
    value: refused('not-enough-stock'),
    is: { next: 'change-goods', text: 'Failed to add items to the order. Please try again.', sentence: null },
  },
  same(purchaseMessages.unexpected, 'Something went wrong. Please try again.'),
  same(purchaseMessages.ordered, 'Order placed successfully!'),
  same(purchaseMessages.emptied, 'Item not found in checkout.'),
  same(purchaseMessages.paymentFailed, 'Payment failed'),
  same(purchaseMessages.widgetMissing, 'Payment widget not loaded'),
  {
    section: 8,
    what: "'Server error: {status}'",
    value: refused('payments-away', 503),
    is: { next: 'stop', kind: 'error', text: 'Server error: 503', sentence: null },
  },
  shown('Please log in to manage notifications.', `${product} › needs a log in`),
  shown(
    'Could not authenticate your session. Please log in again.',
    `${product} › with a session that has ended asks to log in again`,
  ),
  shown('There was an issue managing your notification.', `${product} › that fails is said, and the switch stays off`),
  shown("We'll notify you when {product} is back in stock!", `${product} › is confirmed, and so is ending it`),
  shown('You will no longer be notified about {product}.', `${product} › is confirmed, and so is ending it`),
  shown('Could not load comments.', `${reviews} › when reviews could not be loaded`),
  ...['Your review has been submitted!', 'Your comment has been updated.', 'Your comment has been deleted.'].map(
    (text) => shown(text, `${reviews} › when it worked: %s`),
  ),
  ...['Failed to submit your review.', 'Failed to update comment.', 'Failed to delete comment.'].map((text) =>
    shown(text, `${reviews} › when it failed: %s`),
  ),
  shown('Profile updated successfully!', `${account} › says that changes were saved`),
  shown('Failed to update profile.', `${account} › says when changes could not be saved, and keeps what was typed`),
  shown('Added {n}x {name} ({size}g) to cart', `${cart} › adding to the cart says how much of what was added`),
  same(lineName({ name: 'Besan Laddu', hasSize: true }, 1000), 'Besan Laddu (1000g)'),
];
