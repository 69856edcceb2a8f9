import type { ShopClient } from '#app/backend/client.ts';
import {
  type AddressFields,
  addressFrom,
  type BookAddress,
  mostAddresses,
  rowFrom,
} from '#domain/addresses/address-book.ts';

const columns = 'id, label, recipient_name, phone, building_no, street, city, state, zip';

/** The customer's address book, oldest first. Throws when it cannot be read. */
export async function readAddresses(client: ShopClient): Promise<BookAddress[]> {
  const { data, error } = await client.from('customer_addresses').select(columns).order('created_at').order('id');
  if (error) throw error;
  return data.map(addressFrom);
}

export type SavedAddress = { ok: true; address: BookAddress } | { ok: false; message: string };

/** Adds an address, or changes the one with this id. Expects checked fields. */
export async function saveAddress(
  client: ShopClient,
  userId: string,
  fields: AddressFields,
  id: string | null,
): Promise<SavedAddress> {
  const table = client.from('customer_addresses');
  const row = rowFrom(fields);
  const { data, error, status } = await (id === null
    ? table.insert({ user_id: userId, ...row }).select(columns)
    : table.update(row).eq('id', id).select(columns));
  const [saved] = data ?? [];
  if (saved) return { ok: true, address: addressFrom(saved) };
  return { ok: false, message: refusals[status] ?? (error ? failed : gone) };
}

const failed = 'We couldn’t save this address. Please try again.';
const gone = 'This address was deleted in the meantime. Add it again.';
const refusals: Record<number, string> = {
  409: `You can save up to ${mostAddresses} addresses. Delete one you no longer need.`,
  429: 'That was a lot of changes. Please try again in an hour.',
};

export async function deleteAddress(client: ShopClient, id: string): Promise<boolean> {
  const { error } = await client.from('customer_addresses').delete().eq('id', id);
  return error === null;
}
