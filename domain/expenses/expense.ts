export const expenseCategories = [
  'Ingredients',
  'Packaging',
  'Rent',
  'Salaries',
  'Electricity',
  'Gas',
  'Delivery',
  'Marketing',
  'Equipment',
  'Fees',
  'Other',
] as const;
export type ExpenseCategory = (typeof expenseCategories)[number];

export const paymentModes = ['Cash', 'UPI', 'Card', 'Bank transfer', 'Cheque'] as const;
export type PaymentMode = (typeof paymentModes)[number];

/** Rates that stand on bills. */
export const gstRates = [0, 5, 18, 40] as const;

/** The GST in an amount that contains it. */
export function gstPart(amountPaise: number, percent: number): number {
  return Math.round((amountPaise * percent) / (100 + percent));
}

/** The rate behind a GST amount; null for an amount typed from the bill. */
export function gstRateOf(amountPaise: number, gstPaise: number): number | null {
  return gstRates.find((rate) => gstPart(amountPaise, rate) === gstPaise) ?? null;
}
