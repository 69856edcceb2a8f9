import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

function show(props: Partial<ConfirmDialogProps> = {}) {
  const onConfirm = vi.fn();
  const onClose = vi.fn();
  const all = { open: true, title: 'Delete this review?', confirmLabel: 'Delete', onConfirm, onClose, ...props };
  const { rerender } = render(<ConfirmDialog {...all} />);
  return {
    onConfirm,
    onClose,
    change: (next: Partial<ConfirmDialogProps>) => rerender(<ConfirmDialog {...all} {...next} />),
  };
}

test('a question is an alert dialog with a title, a text and two buttons', () => {
  show({ text: 'It will be removed from the product page.' });
  const dialog = screen.getByRole('alertdialog', { name: 'Delete this review?' });
  expect(dialog.textContent).toContain('It will be removed from the product page.');
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Delete', 'Go back']);
});

test('nothing is shown until it is opened', () => {
  const { change } = show({ open: false });
  expect(screen.queryByText('Delete this review?')).toBeNull();
  change({ open: true });
  expect(screen.queryByText('Delete this review?')).not.toBeNull();
});

test('the focus begins on the way back when the question is dangerous', () => {
  show({ tone: 'danger' });
  expect(document.activeElement?.textContent).toBe('Go back');
});

test('while it works both buttons wait, and a second press does nothing', async () => {
  const user = userEvent.setup();
  let finish = () => {};
  const onConfirm = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  show({ onConfirm });
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-busy')).toBe('true');
  expect(screen.getByRole('button', { name: 'Go back' })).toHaveProperty('disabled', true);
  finish();
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Go back' })).toHaveProperty('disabled', false));
});

test('it can only be confirmed once everything is filled in', () => {
  const { onConfirm } = show({ isIncomplete: true });
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(onConfirm).not.toHaveBeenCalled();
});

test('the way back closes it without confirming', async () => {
  const user = userEvent.setup();
  const { onConfirm, onClose } = show({ closeLabel: 'Keep it' });
  await user.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
});
