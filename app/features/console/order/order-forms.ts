import type { Database } from '#database-types';
import type { Outcome, RequestName } from '../requests.ts';
import type { Order } from './order-data.ts';

type Functions = Database['public']['Functions'];
/** The requests that change an order that was seen. */
export type OrderRequest = Extract<
  { [Name in RequestName]: 'seen' extends keyof Functions[Name]['Args'] ? Name : never }[RequestName],
  | `admin_${string}_order`
  | 'admin_change_tracking'
  | 'admin_change_address'
  | 'admin_mark_order_paid'
  | 'admin_retry_refund'
>;
export type ActOnOrder = <Name extends OrderRequest>(
  name: Name,
  args: Omit<Functions[Name]['Args'], 'order_id' | 'seen'>,
) => Promise<Outcome<unknown>>;

export type OrderFormProps = {
  order: Order;
  /** Sends what was seen with it. */
  act: ActOnOrder;
  /** Says so, shows the order anew and closes. */
  onDone(message: string): void;
  onClose(): void;
};
