import type { Fulfilment } from './orders/status.ts';

export type Profile = {
  phone: string;
  buildingNo: string;
  street: string;
  city: string;
  state: string;
  zip: string;
};

type ProfileColumn = 'phone' | 'building_no' | 'street' | 'city' | 'state' | 'zip';

export const emptyProfile: Profile = { phone: '', buildingNo: '', street: '', city: '', state: '', zip: '' };

/** The profile's row, as far as there is one. */
export function profileFrom(row: Record<ProfileColumn, string | null> | null): Profile {
  return {
    phone: row?.phone ?? '',
    buildingNo: row?.building_no ?? '',
    street: row?.street ?? '',
    city: row?.city ?? '',
    state: row?.state ?? '',
    zip: row?.zip ?? '',
  };
}

/** What is missing before anything can be delivered, or picked up at the counter; null when nothing is. */
export function addressWarning(profile: Profile, fulfilment: Fulfilment = 'delivery'): AddressWarning | null {
  const noPhone = profile.phone.trim() === '';
  const noAddress =
    fulfilment === 'delivery' &&
    [profile.buildingNo, profile.street, profile.city, profile.state, profile.zip].some((part) => part.trim() === '');
  return missingWarning(noPhone, noAddress);
}

export type AddressWarning = 'Update mobile number' | 'Update address' | 'Update mobile number and address';

/** The three warnings of the address check. */
export function missingWarning(noPhone: boolean, noAddress: boolean): AddressWarning | null {
  if (noPhone && noAddress) return 'Update mobile number and address';
  if (noPhone) return 'Update mobile number';
  return noAddress ? 'Update address' : null;
}

export const isPincode = (text: string) => /^[1-9][0-9]{5}$/.test(text);
export const isMobile = (text: string) => /^(\+91[ -]?)?[6-9][0-9]{9}$/.test(text);

/** The one spelling of a mobile number for services: +91 and ten digits; null: it is none. */
export function mobileNumber(text: string): string | null {
  const trimmed = text.trim();
  return isMobile(trimmed) ? `+91${trimmed.slice(-10)}` : null;
}
