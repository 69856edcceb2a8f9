// What the provider's documentation shows.

export type CannedResponse = { status?: number; body: unknown; headers?: Record<string, string>; afterMs?: number };

export const order = {
  id: 'order_IEIaMR65cu6nz3',
  entity: 'order',
  amount: 50_000,
  amount_paid: 0,
  amount_due: 50_000,
  currency: 'INR',
  receipt: 'receipt-1',
  offer_id: null,
  status: 'created',
  attempts: 0,
  notes: [],
  created_at: 1_795_000_000,
};
export const payment = {
  id: 'pay_IH4NVgf4Dreq1l',
  entity: 'payment',
  amount: 50_000,
  currency: 'INR',
  status: 'captured',
  order_id: order.id,
  method: 'card',
  captured: true,
  amount_refunded: 0,
  refund_status: null,
  fee: 1180,
  tax: 180,
  email: 'asha@example.com',
  contact: '+919900000000',
  notes: [],
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
  created_at: 1_795_000_001,
};
export const refund = {
  id: 'rfnd_FP8QHiV938haTz',
  entity: 'refund',
  amount: 50_000,
  currency: 'INR',
  payment_id: payment.id,
  notes: [],
  receipt: null,
  created_at: 1_795_000_002,
  acquirer_data: { arn: '74332745213000012345678' },
  status: 'processed',
};
export const badRequest = (description: string): CannedResponse => ({
  status: 400,
  body: {
    error: {
      code: 'BAD_REQUEST_ERROR',
      description,
      field: 'amount',
      source: 'business',
      step: 'payment_initiation',
      reason: 'input_validation_failed',
      metadata: {},
    },
  },
});
export const collection = (...items: object[]): CannedResponse => ({
  body: { entity: 'collection', count: items.length, items },
});
