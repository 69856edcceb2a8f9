import type { Order } from '#contracts/console/order.ts';
import type { Contract } from '#contracts/contract.ts';
import type { z } from '#contracts/z.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import type { Outcome } from '../../data/requests.ts';

/** Which form is open. */
export type Asked = 'cancel' | 'refund' | 'paid' | 'address' | 'tracking' | 'resend' | { to: OrderStatus };

/** Which order, and its state that the administrator saw. */
export type SeenOrder = { order_id: string; seen: string };

/** Calls a function that changes an order. */
export type ActOnOrder = <
  Args extends { [Key in keyof SeenOrder]: SeenOrder[Key] | null },
  Result extends { updated_at: string | null },
>(
  contract: Contract<z.ZodType<Record<string, unknown>, Args>, z.ZodType<Result>>,
  argsFor: (seen: SeenOrder) => Args,
) => Promise<Outcome<Result>>;

export type OrderFormProps = {
  order: Order;
  /** Sends what was seen with it. */
  act: ActOnOrder;
  /** Shows a message, reloads the order and closes. */
  onDone(message: string): void;
  onClose(): void;
};
