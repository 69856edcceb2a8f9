import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { keepDrafts } from './drafts.ts';
import { CheckField, MoneyField, SelectField, TextAreaField, TextField } from './fields.tsx';
import { Form, FormEnd } from './form.tsx';
import { type SaveResult, useSaveForm } from './use-save-form.ts';

const start = { name: '', price: '640', unit: 'piece', note: '', is_listed: false, picture: '' };
type Values = typeof start;
const isPositive = (price: string) => Number(price) > 0;

function check(values: Values) {
  const errors: Record<string, string> = {
    ...(values.name === '' && { name: 'Please fill in this field.' }),
    ...(!isPositive(values.price) && { price: 'At least ₹1.' }),
  };
  return Object.keys(errors).length > 0 ? { ok: false as const, errors } : { ok: true as const, value: values };
}

type SweetFormProps = {
  save(values: Values): Promise<SaveResult>;
  onSaved?(): void;
  renderMore?(change: (values: Partial<Values>) => void): ReactNode;
};

function SweetForm({ save, onSaved, renderMore }: SweetFormProps) {
  const form = useSaveForm({ start, check, save, onSaved });
  return (
    <Form form={form} label="Sweet">
      <TextField name="name" label="Name" hint="As on the box." maxLength={40} />
      <MoneyField name="price" label="Price" />
      <SelectField
        name="unit"
        label="Unit"
        options={[
          { value: 'piece', label: 'Piece' },
          { value: 'box', label: 'Box' },
        ]}
      />
      <TextAreaField name="note" label="Note" maxLength={80} isCounted />
      <CheckField name="is_listed" label="Listed" hint="Customers see it." />
      <output>{form.watch('picture')}</output>
      {renderMore?.(form.change)}
      <FormEnd submitLabel="Save sweet" />
    </Form>
  );
}

