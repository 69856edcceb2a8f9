import type { NewOrder, SimulatedOrder, SimulatedPayment, SimulatedRefund, SimulatorStore } from './simulator-store.ts';

export function createMemoryStore(): SimulatorStore {
  const orders = new Map<string, NewOrder>();
  const payments = new Map<string, SimulatedPayment>();
  const refunds = new Map<string, SimulatedRefund>();

  const paymentIds = new Map<string, string[]>();
  const attemptsAt = (orderId: string) =>
    (paymentIds.get(orderId) ?? []).map((id) => payments.get(id)).filter((payment) => payment !== undefined);
  const isPaid = (orderId: string) => attemptsAt(orderId).some(({ status }) => status === 'captured');
  const refundWithKey = (key: string | null) =>
    [...refunds.values()].find(({ idempotencyKey }) => key !== null && idempotencyKey === key) ?? null;
  const withAttempts = (order: NewOrder): SimulatedOrder => ({
    ...order,
    attempts: attemptsAt(order.id).length,
    paid: isPaid(order.id),
  });

  return {
    async addOrder(order) {
      orders.set(order.id, order);
    },
    async order(id) {
      const order = orders.get(id);
      return order ? withAttempts(order) : null;
    },
    async ordersByReceipt(receipt) {
      return [...orders.values()].filter((order) => order.receipt === receipt).map(withAttempts);
    },
    async addPayment(payment) {
      const found = orders.get(payment.orderId);
      if (!found) return null;
      const order = withAttempts(found);
      if (order.paid) return { order, added: false };
      payments.set(payment.id, { ...payment, amountPaise: order.amountPaise });
      paymentIds.set(order.id, [...(paymentIds.get(order.id) ?? []), payment.id]);
      return { order, added: true };
    },
    async capturePayment(id, from) {
      const payment = payments.get(id);
      if (payment?.status !== from || isPaid(payment.orderId)) return false;
      payments.set(id, { ...payment, status: 'captured' });
      return true;
    },
    async payment(id) {
      return payments.get(id) ?? null;
    },
    async paymentsOf(orderId) {
      return attemptsAt(orderId);
    },
    async addRefund(refund) {
      const payment = payments.get(refund.paymentId);
      if (payment?.status !== 'captured' || refundWithKey(refund.idempotencyKey)) return false;
      const refundedPaise = payment.refundedPaise + refund.amountPaise;
      if (refundedPaise > payment.amountPaise) return false;
      if (refund.status === 'processed') payments.set(payment.id, { ...payment, refundedPaise });
      refunds.set(refund.id, refund);
      return true;
    },
    async refund(id) {
      return refunds.get(id) ?? null;
    },
    async refundByKey(idempotencyKey) {
      return refundWithKey(idempotencyKey);
    },
  };
}
