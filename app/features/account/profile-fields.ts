import { longest as longestOfPerson, personErrors, tidiedPerson } from '#domain/addresses/address-fields.ts';
import type { Profile } from '#domain/profile.ts';

/** What the form holds: the profile's row with the full name. */
export type ProfileFields = Profile & { fullName: string };
export type FieldErrors = Partial<Record<keyof ProfileFields, string>>;

const { name: longestName, ...longestParts } = longestOfPerson;

/** As long as the database keeps them. */
export const longest: Record<keyof ProfileFields, number> = { fullName: longestName, ...longestParts };

/** What people type, as the database wants it. */
export function tidied({ fullName, ...parts }: ProfileFields): ProfileFields {
  const { name, ...tidy } = tidiedPerson({ name: fullName, ...parts });
  return { fullName: name, ...tidy };
}

/** Nothing has to be filled in; what is there has to be right. Expects tidied fields. */
export function fieldErrors({ fullName, ...parts }: ProfileFields): FieldErrors {
  const { name, ...errors } = personErrors({ name: fullName, ...parts });
  return name ? { fullName: name, ...errors } : errors;
}
