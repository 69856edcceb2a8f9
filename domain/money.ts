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

const wholeRupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 });
const rupeesAndPaise = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 });

/** As people in India read it: ₹1,299.50, ₹1,00,000. */
export function formatPaise(amount: Paise): string {
  return (amount % 100 === 0 ? wholeRupees : rupeesAndPaise).format(amount / 100);
}
