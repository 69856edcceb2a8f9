import { oneLine, type PersonFields, personErrors, tidiedPerson } from './address-fields.ts';

/** An entry of the address book, as the form holds it. `label` is what the customer calls it; empty: as the person is called. */
export type AddressFields = PersonFields & { label: string };
export type BookAddress = AddressFields & { id: string };
export type AddressErrors = Partial<Record<keyof AddressFields, string>>;

/** In the order of the form. */
export const emptyAddress: AddressFields = {
  name: '',
  phone: '',
  buildingNo: '',
  street: '',
  zip: '',
  city: '',
  state: '',
  label: '',
};

export const mostAddresses = 50;
export const longestLabel = 40;

/** Without a label the entry is called as the person is. */
export function tidiedAddress(fields: AddressFields): AddressFields {
  const person = tidiedPerson(fields);
  return { ...person, label: oneLine(fields.label) || [...person.name].slice(0, longestLabel).join('') };
}

const needed: Record<Exclude<keyof AddressFields, 'label'>, string> = {
  name: 'Enter the name of the person who gets the parcel.',
  phone: 'Enter a mobile number the courier can call.',
  buildingNo: 'Enter the building or apartment.',
  street: 'Enter the street.',
  city: 'Enter the city.',
  state: 'Choose the state.',
  zip: 'Enter the pincode.',
};

/** A parcel goes there, so nothing may be missing; the rest is the profile's rule. Expects tidied fields. */
export function addressErrors(fields: AddressFields): AddressErrors {
  const errors: AddressErrors = personErrors(fields);
  if ([...fields.label].length > longestLabel) errors.label = `Use at most ${longestLabel} characters.`;
  for (const name of Object.keys(needed) as (keyof typeof needed)[]) {
    if (fields[name] === '') errors[name] = needed[name];
  }
  return errors;
}

/** In one line, for a list. */
export function addressLine({ buildingNo, street, city, zip }: Omit<PersonFields, 'name'>): string {
  return [buildingNo, street, [city, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}

export type AddressRow = {
  id: string;
  label: string;
  recipient_name: string;
  phone: string;
  building_no: string;
  street: string;
  city: string;
  state: string;
  zip: string;
};

export function addressFrom({ recipient_name, building_no, ...row }: AddressRow): BookAddress {
  return { ...row, name: recipient_name, buildingNo: building_no };
}

export function rowFrom({
  label,
  name,
  phone,
  buildingNo,
  street,
  city,
  state,
  zip,
}: AddressFields): Omit<AddressRow, 'id'> {
  return { label, recipient_name: name, phone, building_no: buildingNo, street, city, state, zip };
}
