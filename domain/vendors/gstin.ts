const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const shape = /^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]$/;

/** What the first fourteen characters of a GSTIN end with: weights 1 and 2 in turn, in base 36. */
export function gstinCheckCharacter(first: string): string {
  const sum = [...first].reduce((total, character, place) => {
    const product = alphabet.indexOf(character) * (place % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return alphabet[(36 - (sum % 36)) % 36] as string;
}

/** Normalizes typing: lower case and spaces are accepted. */
export const tidyGstin = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase();

/** Why it is not a GSTIN, or null. The same rule as private.is_gstin in SQL. */
export function gstinProblem(gstin: string): string | null {
  if (!shape.test(gstin)) return 'A GSTIN has 15 characters, such as 27ABCDE1234F1Z5.';
  if (gstinCheckCharacter(gstin.slice(0, 14)) !== gstin[14]) return 'This GSTIN is not valid. Check each character.';
  return null;
}

export const isFssaiNumber = (number: string): boolean => /^[0-9]{14}$/.test(number);
