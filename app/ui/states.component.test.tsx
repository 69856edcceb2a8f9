import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { EmptyState, FailedState } from './empty-state.tsx';
import { controlProps, Field } from './field.tsx';
import { Input } from './input.tsx';
import { Select } from './select.tsx';

test('an empty page has a heading, an empty panel has none', () => {
  const { rerender } = render(<EmptyState title="No orders yet" text="Your orders will appear here." />);
  expect(screen.queryByRole('heading')).toBeNull();
  rerender(<EmptyState heading="h2" title="No orders yet" />);
  expect(screen.getByRole('heading', { name: 'No orders yet', level: 2 })).toBeTruthy();
});

test('what could not be loaded is announced, and can be tried again', async () => {
  const retry = vi.fn();
  render(<FailedState title="We couldn’t load your orders." text="Check your connection." retry={retry} />);
  expect(screen.getByRole('alert').textContent).toContain('We couldn’t load your orders.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
});

test('the hint and the error of a field are read with its control', () => {
  const said = { id: 'name', hint: 'As on the box.', error: 'Enter a name.' };
  render(
    <Field label="Name" {...said}>
      <Input {...controlProps(said)} />
    </Field>,
  );
  const input = screen.getByRole('textbox', { name: 'Name' });
  expect(input.getAttribute('aria-invalid')).toBe('true');
  const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual([said.hint, said.error]);
});

test('a select gives back one of its options', async () => {
  const onChange = vi.fn();
  const options = [
    { value: 'delivery', label: 'Deliver' },
    { value: 'pickup', label: 'Pick up' },
  ] as const;
  render(<Select aria-label="How" value="delivery" options={options} onChange={onChange} />);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'How' }), 'Pick up');
  expect(onChange).toHaveBeenCalledExactlyOnceWith('pickup');
});
