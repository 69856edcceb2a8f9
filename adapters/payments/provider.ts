export type PaymentStatus = 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';

export type ProviderOrder = {
  id: string;
  receipt: string;
  amountPaise: number;
  status: 'created' | 'attempted' | 'paid';
};

export type ProviderPayment = {
  id: string;
  orderId: string;
  amountPaise: number;
  currency: string;
  status: PaymentStatus;
  method: string | null;
  feePaise: number | null;
  refundedPaise: number;
};

export type ProviderRefund = {
  id: string;
  paymentId: string;
  amountPaise: number;
  status: 'pending' | 'processed' | 'failed';
  /** The bank's own reference (ARN, RRN or UTR), which comes with the money or later. */
  bankReference: string | null;
};

export type ProviderEvent = {
  id: string;
  name: string;
  orderId: string | null;
  paymentId: string | null;
  refundId: string | null;
};

export type RefundRequest = { paymentId: string; amountPaise: number; idempotencyKey: string; reason: string };

export type PaymentProvider = {
  /** 'razorpay' opens the provider's widget in the browser, 'test' our own "Test payment" dialog. */
  kind: 'razorpay' | 'test';
  /** The public key the widget needs. */
  keyId: string;
  /**
   * The provider's order for a receipt: the one that is there, else a new one. `mayExist: false` means
   * that this receipt is new, and saves the lookup.
   */
  orderFor(receipt: string, amountPaise: number, options?: { mayExist: boolean }): Promise<ProviderOrder>;
  payment(id: string): Promise<ProviderPayment | null>;
  paymentsOf(orderId: string): Promise<ProviderPayment[]>;
  /** Takes an authorized payment; a captured payment is returned as it is. */
  capture(paymentId: string, amountPaise: number): Promise<ProviderPayment>;
  /** Repeated with the same key it returns the same refund. */
  refund(request: RefundRequest): Promise<ProviderRefund>;
  refundById(id: string): Promise<ProviderRefund | null>;
  isPaymentSigned(orderId: string, paymentId: string, signature: string): Promise<boolean>;
  /** The event of a webhook whose raw body is signed with our secret; null when it is not. */
  readEvent(rawBody: string, headers: Headers): Promise<ProviderEvent | null>;
};

export type ProviderErrorKind = 'unavailable' | 'refused';

/**
 * The error thrown for a provider's failure. 'refused': the request was rejected, so a retry is useless.
 * 'unavailable': anything else (timeout, no network, an invalid response, 5xx, 429, 408, a conflict
 * with a request in progress, our keys not accepted): the same request may work later.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  readonly status: number | null;
  readonly code: string | null;

  constructor(kind: ProviderErrorKind, message: string, details: { status?: number; code?: string | null } = {}) {
    super(message);
    this.kind = kind;
    this.status = details.status ?? null;
    this.code = details.code ?? null;
  }
}