function open(props: Partial<SweetFormProps> = {}) {
  const save = vi.fn(props.save ?? (async (): Promise<SaveResult> => ({ ok: true })));
  const element = (
    <>
      <SweetForm {...props} save={save} />
      <a href="/elsewhere">Elsewhere</a>
    </>
  );
  const router = createMemoryRouter([
    { path: '/', element },
    { path: '/elsewhere', element: 'Another page' },
  ]);
  const { unmount } = render(<RouterProvider router={router} />);
  return { save, router, unmount, user: userEvent.setup() };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const described = (label: string) =>
  (field(label).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
const saveButton = () => screen.getByRole('button', { name: /Save sweet|Saving/ });

test('every field has its label, its value and its hint', () => {
  open();
  expect(field('Name').value).toBe('');
  expect(described('Name')).toEqual(['As on the box.']);
  expect(field('Price').value).toBe('640');
  expect(field('Unit').value).toBe('piece');
  expect(described('Note')).toEqual(['0 of 80']);
  expect(field('Listed').checked).toBe(false);
  expect(described('Listed')).toEqual(['Customers see it.']);
  expect(screen.queryByText('Not saved yet')).toBeNull();
});

test('what is wrong is shown at its field, the first wrong field gets the focus, and nothing is saved', async () => {
  const { user, save } = open();
  await user.clear(field('Price'));
  await user.click(saveButton());
  expect(described('Name')).toEqual(['As on the box.', 'Please fill in this field.']);
  expect(field('Name').getAttribute('aria-invalid')).toBe('true');
  expect(described('Price')).toEqual(['At least ₹1.']);
  expect(document.activeElement).toBe(field('Name'));
  expect(save).not.toHaveBeenCalled();
  await user.type(field('Name'), 'Besan Laddu');
  await waitFor(() => expect(field('Name').getAttribute('aria-invalid')).toBeNull());
  expect(described('Price')).toEqual(['At least ₹1.']);
});

test('the checked values are saved once, however often the button is pressed', async () => {
  let finish = (_result: SaveResult) => {};
  const onSaved = vi.fn();
  const { user, save } = open({ save: () => new Promise((resolve) => (finish = resolve)), onSaved });
  await user.type(field('Name'), 'Besan Laddu');
  await user.selectOptions(field('Unit'), 'box');
  await user.click(field('Listed'));
  expect(screen.queryByText('Not saved yet')).not.toBeNull();
  await user.dblClick(saveButton());
  await user.click(saveButton());
  expect(save).toHaveBeenCalledExactlyOnceWith({ ...start, name: 'Besan Laddu', unit: 'box', is_listed: true });
  expect(saveButton().textContent).toBe('Saving…');
  expect(saveButton().getAttribute('aria-busy')).toBe('true');
  finish({ ok: true });
  await waitFor(() => expect(saveButton().textContent).toBe('Save sweet'));
  expect(onSaved).toHaveBeenCalledOnce();
  expect(screen.queryByText('Not saved yet')).toBeNull();
  expect(field('Name').value).toBe('Besan Laddu');
});

test('what is typed while it is saved stays, and is not saved yet', async () => {
  let finish = (_result: SaveResult) => {};
  const { user, save } = open({ save: () => new Promise((resolve) => (finish = resolve)) });
  await user.type(field('Name'), 'Besan');
  await user.click(saveButton());
  await waitFor(() => expect(save).toHaveBeenCalled());
  await user.type(field('Name'), ' Laddu');
  finish({ ok: true });
  await screen.findByText('Not saved yet');
  expect(field('Name').value).toBe('Besan Laddu');
});

test('a rejection is shown at its field, which gets the focus, or at the end of the form', async () => {
  const results: SaveResult[] = [
    { ok: false, field: 'price', message: 'Cheaper than its cost.' },
    { ok: false, field: null, message: 'Changed by someone else.' },
    { ok: false, field: 'secret', message: 'Nobody sees this field.' },
  ];
  const { user } = open({ save: async () => results.shift() ?? { ok: true } });
  await user.type(field('Name'), 'Besan Laddu');
  await user.click(saveButton());
  await waitFor(() => expect(described('Price')).toEqual(['Cheaper than its cost.']));
  expect(document.activeElement).toBe(field('Price'));
  await user.click(saveButton());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Changed by someone else.'));
  expect(described('Price')).toEqual([undefined]);
  await user.click(saveButton());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Nobody sees this field.'));
  await user.click(saveButton());
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('without a response nothing typed is lost, and it can be saved again', async () => {
  const { user } = open({ save: () => Promise.reject(new Error('offline')) });
  await user.type(field('Name'), 'Besan Laddu');
  await user.click(saveButton());
  await screen.findByText('The shop didn’t respond. Check your connection and try again.');
  expect(field('Name').value).toBe('Besan Laddu');
  expect(saveButton().textContent).toBe('Save sweet');
});

test('a field that is filled in late keeps what was typed before', async () => {
  let fillIn = () => {};
  const { user, save } = open({
    renderMore(change) {
      fillIn = () => change({ picture: 'blob:laddu' });
      return null;
    },
  });
  const late = fillIn;
  await user.type(field('Name'), 'Besan Laddu');
  late();
  await screen.findByText('blob:laddu');
  expect(field('Name').value).toBe('Besan Laddu');
  await user.click(saveButton());
  await waitFor(() => expect(save).toHaveBeenCalled());
  expect(save.mock.calls[0]?.[0]).toMatchObject({ name: 'Besan Laddu', picture: 'blob:laddu' });
});

test('leaving asks while changes are not saved, and not before or after', async () => {
  const { user, router } = open();
  await user.type(field('Name'), 'Besan Laddu');
  await router.navigate('/elsewhere');
  await screen.findByText('Discard your changes?');
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(field('Name').value).toBe('Besan Laddu');
  await user.click(saveButton());
  await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
  await router.navigate('/elsewhere');
  await screen.findByText('Another page');
});

test('what was typed comes back after logging in again, not saved yet', async () => {
  const { user, unmount } = open();
  await user.type(field('Name'), 'Besan Laddu');
  await user.click(field('Listed'));
  expect(keepDrafts()).toBe(true);
  unmount();
  open();
  await waitFor(() => expect(field('Name').value).toBe('Besan Laddu'));
  expect(field('Listed').checked).toBe(true);
  expect(field('Price').value).toBe('640');
  expect(screen.queryByText('Not saved yet')).not.toBeNull();
});
