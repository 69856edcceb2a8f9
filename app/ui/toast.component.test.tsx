import { act, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { Toaster, toast } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const tell = (...message: Parameters<typeof toast>) => act(() => toast(...message));
const showPage = () =>
  render(
    <MemoryRouter>
      <Toaster />
    </MemoryRouter>,
  );

test('a message closes by itself after five seconds', () => {
  showPage();
  tell('success', 'Item moved back to cart.');
  expect(screen.getByRole('status').textContent).toContain('Item moved back to cart.');
  wait(4900);
  expect(screen.queryByText('Item moved back to cart.')).not.toBeNull();
  wait(100);
  expect(screen.queryByText('Item moved back to cart.')).toBeNull();
});

test('a message with an undo button stays for ten seconds', () => {
  showPage();
  tell('success', 'Removed from your cart.', { label: 'Undo', run() {} });
  wait(9900);
  expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeNull();
  wait(100);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a message stays while the pointer is on it, and closes in the time that was left', () => {
  showPage();
  tell('info', 'Prices have changed.');
  wait(4000);
  fireEvent.pointerMove(screen.getByRole('status'));
  wait(60_000);
  fireEvent.pointerLeave(screen.getByRole('status'));
  wait(900);
  expect(screen.queryByText('Prices have changed.')).not.toBeNull();
  wait(100);
  expect(screen.queryByText('Prices have changed.')).toBeNull();
});

test('the same message is shown once', () => {
  showPage();
  tell('warning', 'Please select a size first.');
  tell('warning', 'Please select a size first.');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test('at most four messages are shown', () => {
  showPage();
  for (const text of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) tell('info', text);
  expect(screen.getAllByRole('status').map((message) => message.querySelector('p')?.textContent)).toEqual([
    'Two.',
    'Three.',
    'Four.',
    'Five.',
  ]);
});

test('of news only the latest is shown', () => {
  showPage();
  tell('news', 'One new order.');
  tell('news', 'Two new orders.');
  expect(screen.getAllByRole('status')).toHaveLength(1);
  expect(screen.queryByText('Two new orders.')).not.toBeNull();
});

test('the close button closes the message at once', () => {
  showPage();
  tell('error', 'Payment failed');
  fireEvent.click(screen.getByRole('button', { name: 'Close message' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('undo runs once and closes the message', () => {
  const undo = vi.fn();
  showPage();
  tell('success', 'Removed from your cart.', { label: 'Undo', run: undo });
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText('Removed from your cart.')).toBeNull();
});

test('a link in a message leads on and closes it', () => {
  showPage();
  tell('success', 'Added 2x Besan Laddu (500g) to cart', { href: '/cart', label: 'View cart' });
  const link = screen.getByRole('link', { name: 'View cart' });
  expect(link.getAttribute('href')).toBe('/cart');
  fireEvent.click(link);
  expect(screen.queryByText('Added 2x Besan Laddu (500g) to cart')).toBeNull();
});

test('an open dialog shows messages inside it, but no news', () => {
  render(
    <MemoryRouter>
      <Toaster />
      <Dialog open onClose={() => {}} labelledBy="title">
        <h2 id="title">Cancel order</h2>
      </Dialog>
    </MemoryRouter>,
  );
  tell('error', 'Something went wrong. Please try again.');
  tell('news', 'One new order.');
  const dialog = screen.getByRole('dialog', { name: 'Cancel order' });
  expect(dialog.textContent).toContain('Something went wrong. Please try again.');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.queryByText('One new order.')).toBeNull();
});
