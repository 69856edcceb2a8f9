/** An amount of money in whole paise; never a float of rupees. */
export type Paise = number & { readonly unit: 'paise' };

export function paise(amount: number): Paise {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is not a whole number of paise`);
  return amount as Paise;
}

/** From the database's rupees, a number or a numeric text with at most two decimals, exactly. */
export function paiseFromRupees(rupees: number | string): Paise {
  const match = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(String(rupees).trim());
  if (!match) throw new RangeError(`${rupees} is not an amount of rupees`);
  const [, sign, whole, fraction = ''] = match;
  const amount = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return paise(sign === '-' ? 0 - amount : amount);
}

/** As people in India read it: ₹1,299.50, ₹1,00,000. */
export function formatPaise(amount: Paise): string {
  const all = Math.abs(amount);
  const rest = all % 100;
  const fraction = rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`;
  return `${amount < 0 ? '-' : ''}₹${formatCount((all - rest) / 100)}${fraction}`;
}

/**
 * A whole number: 1,00,000. Not by Intl, whose tables keep a phone busy for longer than all else that the first
 * page runs.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\d(?=(\d\d)+\d$)/g, '$&,');
}
