import { productHeadings } from '../../../domain/products/product-columns.ts';

export type Dataset = {
  /** A SQL function (filter, after, at) that answers {rows, next}; for the service role alone. */
  read: `export_${string}`;
  heading: readonly string[];
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
      'GST in it',
      'Without GST',
      'Paid by',
      'Receipt',
    ],
  },
  profit: {
    read: 'export_profit',
    heading: [
      'Month',
      'Orders',
      'Goods sold',
      'Canceled',
      'Refunded',
      'Net sales',
      'Cost of goods',
      'Lines of unknown cost',
      'Goods of unknown cost',
      'Gross profit',
      'Payment fees',
      'Payments of unknown fee',
      'Shipping charged',
      'Couriers',
      'Wastage',
      'Wastage of unknown cost',
      'Expenses',
      'Profit',
      'GST collected',
      'GST in expenses',
      'Closed',
    ],
  },
  orders: {
    read: 'export_orders',
    heading: [
      'Number',
      'Placed (India)',
      'Customer',
      'Phone',
      'Building',
      'Street',
      'City',
      'State',
      'Pincode',
      'Items',
      'Subtotal',
      'Tax',
      'Shipping',
      'Total',
      'Given back',
      'Payment',
      'Payment id',
      'Status',
      'Status since (India)',
      'Source',
      'Fulfilment',
      'Courier',
      'Tracking number',
      'Canceled because',
    ],
  },
};
