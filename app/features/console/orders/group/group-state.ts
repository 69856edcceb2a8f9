import { statusWords } from '#app/features/console/order-status/order-words.ts';
import type { GroupMember } from '#contracts/console/groups.ts';
import { z } from '#contracts/z.ts';
import { type OrderStatus, orderStatuses } from '#domain/orders/status.ts';

export const GroupState = z.object({
  status: z.string().catch('').default(''),
  q: z.string().max(100).catch('').default(''),
});
export type GroupState = z.infer<typeof GroupState>;

export type Share = { status: OrderStatus; title: string; count: number };

/** How many recipients are where, in the order in which a parcel goes. */
export function sharesOf(members: readonly GroupMember[]): Share[] {
  return orderStatuses
    .map((status) => ({
      status,
      title: statusWords[status].title,
      count: members.filter((member) => member.status === status).length,
    }))
    .filter(({ count }) => count > 0);
}

const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** The recipients with this status whose name, phone, place or number begins with or contains what is typed. */
export function membersOf(members: readonly GroupMember[], { status, q }: GroupState): GroupMember[] {
  const wanted = plain(q);
  return members.filter(
    (member) =>
      (status === '' || member.status === status) &&
      (wanted === '' ||
        [member.name, member.phone, member.city, member.pincode, String(member.number)].some((text) =>
          plain(text).includes(wanted),
        )),
  );
}

/** Said in one line: 12 of 40 delivered, 2 undelivered. */
export function progressInWords(members: readonly GroupMember[]): string {
  const count = (...statuses: OrderStatus[]) => members.filter(({ status }) => statuses.includes(status)).length;
  const undelivered = count('Undelivered');
  const canceled = count('canceled', 'Refunded');
  return [
    `${count('Delivered', 'Collected')} of ${members.length} delivered`,
    count('Shipped') > 0 && `${count('Shipped')} on their way`,
    undelivered > 0 && `${undelivered} undelivered`,
    canceled > 0 && `${canceled} cancelled`,
  ]
    .filter(Boolean)
    .join(', ');
}
