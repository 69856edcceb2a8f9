import type { FoundItem, Purchase } from '#contracts/console/purchases.ts';
import { type Paise, paise, paiseFromRupees, rupeesInput } from '#domain/money.ts';
import { lineAmount, type PurchaseAmount } from '#domain/purchases/amounts.ts';
import { type PurchaseUnit, purchaseUnits, stockUnits, thousandthsFrom, unitsFor } from '#domain/purchases/units.ts';
import type { Checked } from '../form/inputs.ts';

/** A line as it is being typed, with the database's names. Of a product that we sell when `productId` is set. */
export type DraftLine = {
  id: number | null;
  productId: number | null;
  hasSize: boolean | null;
  item_name: string;
  unit: PurchaseUnit;
  quantity: string;
  unit_cost: string;
  gst_percent: string;
};

export const emptyLine: DraftLine = {
  id: null,
  productId: null,
  hasSize: null,
  item_name: '',
  unit: 'kg',
  quantity: '',
  unit_cost: '',
  gst_percent: '5',
};

/** The lines of a stored order; of another one (`again`) without its ids. */
export function linesOf(purchase: Purchase, again = false): DraftLine[] {
  return purchase.lines.map((line) => ({
    id: again ? null : line.id,
    productId: line.product?.id ?? null,
    hasSize: line.product?.has_size ?? null,
    item_name: line.item_name,
    unit: line.unit,
    quantity: String(line.quantity),
    unit_cost: rupeesInput(line.unit_cost_paise),
    gst_percent: String(line.gst_percent),
  }));
}

/** What is known of a thing once its name is; a number that was typed already stays. */
export function chooseItem(line: DraftLine, found: FoundItem | undefined): DraftLine {
  if (!found) return line.productId === null ? line : { ...line, productId: null, hasSize: null };
  const offered = unitsFor(found.has_size === null ? null : { hasSize: found.has_size });
  const last = found.last_price;
  const unit = last && offered.includes(last.unit) ? last.unit : offered.includes(line.unit) ? line.unit : offered[0];
  return {
    ...line,
    productId: found.product_id,
    hasSize: found.has_size,
    item_name: found.name,
    unit: unit ?? line.unit,
    unit_cost: line.unit_cost === '' && last && last.unit === unit ? rupeesInput(last.unit_cost_paise) : line.unit_cost,
    gst_percent: line.unit_cost === '' && last ? String(last.gst_percent) : line.gst_percent,
  };
}

export type TypedLine = {
  id: number | null;
  product_id: number | null;
  item_name: string;
  unit: PurchaseUnit;
  quantity: string;
  unit_cost_paise: number;
  gst_percent: string;
};

export const costFrom = (text: string): Paise | null => {
  const tidy = text.replace(/[₹,\s]/g, '');
  return /^\d{1,6}(\.\d{1,2})?$/.test(tidy) ? paiseFromRupees(tidy) : null;
};
const gstFrom = (text: string): number | null =>
  /^\d{1,2}(\.\d{1,2})?$/.test(text.trim()) && Number(text) <= 40 ? Number(text) : null;

/** What a line comes to; null while it cannot be known. */
export function draftAmount(line: DraftLine): PurchaseAmount | null {
  const thousandths = thousandthsFrom(line.quantity);
  const cost = costFrom(line.unit_cost);
  const gst = gstFrom(line.gst_percent);
  if (thousandths === null || cost === null || gst === null) return null;
  return lineAmount({ thousandths, unitCostPaise: cost, gstPercent: gst });
}

export function draftTotal(lines: readonly DraftLine[]): Paise {
  return paise(lines.reduce((total, line) => total + (draftAmount(line)?.totalPaise ?? 0), 0));
}

const isBlank = ({ item_name, quantity, unit_cost }: DraftLine) =>
  !item_name.trim() && !quantity.trim() && !unit_cost.trim();

const nothingToBuy = 'Add at least one item.';

/** The lines to save; blank ones are left out. Errors are named as the database names them: lines.2.quantity. */
export function checkLines(lines: readonly DraftLine[]): Checked<TypedLine[]> {
  const errors: Record<string, string> = {};
  const typed: TypedLine[] = [];
  lines.forEach((line, place) => {
    if (isBlank(line)) return;
    const wrong = (field: string, message: string) => {
      errors[`lines.${place}.${field}`] = message;
    };
    const thousandths = thousandthsFrom(line.quantity);
    const cost = costFrom(line.unit_cost);
    if (!line.item_name.trim()) wrong('item_name', 'Enter an item.');
    else if (line.item_name.trim().length > 120) wrong('item_name', 'At most 120 characters.');
    if (!thousandths) wrong('quantity', 'Enter more than 0, with at most three decimals.');
    else if (line.productId !== null && stockUnits(thousandths, line.unit) === null)
      wrong('quantity', 'Enter a whole number.');
    if (cost === null) wrong('unit_cost', 'Enter rupees, such as 585 or 42.50.');
    if (gstFrom(line.gst_percent) === null) wrong('gst_percent', 'Enter 0 to 40.');
    const offered = unitsFor(line.hasSize === null ? null : { hasSize: line.hasSize });
    if (!purchaseUnits.includes(line.unit) || !offered.includes(line.unit)) wrong('unit', 'Choose another unit.');
    typed.push({
      id: line.id,
      product_id: line.productId,
      item_name: line.item_name.trim(),
      unit: line.unit,
      quantity: line.quantity.replaceAll(',', '').trim(),
      unit_cost_paise: cost ?? 0,
      gst_percent: line.gst_percent.trim(),
    });
  });
  if (typed.length === 0) errors[lines.length === 0 ? 'lines' : 'lines.0.item_name'] = nothingToBuy;
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, value: typed };
}

/** Which line as shown is meant by the place among those that were sent. */
export function shownPlace(lines: readonly DraftLine[], sentPlace: number): number {
  const sent = lines.flatMap((line, place) => (isBlank(line) ? [] : [place]));
  return sent[sentPlace] ?? 0;
}
