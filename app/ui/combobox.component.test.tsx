import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Combobox } from './combobox.tsx';

const sweets = ['Besan Laddu', 'Motichoor Laddu', 'Kaju Katli'];

function show({
  isWaiting = false,
  isDisabled = (_sweet: string): boolean => false,
  error = undefined as string | undefined,
} = {}) {
  const onPick = vi.fn();
  function Picker({ waits }: { waits: boolean }) {
    const [typed, setTyped] = useState('');
    return (
      <Combobox
        id="sweets"
        label="Add an item"
        error={error}
        typed={typed}
        onType={setTyped}
        items={waits ? [] : sweets.filter((sweet) => sweet.toLowerCase().includes(typed))}
        isWaiting={waits}
        none="Nothing found."
        keyOf={(sweet: string) => sweet}
        isDisabled={isDisabled}
        onPick={onPick}
      >
        {(sweet: string) => sweet}
      </Combobox>
    );
  }
  const { rerender } = render(<Picker waits={isWaiting} />);
  return { onPick, arrive: () => rerender(<Picker waits={false} />), user: userEvent.setup() };
}

const field = () => screen.getByRole('combobox', { name: 'Add an item' });

test('what is found for the letters typed is offered, and Enter picks the first', async () => {
  const { onPick, user } = show();
  await user.type(field(), 'laddu');
  await waitFor(() =>
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(sweets.slice(0, 2)),
  );
  await user.keyboard('{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('Besan Laddu');
});

test('arrows choose another one', async () => {
  const { onPick, user } = show();
  await user.type(field(), 'laddu');
  await screen.findAllByRole('option');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onPick).toHaveBeenCalledExactlyOnceWith('Motichoor Laddu');
});

test('Enter pressed before the answer picks the first when it arrives', async () => {
  const { onPick, user, arrive } = show({ isWaiting: true });
  await user.type(field(), 'kaju{Enter}');
  expect(onPick).not.toHaveBeenCalled();
  arrive();
  await waitFor(() => expect(onPick).toHaveBeenCalledExactlyOnceWith('Kaju Katli'));
});

test('what is sold out cannot be picked', async () => {
  const { onPick, user } = show({ isDisabled: () => true });
  await user.type(field(), 'kaju');
  expect((await screen.findByRole('option')).getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  expect(onPick).not.toHaveBeenCalled();
});

test('it says so when nothing is found', async () => {
  const { user } = show();
  await user.type(field(), 'samosa');
  expect(await screen.findByText('Nothing found.')).toBeTruthy();
});

test('what is wrong is read with the field', () => {
  show({ error: 'Add at least one item.' });
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Add at least one item.',
  );
});
