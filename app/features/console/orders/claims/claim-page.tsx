import { useState } from 'react';
import { href, Link } from 'react-router';
import { ClaimPhotos } from '#app/parts/claim-photos/claim-photos.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { FormDialog } from '#app/ui/form-dialog.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Facts, Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { acknowledgeClaim, type Claim, deliverReplacement, readClaim } from '#contracts/console/claims.ts';
import { problemLabels } from '#domain/claims/claim.ts';
import { formatPaise } from '#domain/money.ts';
import { formatDate } from '#domain/time.ts';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { StatusChip } from '../../order-status/status-chip.tsx';
import { dialogTitleId } from '../detail/action-dialog.tsx';
import { isOrderId } from '../order-id.ts';
import { moment } from '../order-words.ts';
import { ClaimAnswers } from './claim-answers.tsx';
import styles from './claim-page.module.css';
import { decisionWords, eventTitle, nextStep, whoDid } from './claim-words.ts';
import { RefundForm, RefuseForm, ReplaceForm, SendForm } from './decision-forms.tsx';

const back = { to: href('/admin/orders/claims'), label: 'Claims' };

export function ClaimPage({ claimId }: { claimId: string }) {
  const isKnown = isOrderId(claimId);
  const { data, isLoadingError, refetch } = useShopQuery(readClaim, isKnown ? { claim_id: claimId } : null);
  if (!isKnown || data === null)
    return (
      <ConsolePage title="Claim not found" back={back}>
        <EmptyState title="We can’t find this claim." text="The link may be incomplete. Look for it in the list." />
      </ConsolePage>
    );
  if (data && data.id === claimId.toLowerCase()) return <OneClaim claim={data} reload={refetch} />;
  return (
    <ConsolePage title="Claim" back={back}>
      {isLoadingError ? (
        <FailedState retry={refetch} />
      ) : (
        <LoadingShape>
          <BlankPanel lines={5} />
          <BlankPanel lines={8} />
        </LoadingShape>
      )}
    </ConsolePage>
  );
}

type Asked = 'refund' | 'replace' | 'refuse' | 'send';

function OneClaim({ claim, reload }: { claim: Claim; reload(): unknown }) {
  const { act } = useRequests();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [busy, setBusy] = useState(false);
  const { word, due, tone } = nextStep(claim, new Date());
  const canDecide = claim.state !== 'decided' || claim.decision === 'refusal';
  const close = () => setAsked(null);
  const forms = {
    claim,
    onClose: close,
    onDone(message: string) {
      toast('success', message);
      reload();
      close();
    },
  };

  async function at(contract: typeof acknowledgeClaim | typeof deliverReplacement, done: string) {
    if (busy) return;
    setBusy(true);
    const outcome = await act(contract, { claim_id: claim.id, seen: claim.updated_at });
    setBusy(false);
    if (outcome.ok) toast('success', done);
    else toast('error', outcome.message);
    reload();
  }

  return (
    <ConsolePage title={`Claim ${claim.ticket}`} back={back}>
      <p className={styles.state}>
        <Badge tone={tone}>{word}</Badge>
        {due && <span data-overdue={claim.is_overdue || undefined}>{due}</span>}
      </p>
      <div className={styles.claim}>
        <div className={styles.main}>
          <Panel title="What was reported">
            <Reported claim={claim} />
            <div className={styles.photos}>
              {claim.photo_list.length > 0 ? <ClaimPhotos photos={claim.photo_list} /> : <p>No photos.</p>}
            </div>
            <div className={styles.actions}>
              {claim.state === 'received' && (
                <Button isBusy={busy} onClick={() => at(acknowledgeClaim, 'Claim acknowledged.')}>
                  Acknowledge
                </Button>
              )}
              {canDecide && (
                <>
                  <Button variant="primary" aria-haspopup="dialog" onClick={() => setAsked('refund')}>
                    Refund
                  </Button>
                  <Button aria-haspopup="dialog" onClick={() => setAsked('replace')}>
                    Send replacement
                  </Button>
                </>
              )}
              {claim.state !== 'decided' && (
                <Button variant="outlined-danger" aria-haspopup="dialog" onClick={() => setAsked('refuse')}>
                  Refuse
                </Button>
              )}
              {claim.replacement?.state === 'to-send' && (
                <Button variant="primary" aria-haspopup="dialog" onClick={() => setAsked('send')}>
                  Mark as sent
                </Button>
              )}
              {claim.replacement?.state === 'sent' && (
                <Button isBusy={busy} onClick={() => at(deliverReplacement, 'Replacement marked as delivered.')}>
                  Mark as delivered
                </Button>
              )}
            </div>
          </Panel>
          <ClaimAnswers claim={claim} reload={reload} />
        </div>
        <div className={styles.side}>
          <Clocks claim={claim} />
          {claim.decision && claim.decision !== 'refusal' && <Given claim={claim} />}
          <OrderBeside claim={claim} />
          <History claim={claim} />
        </div>
      </div>
      <FormDialog open={asked !== null} onClose={close} labelledBy={dialogTitleId}>
        {asked === 'refund' && <RefundForm {...forms} />}
        {asked === 'replace' && <ReplaceForm {...forms} />}
        {asked === 'refuse' && <RefuseForm {...forms} />}
        {asked === 'send' && <SendForm {...forms} />}
      </FormDialog>
    </ConsolePage>
  );
}

