import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { SessionProvider } from '#app/backend/session.tsx';
import type { VendorRow } from '#contracts/console/vendors.ts';
import { createQueryClient } from '../data/query-client.ts';
import { emptyLine } from './purchase-draft.ts';
import { PurchaseEditor } from './purchase-editor.tsx';

const config = { url: null, key: 'anon', signInProvider: 'google' as const };

function open(lines = [emptyLine]) {
  const element = (
    <SessionProvider config={config} onReturn={() => {}}>
      <QueryClientProvider client={createQueryClient()}>
        <PurchaseEditor
          purchase={null}
          vendors={[{ id: 3, name: 'Himkan' } as VendorRow]}
          start={{ vendorId: 3, lines }}
          onSaved={() => {}}
        />
      </QueryClientProvider>
    </SessionProvider>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: '*', element }])} />);
  return userEvent.setup();
}
const items = () => screen.getAllByLabelText<HTMLInputElement>('Item');
const errors = () =>
  [...document.querySelectorAll('[aria-invalid]')].map(
    (field) => document.getElementById(`${field.id}-error`)?.textContent,
  );

test('lines are typed, added and removed, and the total follows', async () => {
  const user = open();
  expect(screen.queryByText('Not saved yet')).toBeNull();
  await user.type(screen.getByLabelText('Item'), 'Cow ghee');
  await user.type(screen.getByLabelText('Quantity'), '75');
  await user.type(screen.getByLabelText('₹ per kg'), '604');
  await user.click(screen.getByRole('button', { name: 'Add item' }));
  await user.type(items()[1] as HTMLInputElement, 'Boxes');
  expect(screen.getByLabelText('Line 1 with GST').textContent).toBe('₹47,565');
  expect(screen.getByLabelText('Line 2 with GST').textContent).toBe('—');
  await user.click(screen.getByRole('button', { name: 'Remove line 1' }));
  expect(items().map(({ value }) => value)).toEqual(['Boxes']);
  expect(screen.getByText(/Total with GST/).textContent).toBe('Total with GST ₹0');
  expect(screen.queryByText('Not saved yet')).not.toBeNull();
});

test('what is wrong with a line is shown at its field until it is mended', async () => {
  const user = open([emptyLine, { ...emptyLine, item_name: 'Cow ghee', quantity: '0', unit_cost: '604' }]);
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(errors()).toEqual(['Enter more than 0, with at most three decimals.']));
  expect(document.activeElement).toBe(screen.getAllByLabelText('Quantity')[1]);
  await user.type(screen.getAllByLabelText('Quantity')[1] as HTMLElement, '.5');
  await waitFor(() => expect(errors()).toEqual([]));
});

test('a purchase needs an item: without a line it says so', async () => {
  const user = open();
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(errors()).toEqual(['Add at least one item.']));
  await user.type(screen.getByLabelText('Item'), 'C');
  await waitFor(() => expect(errors()).not.toContain('Add at least one item.'));
  await user.click(screen.getByRole('button', { name: 'Remove line 1' }));
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Add at least one item.'));
  await user.click(screen.getByRole('button', { name: 'Add item' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});
