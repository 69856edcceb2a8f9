const inUnits = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 1 });
const units = [
  { name: '', rupees: 1 },
  { name: 'k', rupees: 1_000 },
  { name: ' lakh', rupees: 100_000 },
  { name: ' crore', rupees: 10_000_000 },
];

/** Where there is little room, as on the axis of a chart: ₹850, ₹12.5k, ₹1.2 lakh, ₹3 crore. */
export function formatPaiseShort(amount: number): string {
  const rupees = Math.abs(amount) / 100;
  const tenths = (unitRupees: number) => Math.round((rupees / unitRupees) * 10) / 10;
  // The largest that is reached once the one below it is rounded: 99,960 is 100.0k, so it is a lakh.
  const reached = units.filter(({ rupees: size }, place) => {
    const below = units[place - 1];
    return below === undefined || tenths(below.rupees) * below.rupees >= size;
  });
  const unit = reached.at(-1) ?? { name: '', rupees: 1 };
  const text = `₹${inUnits.format(tenths(unit.rupees))}${unit.name}`;
  return amount < 0 && text !== '₹0' ? `-${text}` : text;
}
