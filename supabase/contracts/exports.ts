// The tables that the edge function exportCsv hands out, a page at a time. Each takes the filter of its list in the console.
import { defineFunction, type FunctionName, json, moment } from './contract.ts';
import { z } from './z.ts';

const Page = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** Where the next page begins; null after the last. */
  next: json,
});

const defineExport = (name: Extract<FunctionName, `export_${string}`>) =>
  defineFunction(name, { filter: z.record(z.string(), z.unknown()), after: json, at: moment }, Page);

export const exportProducts = defineExport('export_products');
export const exportExpenses = defineExport('export_expenses');
export const exportProfit = defineExport('export_profit');
export const exportGst = defineExport('export_gst');
export const exportDocuments = defineExport('export_documents');
export const exportCustomers = defineExport('export_customers');
export const exportOrders = defineExport('export_orders');
