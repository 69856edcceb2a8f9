/** How long a checkout reserves its stock: private.hold_time() in SQL. */
export const holdMinutes = 10;

/** How long the payment window stays open: less than the stock is held, so that a payment in its last second is in time. */
export const paymentWindowMinutes = 8;