function Reported({ claim }: { claim: Claim }) {
  return (
    <ul className={styles.reported} aria-label="Items">
      {claim.claimed.map(({ order_item_id, name, size, ordered, quantity, problem, line_paise, image }) => (
        <li key={order_item_id}>
          {image && <img src={image} alt="" width={56} height={56} loading="lazy" />}
          <div>
            <b>
              {quantity} of {ordered} × {name}
            </b>
            <small>
              {size !== null && `${size === 1000 ? '1 kg' : `${size} g`} · `}
              {line_paise !== null && `${formatPaise(line_paise)} for ${ordered}, with tax`}
            </small>
          </div>
          <Badge tone="warn">{problemLabels[problem]}</Badge>
        </li>
      ))}
    </ul>
  );
}

function Clocks({ claim }: { claim: Claim }) {
  return (
    <Panel title="Clock">
      <Facts
        items={[
          ['Received', moment(claim.opened_at)],
          claim.acknowledged_at
            ? ['Acknowledged', moment(claim.acknowledged_at)]
            : ['Acknowledge by', moment(claim.acknowledge_by)],
          claim.decided_at ? ['Decided', moment(claim.decided_at)] : ['Decide by', formatDate(claim.decide_by)],
          ...(claim.settle_by
            ? ([[claim.decision === 'refund' ? 'Refund by' : 'Send by', formatDate(claim.settle_by)]] as const)
            : []),
        ]}
      />
    </Panel>
  );
}

const refundStates = { queued: 'queued', pending: 'with the bank', processed: 'refunded', failed: 'failed' };

function Given({ claim }: { claim: Claim }) {
  const nameOf = (item: number | null) =>
    item === null ? 'Shipping' : (claim.claimed.find(({ order_item_id }) => order_item_id === item)?.name ?? 'Item');
  const { replacement } = claim;
  return (
    <Panel title={replacement ? 'Replacement' : 'Refund'}>
      <Facts
        items={
          replacement
            ? [
                ...replacement.items.map(
                  ({ order_item_id, quantity }) => [nameOf(order_item_id), `${quantity}, at no charge`] as const,
                ),
                ['State', { 'to-send': 'To send', sent: 'Sent', delivered: 'Delivered' }[replacement.state]] as const,
                ...(replacement.courier || replacement.tracking_number
                  ? [
                      [
                        'Courier',
                        [replacement.courier, replacement.tracking_number].filter(Boolean).join(', '),
                      ] as const,
                    ]
                  : []),
              ]
            : claim.refunds.map(
                ({ order_item_id, quantity, amount_paise, status }) =>
                  [
                    `${quantity === null ? '' : `${quantity} × `}${nameOf(order_item_id)}`,
                    `${formatPaise(amount_paise)}, ${refundStates[status]}`,
                  ] as const,
              )
        }
      />
    </Panel>
  );
}

function OrderBeside({ claim }: { claim: Claim }) {
  const { order, money } = claim;
  return (
    <Panel
      title={`Order ${claim.order_number}`}
      actions={<Link to={href('/admin/orders/:id', { id: claim.order_id })}>Open order</Link>}
    >
      <p className={styles.status}>
        <StatusChip status={order.status} />
      </p>
      <Facts
        items={[
          ['Customer', claim.customer],
          ['Phone', order.phone || 'None'],
          ...(order.email ? ([['Email', order.email]] as const) : []),
          ['Sent to', `${order.city} ${order.zip}`.trim() || 'Pick-up'],
          ['Placed', moment(order.placed_at)],
          order.delivered_at
            ? [order.fulfilment === 'pickup' ? 'Collected' : 'Delivered', moment(order.delivered_at)]
            : ['Promised', order.delivery_by ? formatDate(order.delivery_by) : 'No day'],
          ['Total', formatPaise(order.total_paise)],
          ['Can be refunded', formatPaise(money.refundable_paise)],
        ]}
      />
      {claim.others.length > 0 && (
        <p className={styles.others}>
          Other claims:{' '}
          {claim.others.map(({ id, ticket, decision }) => (
            <Link key={id} to={href('/admin/orders/claims/:id', { id })}>
              {ticket} ({decision ? decisionWords[decision].toLowerCase() : 'open'}){' '}
            </Link>
          ))}
        </p>
      )}
    </Panel>
  );
}

function History({ claim }: { claim: Claim }) {
  return (
    <Panel title="History">
      <ol className={styles.history}>
        {[...claim.history].reverse().map((event) => (
          <li key={event.id}>
            <b>{eventTitle(event).replace(/^Claim \S+: (.)/, (_, first: string) => first.toUpperCase())}</b>
            <small>
              {whoDid(event)} · {moment(event.at)}
            </small>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
