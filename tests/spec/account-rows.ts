import { testimonialsShown } from '#domain/home/testimonials.ts';
import type { SpecRow } from './spec-row.ts';

const text = (what: string, words: string, keptIn: string): SpecRow => ({ section: 2, what, text: words, keptIn });

/** Section 2, continued: terms, cart, profile, navigation bar and footer; and the fallback names of section 7. */
export const accountRows: SpecRow[] = [
  text('no policy', 'No matching policy found.', 'app/features/terms/terms-page.tsx'),
  {
    section: 2,
    what: 'the query is policy',
    keptIn: 'app/routes/storefront/terms.tsx',
    source: "searchParams.get('policy')",
  },
  text('the lists of the cart', 'Cart', 'app/features/cart/cart-page.tsx'),
  text('the lists of the cart', 'Checkout', 'app/features/cart/cart-page.tsx'),
  ...['Subtotal', 'Tax', 'Shipping charge', 'Total'].map((name) =>
    text('amounts of the checkout', name, 'app/features/checkout/amount-rows.tsx'),
  ),
  text('back to /shop', 'Shop More', 'app/features/checkout/checkout-section.tsx'),
  text("the checkout's button", 'Buy Now', 'app/features/checkout/checkout-section.tsx'),

  text('a customer without a name', 'New User', 'app/backend/session-work.ts'),
  text('tab', 'Profile', 'app/features/account/account-tabs.tsx'),
  {
    section: 2,
    what: 'tab Order History (with count)',
    keptIn: 'app/features/account/account-tabs.tsx',
    source: 'Order History <span',
  },
  {
    section: 2,
    what: 'the count of orders',
    keptIn: 'app/features/account/account-tabs.tsx',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source code as text
    source: '`(${orderCount})`',
  },
  text('tab', 'Logout', 'app/features/account/account-tabs.tsx'),
  text('field', 'Full name', 'app/features/account/profile-form.tsx'),
  text('field', 'Email', 'app/features/account/profile-form.tsx'),
  {
    section: 2,
    what: 'the email is read-only',
    keptIn: 'app/features/account/profile-form.tsx',
    source: 'value={email} readOnly',
  },
  text('field', 'Phone', 'app/features/account/profile-form.tsx'),
  text('field', 'Building or apartment', 'app/features/account/profile-form.tsx'),
  text('field', 'Street', 'app/features/account/profile-form.tsx'),
  text('field', 'City', 'app/features/account/profile-form.tsx'),
  text('field', 'State', 'app/features/account/profile-form.tsx'),
  { section: 2, what: 'field ZIP', keptIn: 'app/features/account/profile-form.tsx', source: "'ZIP (pincode)'" },
  text('button', 'Save Changes', 'app/features/account/profile-form.tsx'),
  {
    section: 2,
    what: 'the short id of an order is its first 8 characters',
    keptIn: 'app/features/account/order-history.ts',
    source: 'shortId: order_id.slice(0, 8)',
  },
  text("the order history's button", 'Cancel Order', 'app/features/account/order-entry.tsx'),
  {
    section: 2,
    what: 'logout goes to /',
    keptIn: 'app/routes/storefront/logout.tsx',
    source: "navigate('/', { replace: true })",
  },

  ...['Home', 'Shop', 'Cart', 'Buy', 'Login'].map((words) =>
    text('navigation bar', words, 'app/features/navigation/top-navigation.tsx'),
  ),
  {
    section: 2,
    what: 'Buy goes to /shop',
    keptIn: 'app/features/navigation/top-navigation.tsx',
    source: '<NavLink className={styles.buy} to="/shop">',
  },
  {
    section: 2,
    what: 'the picture leads to /profile',
    keptIn: 'app/features/navigation/top-navigation.tsx',
    source: '<NavLink to="/profile"',
  },
  {
    section: 2,
    what: 'the console button is for administrators',
    keptIn: 'app/features/navigation/top-navigation.tsx',
    source: '{isAdministrator && (',
  },
  {
    section: 2,
    what: 'policy link',
    keptIn: 'app/features/navigation/page-footer.tsx',
    source: '<Link to="/terms?policy=shipping">Shipping and refund</Link>',
  },
  {
    section: 2,
    what: 'policy link',
    keptIn: 'app/features/navigation/page-footer.tsx',
    source: '<Link to="/terms?policy=privacy">Privacy</Link>',
  },
  {
    section: 2,
    what: 'policy link',
    keptIn: 'app/features/navigation/page-footer.tsx',
    source: '<Link to="/terms">Terms</Link>',
  },
  {
    section: 2,
    what: 'category shortcuts',
    keptIn: 'app/features/navigation/page-footer.tsx',
    source: "['Halwa', 'Chocolate', 'Laddu']",
  },
  { section: 7, what: 'testimonials fetched', keptIn: 'domain/home/testimonials.ts', value: testimonialsShown, is: 5 },
  {
    section: 7,
    what: 'an author without a name',
    keptIn: 'supabase/schemas/02_people/01_profiles.sql',
    source: "'Anonymous'",
  },
  {
    section: 7,
    what: 'an author without a name',
    keptIn: 'app/features/reviews/review.ts',
    source: "export const anonymous = 'Anonymous';",
  },
];
