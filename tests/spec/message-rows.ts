import type { SpecRow } from './spec-row.ts';

const said = (keptIn: string, texts: string[]): SpecRow[] =>
  texts.map((text) => ({ section: 8, what: text, text, keptIn }));

/** Section 8: what customers are told. */
export const messageRows: SpecRow[] = [
  ...said('app/backend/session.tsx', ['Something went wrong. Please try again.']),
  ...said('app/root.tsx', ['Something went wrong. Please try again.']),
  ...said('app/features/account/cancel-dialog.tsx', ['Something went wrong. Please try again.']),
  ...said('app/features/cart/cart-moves.ts', [
    'Item not found in the cart.',
    'Item not found in checkout.',
    'Item moved to checkout successfully!',
    'Item removed from checkout.',
    'Item moved back to cart.',
  ]),
  ...said('domain/checkout/messages.ts', [
    'User not authenticated',
    'You need to log in to calculate totals.',
    'Failed to retrieve access token. Please log in again.',
    'Could not calculate totals. Please try again.',
    'You need to log in to proceed with the purchase.',
    'Failed to place order. Please try again.',
    'Failed to add items to the order. Please try again.',
    'Something went wrong. Please try again.',
    'Order placed successfully!',
    'Item not found in checkout.',
    'Payment failed',
    'Payment widget not loaded',
    'Server error: {status}',
  ]),
  ...said('app/features/product/notify-backend.ts', [
    'Please log in to manage notifications.',
    'Could not authenticate your session. Please log in again.',
    'There was an issue managing your notification.',
    "We'll notify you when {product} is back in stock!",
    'You will no longer be notified about {product}.',
  ]),
  ...said('app/features/reviews/use-reviews.ts', [
    'Could not load comments.',
    'Your review has been submitted!',
    'Failed to submit your review.',
    'Your comment has been updated.',
    'Failed to update comment.',
    'Your comment has been deleted.',
    'Failed to delete comment.',
  ]),
  ...said('app/features/account/profile-form.tsx', ['Profile updated successfully!', 'Failed to update profile.']),
  // 'Added {n}x {name} ({size}g) to cart', in two halves: sweets by the piece have no size to name.
  ...said('app/features/cart/actions.ts', ['Added {n}x {name} to cart']),
  ...said('domain/cart/add-to-list.ts', ['{name} ({size}g)']),
];
