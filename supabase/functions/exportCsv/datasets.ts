import type { CsvCell } from '../../../domain/csv/write-csv.ts';
import { customerCells, customerHeadings } from '../../../domain/customers/customer-file.ts';
import { orderCells, orderHeadings } from '../../../domain/orders/order-file.ts';
import { productHeadings } from '../../../domain/products/product-columns.ts';

export type Dataset = {
  /** A SQL function (filter, after, at) that answers {rows, next}; for the service role alone. */
  read: `export_${string}`;
  heading: readonly string[];
  /** Names of customers are in it: the security log says who downloaded it. */
  isPersonal?: true;
  /** What is stored, in words. */
  write?(row: readonly CsvCell[]): CsvCell[];
};

/** What the console hands out as a file. */
export const datasets: Readonly<Record<string, Dataset>> = {
  products: { read: 'export_products', heading: productHeadings },
  expenses: {
    read: 'export_expenses',
    heading: [
      'Date',
      'Category',
      'Vendor',
      'Vendor GSTIN',
      'Description',
      'Amount',
      'GST included',
      'Without GST',
      'Payment mode',
      'Receipt',
    ],
  },
  profit: {
    read: 'export_profit',
    heading: [
      'Month',
      'Orders',
      'Goods sold',
      'Cancelled',
      'Refunded',
      'Net sales',
      'Cost of goods',
      'Lines with no cost',
      'Goods with no cost',
      'Gross profit',
      'Payment fees',
      'Payments with no fee known',
      'Shipping charged',
      'Couriers',
      'Wastage',
      'Wastage with no cost',
      'Expenses',
      'Profit',
      'GST on goods',
      'GST on shipping',
      'GST in expenses',
      'GST in payment fees',
      'Closed',
    ],
  },
  gst: {
    read: 'export_gst',
    heading: [
      'Month',
      'Documents',
      'HSN',
      'GST %',
      'Kilograms',
      'Pieces',
      'Taxable value',
      'CGST',
      'SGST/UTGST',
      'IGST',
      'Total',
    ],
  },
  documents: {
    isPersonal: true,
    read: 'export_documents',
    heading: [
      'Number',
      'Document',
      'Date',
      'For invoice',
      'Order',
      'Customer',
      'Place of supply',
      'State code',
      'Taxable value',
      'CGST',
      'SGST/UTGST',
      'IGST',
      'Total',
    ],
  },
  customers: { isPersonal: true, read: 'export_customers', heading: customerHeadings, write: customerCells },
  orders: { isPersonal: true, read: 'export_orders', heading: orderHeadings, write: orderCells },
};
