import { isPrintable } from '../printable.ts';
import { isMobile, isPincode, type Profile } from '../profile.ts';

/** What a delivery needs to know of a person: the parts of the profile, and the name. */
export type PersonFields = Profile & { name: string };

/** As long as the database keeps them (private.fits_address). */
export const longest: Record<keyof PersonFields, number> = {
  name: 80,
  phone: 20,
  buildingNo: 120,
  street: 200,
  city: 80,
  state: 80,
  zip: 12,
};

/** What people type, as the database wants it: '098765 43210' and '९८७६५ ४३२१०' are numbers too. */
export function tidiedPerson(fields: PersonFields): PersonFields {
  return {
    name: oneLine(fields.name),
    phone: tidiedPhone(fields.phone),
    buildingNo: oneLine(fields.buildingNo),
    street: oneLine(fields.street),
    city: oneLine(fields.city),
    state: oneLine(fields.state),
    zip: westernDigits(fields.zip).replace(/[\s-]/g, ''),
  };
}

/** What is there has to be right; nothing has to be filled in. Expects tidied fields. */
export function personErrors(fields: PersonFields): Partial<Record<keyof PersonFields, string>> {
  const errors: Partial<Record<keyof PersonFields, string>> = {};
  for (const name of Object.keys(longest) as (keyof PersonFields)[]) {
    if ([...fields[name]].length > longest[name]) errors[name] = `Use at most ${longest[name]} characters.`;
    else if (!isPrintable(fields[name]))
      errors[name] = 'This has characters that can’t be printed. Please type it again.';
  }
  if (fields.phone !== '' && !isMobile(fields.phone)) {
    errors.phone = 'Enter a 10-digit Indian mobile number, such as 98765 43210.';
  }
  if (fields.zip !== '' && !isPincode(fields.zip)) errors.zip = 'Enter a 6-digit pincode, such as 400028.';
  return errors;
}

export function oneLine(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim();
}

function tidiedPhone(text: string): string {
  const digits = westernDigits(text).replace(/[\s().-]/g, '');
  if (/^0[6-9]\d{9}$/.test(digits)) return digits.slice(1);
  return /^91[6-9]\d{9}$/.test(digits) ? `+${digits}` : digits;
}

function westernDigits(text: string): string {
  return text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966));
}
