import { href } from 'react-router';
import { readGroup } from '#contracts/console/groups.ts';
import { printOrders } from '#contracts/console/order.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { isOrderId } from '../order-id.ts';

/** In one request (admin_print_orders()). */
export const mostPrinted = 100;

type Chosen = { ids: string; group: string; part: number };

/** The orders to print: those that were selected, or a part of a group, without what was cancelled. */
export function usePrinted({ ids, group, part }: Chosen) {
  const isGroup = isOrderId(group);
  const members = useShopQuery(readGroup, isGroup ? { group_id: group } : null);
  const selected = isGroup
    ? (members.data?.orders ?? [])
        .filter(({ status }) => status !== 'canceled' && status !== 'Refunded')
        .map(({ id }) => id)
    : ids.split(',').filter(isOrderId);
  const parts = isGroup ? Math.max(1, Math.ceil(selected.length / mostPrinted)) : 1;
  const from = isGroup ? Math.min(part - 1, parts - 1) * mostPrinted : 0;
  const wanted = selected.slice(from, from + mostPrinted);
  const sheets = useShopQuery(printOrders, wanted.length > 0 ? { order_ids: wanted } : null);
  const [id, ...others] = wanted;
  return {
    wanted,
    parts,
    isCut: !isGroup && selected.length > mostPrinted,
    back: isGroup
      ? { to: href('/admin/orders/group/:id', { id: group }), label: 'Group order' }
      : id && others.length === 0
        ? { to: href('/admin/orders/:id', { id }), label: 'Order' }
        : { to: href('/admin/orders'), label: 'Orders' },
    data: sheets.data,
    isPending: (isGroup && members.isPending) || (wanted.length > 0 && sheets.isPending),
    isLoadingError: members.isLoadingError || sheets.isLoadingError,
    refetch() {
      if (members.isLoadingError) void members.refetch();
      else void sheets.refetch();
    },
  };
}
