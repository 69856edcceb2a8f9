export type Dataset = {
  /** A SQL function (filter, after, at) that answers {rows, next}; for the service role alone. */
  read: `export_${string}`;
  heading: readonly string[];
};

/** What the console hands out as a file. */
export const datasets: Readonly<Record<string, Dataset>> = {
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
