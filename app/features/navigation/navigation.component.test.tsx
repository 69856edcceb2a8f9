import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { customer, showPart, visitor } from '../../../tests/support/component-page.tsx';
import PageFooter from './page-footer.tsx';
import { CartCount, TopNavigation } from './top-navigation.tsx';

const showBar = (session = visitor, quantity = 0) =>
  showPart(<TopNavigation shopName="Mithaas" cartCount={<CartCount quantity={quantity} />} place={null} />, {
    at: '/terms',
    session,
  });
const link = (name: string) => screen.getByRole('link', { name });
const addressOf = (name: string) => link(name).getAttribute('href');

test('the navigation bar has Home, Shop, Cart, Buy and Login', () => {
  showBar();
  const main = within(screen.getByRole('navigation', { name: 'Main' }));
  expect(main.getAllByRole('link').map((entry) => entry.textContent)).toEqual(['Home', 'Shop', 'Search', 'Cart']);
  expect([addressOf('Home'), addressOf('Shop'), addressOf('Cart')]).toEqual(['/', '/shop', '/cart']);
  expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy();
});

test('Buy leads to the shop', () => {
  showBar();
  fireEvent.click(link('Buy'));
  expect(screen.getByTestId('address').textContent).toBe('/shop');
});

test('the cart link says how many items are in it', () => {
  const { unmount } = showBar(visitor, 7);
  expect(link('Cart, 7 items')).toBeTruthy();
  unmount();
  showBar(visitor, 1);
  expect(link('Cart, 1 item')).toBeTruthy();
});

test('a customer finds their picture instead of Login, and it leads to the profile', () => {
  showBar(customer);
  expect(screen.queryByRole('button', { name: 'Login' })).toBeNull();
  expect(addressOf('Profile of Meera Joshi')).toBe('/profile');
});

test('only an administrator has the console button', () => {
  showBar(customer).unmount();
  expect(screen.queryByRole('link', { name: 'Console' })).toBeNull();
  showBar({ ...customer, isAdministrator: true });
  expect(addressOf('Console')).toBe('/admin');
});

test('when sign-in cannot be reached, Login says so', async () => {
  const message = 'Something went wrong. Please try again.';
  showBar({ ...visitor, signIn: vi.fn(async () => ({ ok: false as const, message })) });
  fireEvent.click(screen.getByRole('button', { name: 'Login' }));
  expect((await screen.findByRole('alert')).textContent).toContain(message);
});

const shop = {
  name: 'Mithaas',
  legalName: '',
  address: '',
  fssaiNumber: '',
  gstin: '',
  email: '',
  whatsappNumber: '',
  instagramUrl: '',
  facebookUrl: '',
  grievanceOfficer: '',
  grievanceEmail: '',
  grievancePhone: '',
  grievanceHours: '',
};

test('the footer leads to the policies', () => {
  showPart(<PageFooter shop={shop} />);
  const policies = within(screen.getByRole('navigation', { name: 'Policies' })).getAllByRole('link');
  expect(policies.map((policy) => [policy.textContent, policy.getAttribute('href')])).toEqual([
    ['Shipping and refund', '/terms?policy=shipping'],
    ['Privacy', '/terms?policy=privacy'],
    ['Terms', '/terms'],
  ]);
});

test('the footer has shortcuts to Halwa, Chocolate and Laddu', () => {
  showPart(<PageFooter shop={shop} />);
  const shortcuts = within(screen.getByRole('navigation', { name: 'Sweets' })).getAllByRole('link');
  expect(shortcuts.map((shortcut) => [shortcut.textContent, shortcut.getAttribute('href')])).toEqual([
    ['Halwa', '/shop?category=halwa'],
    ['Chocolate', '/shop?category=chocolate'],
    ['Laddu', '/shop?category=laddu'],
  ]);
});
