import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button, IconButton } from './button.tsx';

test('a button submits no form unless it is said to', async () => {
  const onSubmit = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
  render(
    <form onSubmit={onSubmit}>
      <Button>Show more</Button>
      <Button type="submit">Save</Button>
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(onSubmit).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(onSubmit).toHaveBeenCalledOnce();
});

test('a busy button says so and keeps the focus', async () => {
  const { rerender } = render(<Button>Save</Button>);
  await userEvent.click(screen.getByRole('button'));
  rerender(<Button isBusy>Saving…</Button>);
  const button = screen.getByRole('button', { name: 'Saving…' });
  expect([button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).toEqual(['true', 'true']);
  expect(document.activeElement).toBe(button);
  rerender(<Button>Save</Button>);
  expect(screen.getByRole('button').hasAttribute('aria-busy')).toBe(false);
});

test('a button of an icon has a name', () => {
  render(<IconButton label="Close">×</IconButton>);
  expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy();
});
