import { testimonialsShown } from '#domain/home/testimonials.ts';
import { provenBy, type SpecRow } from './spec-row.ts';

const terms = 'tests/e2e/terms.spec.ts';
const account = 'app/features/account/account.component.test.tsx';
const navigation = 'app/features/navigation/navigation.component.test.tsx';

/** Section 2, continued: terms, cart, profile, navigation bar and footer; and the fallback names of section 7. */
export const accountRows: SpecRow[] = [
  {
    section: 2,
    what: "'No matching policy found.'",
    provenBy: `${terms} › an unknown policy says that it does not exist`,
  },
  {
    section: 2,
    what: 'the query is policy',
    provenBy: `${terms} › each policy has its own page, with a link back to all`,
  },
  ...provenBy(
    2,
    'tests/e2e/cart.spec.ts › an item moves to the checkout, back and out; every move is confirmed and the total follows',
    ["the list 'Cart'", "the list 'Checkout'", "'Shop More' leads back to /shop"],
  ),
  ...provenBy(
    2,
    'app/features/checkout/checkout.component.test.tsx › are Subtotal, Tax, Shipping charge and Total',
    ['Subtotal', 'Tax', 'Shipping charge', 'Total'].map((name) => `amount '${name}' of the checkout`),
  ),
  {
    section: 2,
    what: "the checkout's button 'Buy Now'",
    provenBy: 'tests/e2e/payment.spec.ts › from the cart to the confirmation page: only what was bought leaves',
  },

  {
    section: 2,
    what: "'New User' for a customer without a name",
    provenBy: 'tests/e2e/profile.spec.ts › what is missing is said, and a customer without a name is New User',
  },
  ...provenBy(2, `${account} › has the tabs Profile and Order History with its count, and Logout`, [
    'tab Profile',
    'tab Order History (with count)',
    'tab Logout',
  ]),
  ...provenBy(
    2,
    `${account} › has name, email, phone and the delivery address`,
    ['Full name', 'Email', 'Phone', 'Building or apartment', 'Street', 'City', 'State', 'ZIP (pincode)'].map(
      (name) => `field '${name}'`,
    ),
  ),
  {
    section: 2,
    what: 'the email is read-only',
    provenBy: `${account} › shows the email of the account, which cannot be changed here`,
  },
  { section: 2, what: "button 'Save Changes'", provenBy: `${account} › says that changes were saved` },
  {
    section: 2,
    what: 'the short id of an order is its first 8 characters',
    provenBy:
      'app/features/account/order-history.test.ts › lines are grouped by order, newest first, with the first eight characters of the id',
  },
  {
    section: 2,
    what: "the order history's button 'Cancel Order'",
    provenBy: `${account} › can be cancelled while it is pending`,
  },
  {
    section: 2,
    what: 'logout goes to /',
    provenBy: 'tests/e2e/sign-in.spec.ts › a customer signs in, stays signed in and signs out',
  },

  ...provenBy(
    2,
    `${navigation} › the navigation bar has Home, Shop, Cart, Buy and Login`,
    ['Home', 'Shop', 'Cart', 'Buy', 'Login'].map((name) => `navigation bar '${name}'`),
  ),
  { section: 2, what: 'Buy goes to /shop', provenBy: `${navigation} › Buy leads to the shop` },
  {
    section: 2,
    what: 'the picture leads to /profile',
    provenBy: `${navigation} › a customer finds their picture instead of Login, and it leads to the profile`,
  },
  {
    section: 2,
    what: 'the console button is for administrators',
    provenBy: `${navigation} › only an administrator has the console button`,
  },
  ...provenBy(2, `${navigation} › the footer leads to the policies`, [
    "policy link 'Shipping and refund'",
    "policy link 'Privacy'",
    "policy link 'Terms'",
  ]),
  {
    section: 2,
    what: 'category shortcuts Halwa, Chocolate, Laddu',
    provenBy: `${navigation} › the footer has shortcuts to Halwa, Chocolate and Laddu`,
  },
  { section: 7, what: 'testimonials fetched', value: testimonialsShown, is: 5 },
  {
    section: 7,
    what: "'Anonymous' for an author without a name, in the database",
    provenBy:
      'supabase/tests/guards-people.test.ts › come newest first with their authors, without the hidden ones and never with an e-mail',
  },
  {
    section: 7,
    what: "'Anonymous' for an author without a name, on the page",
    provenBy: 'app/features/reviews/review.test.ts › a row becomes a review; a nameless author is Anonymous',
  },
];
