import { expect } from 'vitest';
import type { PaymentProvider, ProviderOrder } from '../provider.ts';
import type { PaymentAttempt, Simulator, WidgetError } from '../simulator.ts';
import type { WebhookDelivery } from '../simulator-webhooks.ts';

/** A provider connected to a simulator that records its webhooks. */
export type ProviderUnderTest = {
  provider: PaymentProvider;
  simulator: Simulator;
  delivered: WebhookDelivery[];
  close(): Promise<void>;
};

export type Harness = {
  under(): ProviderUnderTest;
  newReceipt(): string;
  newOrder(amountPaise?: number): Promise<ProviderOrder>;
  paid(orderId: string, wish?: Partial<PaymentAttempt>): Promise<{ id: string; signature: string }>;
  failed(orderId: string, wish?: Partial<PaymentAttempt>): Promise<WidgetError>;
};

export const rejectedError = { name: 'ProviderError', kind: 'refused' };
export const unavailableError = { name: 'ProviderError', kind: 'unavailable' };

export function createHarness(under: () => ProviderUnderTest): Harness {
  const newReceipt = () => crypto.randomUUID();
  return {
    under,
    newReceipt,
    newOrder: (amountPaise = 129_950) => under().provider.orderFor(newReceipt(), amountPaise, { mayExist: false }),
    async paid(orderId, wish = {}) {
      const answer = await under().simulator.pay(orderId, { outcome: 'pay', ...wish });
      if ('error' in answer) throw new Error(answer.error.description);
      expect(answer.razorpay_order_id).toBe(orderId);
      return { id: answer.razorpay_payment_id, signature: answer.razorpay_signature };
    },
    async failed(orderId, wish = {}) {
      const answer = await under().simulator.pay(orderId, { outcome: 'fail', ...wish });
      if (!('error' in answer)) throw new Error('It was paid.');
      return answer.error;
    },
  };
}
