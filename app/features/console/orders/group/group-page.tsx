import { useMemo, useState } from 'react';
import { href, Link } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Group, type GroupMember, readGroup } from '#contracts/console/groups.ts';
import { formatPaise } from '#domain/money.ts';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { useUrlState } from '../../list/url-state.ts';
import { dialogTitleId } from '../detail/action-dialog.tsx';
import type { ActOnOrder } from '../detail/order-forms.ts';
import { ResendForm } from '../detail/resend-form.tsx';
import { Refusals } from '../list/bulk-bar.tsx';
import { SelectedOrders, useSelectedOrders } from '../list/selected-orders.tsx';
import { useOrderUpdates } from '../list/use-order-updates.ts';
import { isOrderId } from '../order-id.ts';
import { moment } from '../order-words.ts';
import styles from './group-page.module.css';
import { GroupState, membersOf, progressInWords, sharesOf } from './group-state.ts';
import { GroupTable } from './group-table.tsx';

const back = { to: href('/admin/orders'), label: 'Orders' };

/** A group order: where each recipient's parcel is, and what is done with many of them at once. */
export function GroupPage({ groupId }: { groupId: string }) {
  const isKnown = isOrderId(groupId);
  const { data, isLoadingError, refetch } = useShopQuery(readGroup, isKnown ? { group_id: groupId } : null);
  if (!isKnown || data === null)
    return (
      <ConsolePage title="Group order not found" back={back}>
        <EmptyState
          title="We can’t find this group order."
          text="The link may be incomplete, or it was never paid. Search for one of its orders by number or name."
        />
      </ConsolePage>
    );
  if (data && data.id === groupId.toLowerCase())
    return <OneGroup group={data} reload={async () => (await refetch()).data ?? null} />;
  return (
    <ConsolePage title="Group order" back={back}>
      {isLoadingError ? (
        <FailedState retry={refetch} />
      ) : (
        <LoadingShape className={styles.group}>
          <BlankPanel title="Progress" lines={2} />
          <BlankPanel title="Recipients" lines={10} />
        </LoadingShape>
      )}
    </ConsolePage>
  );
}

const settleMs = 300;

function OneGroup({ group, reload }: { group: Group; reload(): Promise<Group | null> }) {
  const [state, set, hrefFor] = useUrlState(GroupState);
  const { act } = useRequests();
  const { orders } = group;
  const shares = useMemo(() => sharesOf(orders), [orders]);
  const shown = useMemo(() => membersOf(orders, state), [orders, state]);
  const { selection, moves, selectShown } = useSelectedOrders(shown, async () => (await reload())?.orders ?? []);
  const [resent, setResent] = useState<GroupMember | null>(null);
  useReloadOfGroup(orders, reload);

  const actOnOrder: ActOnOrder = async (contract, argsFor) => {
    const current = orders.find(({ id }) => id === resent?.id);
    const outcome = await act(contract, argsFor({ order_id: resent?.id ?? '', seen: current?.updated_at ?? '' }));
    if (!outcome.ok && outcome.reason === 'stale') void reload();
    return outcome;
  };
  const print = (doc: 'slip' | 'label' | 'card') => `${href('/admin/orders/print')}?group=${group.id}&doc=${doc}`;

  return (
    <ConsolePage
      title={`Group order, ${group.recipients} recipients`}
      back={back}
      actions={
        <>
          <ButtonLink size="small" to={print('slip')}>
            Packing slips
          </ButtonLink>
          <ButtonLink size="small" to={print('label')}>
            Address labels
          </ButtonLink>
          <ButtonLink size="small" to={print('card')}>
            Gift cards
          </ButtonLink>
        </>
      }
    >
      <Facts group={group} />
      <ProgressBar members={orders} />
      <Tabs
        label="Status"
        items={[
          { to: hrefFor({ status: '' }), title: 'All', isOpen: state.status === '', count: String(orders.length) },
          ...shares.map(({ status, title, count }) => ({
            to: hrefFor({ status }),
            title,
            isOpen: state.status === status,
            count: String(count),
          })),
        ]}
      />
      {moves.refusals.length > 0 && <Refusals refusals={moves.refusals} onClose={moves.forgetRefusals} />}
      <GroupTable
        members={shown}
        query={state.q}
        onQuery={(q) => set({ q })}
        selection={{ selected: selection.keys, onChange: selection.select }}
        onSelectAll={selectShown}
        onResend={setResent}
        clear={hrefFor({ status: '', q: '' })}
      />
      <SelectedOrders selection={selection} moves={moves} />
      <FormDialog open={resent !== null} onClose={() => setResent(null)} labelledBy={dialogTitleId}>
        {resent && (
          <ResendForm
            order={resent}
            act={actOnOrder}
            onDone={(message) => {
              toast('success', message);
              setResent(null);
              void reload();
            }}
            onClose={() => setResent(null)}
          />
        )}
      </FormDialog>
    </ConsolePage>
  );
}

/** Changes of its orders come one after the other: one look after the last of them is enough. */
function useReloadOfGroup(orders: readonly GroupMember[], reload: () => Promise<unknown>): void {
  const timer = useMemo(() => ({ id: undefined as ReturnType<typeof setTimeout> | undefined }), []);
  const soon = () => {
    clearTimeout(timer.id);
    timer.id = setTimeout(() => void reload().catch(() => {}), settleMs);
  };
  useOrderUpdates({
    onUpdate: (id) => orders.some((order) => order.id === id) && soon(),
    onReturn: soon,
  });
}

function Facts({ group }: { group: Group }) {
  const { customer, card } = group;
  return (
    <p className={styles.facts}>
      {customer ? (
        <span>
          Paid by <Link to={href('/admin/customers/:id', { id: customer.user_id })}>{customer.name}</Link>
        </span>
      ) : (
        <span>Erased customer</span>
      )}
      <span>{moment(group.placed_at)}</span>
      <span>{formatPaise(group.total_paise)}</span>
      {card && <span>Cards from {card.sender_name || 'an erased customer'}</span>}
    </p>
  );
}

/** How far the whole group is. */
function ProgressBar({ members }: { members: readonly GroupMember[] }) {
  const words = progressInWords(members);
  return (
    <div className={styles.progress}>
      <p role="status">{words}</p>
      <div className={styles.bar} aria-hidden="true">
        {sharesOf(members).map(({ status, count }) => (
          <span key={status} data-status={status.toLowerCase()} style={{ flexGrow: count }} />
        ))}
      </div>
    </div>
  );
}
