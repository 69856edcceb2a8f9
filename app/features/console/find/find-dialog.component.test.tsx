import { createClient } from '@supabase/supabase-js';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Database } from '#database-types';
import { customer, showPart } from '../../../../tests/support/component-page.tsx';
import { createQueryClient } from '../data/query-client.ts';
import { FindDialog } from './find-dialog.tsx';

const orderId = '8a1d2a34-0000-4000-8000-0000000000aa';
const foundOrder = {
  recent: [],
  groups: [
    {
      kind: 'order',
      count: 1,
      count_is_capped: false,
      rows: [{ kind: 'order', id: orderId, title: 'Order 1042', detail: '' }],
    },
  ],
};

/** Opens the search; its requests wait until they are answered by what is typed. */
function openSearch() {
  const waiting = new Map<string, (response: Response) => void>();
  const supabase = createClient<Database>('http://shop.test', 'publishable', {
    // Another name for each client: they warn when they share one.
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
    global: {
      fetch: (_address, init) => {
        const { typed } = JSON.parse(String(init?.body)) as { typed: string };
        return new Promise<Response>((resolve) => waiting.set(typed, resolve));
      },
    },
  });
  const part = (
    <QueryClientProvider client={createQueryClient()}>
      <FindDialog open onClose={() => {}} />
    </QueryClientProvider>
  );
  showPart(part, { at: '/admin', session: { ...customer, client: async () => supabase } });
  const answer = async (typed: string, found: object) => {
    await waitFor(() => expect([...waiting.keys()]).toContain(typed));
    waiting.get(typed)?.(Response.json(found));
  };
  return { user: userEvent.setup(), answer };
}
const address = () => screen.getByTestId('address').textContent;

test('Enter before the first results have arrived opens the first of them', async () => {
  const { user, answer } = openSearch();
  await user.type(screen.getByRole('combobox'), 'pay_123{Enter}');
  // Nothing was found before: the results of the empty search have not arrived, either.
  await answer('pay_123', foundOrder);
  await waitFor(() => expect(address()).toBe(`/admin/orders/${orderId}`));
});

test('Enter before the results of another word have arrived opens none of the earlier results', async () => {
  const { user, answer } = openSearch();
  await answer('', { recent: [], groups: [] });
  await user.type(screen.getByRole('combobox'), 'pay_123');
  await answer('pay_123', { recent: [], groups: [] });
  await screen.findByText('No matches for “pay_123”.');
  await user.type(screen.getByRole('combobox'), '4{Enter}');
  await answer('pay_1234', foundOrder);
  await waitFor(() => expect(address()).toBe(`/admin/orders/${orderId}`));
});

test('Enter is forgotten when something else is typed before the results arrive', async () => {
  const { user, answer } = openSearch();
  await user.type(screen.getByRole('combobox'), 'pay_123{Enter}4');
  await answer('pay_1234', foundOrder);
  await screen.findByRole('option', { name: /Order 1042/ });
  expect(address()).toBe('/admin');
});
