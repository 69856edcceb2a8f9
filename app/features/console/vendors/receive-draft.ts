import type { Line } from '#contracts/console/purchases.ts';
import { type Paise, paise, paiseFromRupees } from '#domain/money.ts';
import { lineAmount } from '#domain/purchases/amounts.ts';
import { productCostPaise, stockUnits, thousandthsFrom } from '#domain/purchases/units.ts';
import type { Checked } from '../form/inputs.ts';

/** What came of each line, as typed. An empty quantity: nothing of it. */
export type Coming = { quantity: string; setsCost: boolean };

/** What is still to come, filled in: most deliveries are what was ordered. */
export function expectedOf(lines: readonly Line[]): Coming[] {
  return lines.map((line) => {
    const missing = Math.round((line.quantity - line.received_quantity) * 1000) / 1000;
    return { quantity: missing > 0 ? String(missing) : '', setsCost: line.product !== null };
  });
}

export const isMore = (line: Line, { quantity }: Coming): boolean => {
  const thousandths = thousandthsFrom(quantity);
  return (
    thousandths !== null && Math.round(line.received_quantity * 1000) + thousandths > Math.round(line.quantity * 1000)
  );
};

/** +40, -0.37 or nothing, in paise; null for anything else. */
export function adjustmentFrom(text: string): Paise | null {
  const tidy = text
    .replace(/[₹,\s]/g, '')
    .replace('−', '-')
    .replace(/^\+/, '');
  if (tidy === '') return paise(0);
  return /^-?\d{1,7}(\.\d{1,2})?$/.test(tidy) ? paiseFromRupees(tidy) : null;
}

export function comingTotal(lines: readonly Line[], coming: readonly Coming[], adjustment: string): Paise {
  const goods = lines.reduce((total, line, place) => {
    const thousandths = thousandthsFrom(coming[place]?.quantity ?? '') ?? 0;
    const amount = lineAmount({
      thousandths,
      unitCostPaise: paise(line.unit_cost_paise),
      gstPercent: line.gst_percent,
    });
    return total + amount.totalPaise;
  }, 0);
  return paise(goods + (adjustmentFrom(adjustment) ?? 0));
}

/** What the product would cost from now on; null where nothing comes to the shelf or nothing changes. */
export function newCost(line: Line): Paise | null {
  if (!line.product) return null;
  const cost = productCostPaise(paise(line.unit_cost_paise), line.unit);
  return cost === line.product.unit_cost_paise ? null : cost;
}

export type CameLine = { item_id: number; quantity: string; sets_cost: boolean };

export function checkComing(lines: readonly Line[], coming: readonly Coming[]): Checked<CameLine[]> {
  const errors: Record<string, string> = {};
  const came: CameLine[] = [];
  lines.forEach((line, place) => {
    const { quantity = '', setsCost = false } = coming[place] ?? {};
    if (quantity.trim() === '') return;
    const thousandths = thousandthsFrom(quantity);
    if (thousandths === null) errors[`lines.${place}.quantity`] = 'Enter a number with at most three decimals.';
    else if (line.product && stockUnits(thousandths, line.unit) === null)
      errors[`lines.${place}.quantity`] = 'Enter a whole number.';
    else if (thousandths > 0)
      came.push({ item_id: line.id, quantity: quantity.replaceAll(',', '').trim(), sets_cost: setsCost });
  });
  if (Object.keys(errors).length === 0 && came.length === 0) errors.lines = 'Enter the quantity received.';
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, value: came };
}
