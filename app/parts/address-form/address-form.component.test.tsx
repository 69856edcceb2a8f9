import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { AddressFields } from '#domain/addresses/address-book.ts';
import { AddressForm } from './address-form.tsx';

function showForm() {
  const save = vi.fn(async (_fields: AddressFields): Promise<string | null> => null);
  render(<AddressForm stored={null} saveLabel="Save address" save={save} onCancel={() => {}} />);
  return { save, user: userEvent.setup() };
}

test('an address that is not complete begins again at its first wrong field, as the form shows them', async () => {
  const { save, user } = showForm();
  await user.click(screen.getByRole('button', { name: 'Save address' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Who gets the parcel'));
  await user.type(screen.getByLabelText('Who gets the parcel'), 'Kamala Devi');
  await user.type(screen.getByLabelText('Their mobile number'), '9876543210');
  await user.type(screen.getByLabelText('Building or apartment'), '12, Shanti Sadan');
  await user.type(screen.getByLabelText('Street'), 'MG Road');
  await user.click(screen.getByRole('button', { name: 'Save address' }));
  expect(document.activeElement).toBe(screen.getByLabelText('ZIP (pincode)'));
  expect(save).not.toHaveBeenCalled();
});

test('an address without a label is saved under the name of the person', async () => {
  const { save, user } = showForm();
  await user.type(screen.getByLabelText('Who gets the parcel'), 'Kamala Devi');
  await user.type(screen.getByLabelText('Their mobile number'), '9876543210');
  await user.type(screen.getByLabelText('Building or apartment'), '12, Shanti Sadan');
  await user.type(screen.getByLabelText('Street'), 'MG Road');
  await user.type(screen.getByLabelText('ZIP (pincode)'), '411001');
  await user.type(screen.getByLabelText('City'), 'Pune');
  await user.selectOptions(screen.getByLabelText('State'), 'Maharashtra');
  await user.click(screen.getByRole('button', { name: 'Save address' }));
  expect(save).toHaveBeenCalledWith(expect.objectContaining({ label: 'Kamala Devi', zip: '411001' }));
});
