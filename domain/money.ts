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
export function formatPaise(amount: number): string {
  return `${amount < 0 ? '-' : ''}₹${digits(amount, amount % 100 !== 0)}`;
}

/** Where paise would only be noise, as in totals of a year: ₹12,34,568. */
export function formatWholeRupees(amount: number): string {
  return formatPaise(Math.round(amount / 100) * 100);
}

/** In a column every amount has its paise, so that the digits stand below each other: 1,23,456.50. */
export function formatPaiseColumn(amount: number): string {
  return `${amount < 0 ? '-' : ''}${digits(amount, true)}`;
}

const units = [
  { name: '', rupees: 1 },
  { name: 'k', rupees: 1_000 },
  { name: ' lakh', rupees: 100_000 },
  { name: ' crore', rupees: 10_000_000 },
];

/** Where there is little room, as on the axis of a chart: ₹850, ₹12.5k, ₹1.2 lakh, ₹3 crore. */
export function formatPaiseShort(amount: number): string {
  const rupees = Math.abs(amount) / 100;
  const tenthsOf = (unitRupees: number) => Math.round((rupees / unitRupees) * 10);
  // The largest that is reached once the one below it is rounded: 99,960 is 100.0k, so it is a lakh.
  const reached = units.filter(({ rupees: size }, place) => {
    const below = units[place - 1];
    return below === undefined || (tenthsOf(below.rupees) / 10) * below.rupees >= size;
  });
  const unit = reached.at(-1) ?? { name: '', rupees: 1 };
  const tenths = tenthsOf(unit.rupees);
  const fraction = tenths % 10 === 0 ? '' : `.${tenths % 10}`;
  return `${amount < 0 && tenths > 0 ? '-' : ''}₹${formatCount(Math.floor(tenths / 10))}${fraction}${unit.name}`;
}

/** As an owner types it into a field: 1299.50, 40. */
export function rupeesInput(amount: number): string {
  return plainRupees(amount).replace(/\.00$/, '');
}

/** For machines: 1299.50, 40.00. */
export function plainRupees(amount: number): string {
  return (paise(amount) / 100).toFixed(2);
}

function digits(amount: number, withPaise: boolean): string {
  const all = Math.abs(paise(amount));
  const rest = all % 100;
  return `${formatCount((all - rest) / 100)}${withPaise ? `.${String(rest).padStart(2, '0')}` : ''}`;
}

/**
 * A whole number: 1,00,000. Not by Intl, whose tables keep a phone busy for longer than all else that the first
 * page runs.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\d(?=(\d\d)+\d$)/g, '$&,');
}
