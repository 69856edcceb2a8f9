import type { CsvCell } from '../../../domain/csv/write-csv.ts';
import { customerCells, customerHeadings } from '../../../domain/customers/customer-file.ts';
import { orderCells, orderHeadings } from '../../../domain/orders/order-file.ts';
import { productHeadings } from '../../../domain/products/product-columns.ts';
import {
  exportCustomers,
  exportDocuments,
  exportExpenses,
  exportGst,
  exportOrders,
  exportProducts,
  exportProfit,
} from '../../contracts/exports.ts';

export type Dataset = {
  /** For the service role alone. */
  read: typeof exportOrders;
  heading: readonly string[];
  /** Names of customers are in it: the security log says who downloaded it. */
  isPersonal?: true;
  /** What is stored, in words. */
  write?(row: readonly CsvCell[]): CsvCell[];
};

/** The datasets that the console exports. */
export const datasets: Readonly<Record<string, Dataset>> = {
  products: { read: exportProducts, heading: productHeadings },
  expenses: {
    read: exportExpenses,
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
    read: exportProfit,
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
    read: exportGst,
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
    read: exportDocuments,
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
  customers: { isPersonal: true, read: exportCustomers, heading: customerHeadings, write: customerCells },
  orders: { isPersonal: true, read: exportOrders, heading: orderHeadings, write: orderCells },
};
