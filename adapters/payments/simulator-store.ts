/** When the webhooks of a payment and of its refunds leave. */
export type WebhookTiming = 'normal' | 'twice' | 'before' | 'never' | 'late';

export type NewOrder = { id: string; receipt: string; amountPaise: number; createdAt: number };
export type SimulatedOrder = NewOrder & { attempts: number; paid: boolean };

export type SimulatedPayment = {
  id: string;
  orderId: string;
  amountPaise: number;
  status: 'authorized' | 'captured' | 'failed';
  refundedPaise: number;
  /** Unix seconds, as everywhere here. */
  createdAt: number;
  webhook: WebhookTiming;
  refundFails: boolean;
};

export type SimulatedRefund = {
  id: string;
  paymentId: string;
  amountPaise: number;
  status: 'processed' | 'failed';
  idempotencyKey: string | null;
  /** The request it came from, to tell a repetition from another use of the same key. */
  request: string;
  createdAt: number;
};

/** Is over the amount of its order. */
export type NewPayment = Omit<SimulatedPayment, 'amountPaise'>;

/** The memory of the simulated provider. Each call takes effect as a whole or not at all. */
export type SimulatorStore = {
  addOrder(order: NewOrder): Promise<void>;
  order(id: string): Promise<SimulatedOrder | null>;
  ordersByReceipt(receipt: string): Promise<SimulatedOrder[]>;
  /**
   * The order as it was before, null if there is none, and whether the payment was added to it: not where one is captured
   * already. Nothing that was added is ever forgotten.
   */
  addPayment(payment: NewPayment): Promise<{ order: SimulatedOrder; added: boolean } | null>;
  /** false: the payment is not (any more) in that status, or the order has a captured payment already. */
  capturePayment(id: string, from: 'authorized' | 'failed'): Promise<boolean>;
  payment(id: string): Promise<SimulatedPayment | null>;
  paymentsOf(orderId: string): Promise<SimulatedPayment[]>;
  /** false: the key is taken, or the payment is not captured or has not that much left. A failed refund takes nothing. */
  addRefund(refund: SimulatedRefund): Promise<boolean>;
  refund(id: string): Promise<SimulatedRefund | null>;
  refundByKey(idempotencyKey: string): Promise<SimulatedRefund | null>;
};
