import { useState } from 'react';
import { Badge, type Tone } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { listOffers, type OfferRow, stopOffer } from '#contracts/console/offers.ts';
import { formatPaise } from '#domain/money.ts';
import { conditionsOf, datesOf, whatItGives } from '#domain/offers/offer-words.ts';
import { useRequests } from '../data/requests.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import styles from './offers-page.module.css';

const states: Record<OfferRow['state'], [title: string, tone: Tone]> = {
  running: ['Running', 'good'],
  planned: ['Planned', 'waiting'],
  stopped: ['Stopped', 'bad'],
  ended: ['Ended', 'calm'],
  'used-up': ['Used up', 'warn'],
};

/** Codes and automatic offers: what they give, what they cost, and stopping them. */
export function OffersPage() {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(listOffers, {});
  const { act } = useRequests();
  const [subject, setSubject] = useState<OfferRow | 'new' | null>(null);

  async function stop(offer: OfferRow, isStopped: boolean) {
    const outcome = await act(stopOffer, { offer_id: offer.id, is_stopped: isStopped, seen: offer.updated_at });
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', isStopped ? `${offer.name} is stopped.` : `${offer.name} runs again.`);
    await refetch();
  }

  const offers = data?.offers ?? [];
  const sum = (of: (offer: OfferRow) => number) => offers.reduce((total, offer) => total + of(offer), 0);
  return (
    <ConsolePage
      title="Offers"
      actions={
        <Button variant="primary" onClick={() => setSubject('new')}>
          New offer
        </Button>
      }
    >
      {isPending ? (
        <Loading />
      ) : isLoadingError ? (
        <FailedState retry={refetch} />
      ) : (
        <Panel>
          {offers.length > 0 && (
            <dl className={styles.figures}>
              <Figure label="Running now" value={offers.filter(({ state }) => state === 'running').length} />
              <Figure label="Uses" value={sum(({ uses }) => uses).toLocaleString('en-IN')} />
              <Figure label="Discounts" value={formatPaise(sum(({ discount_paise }) => discount_paise))} />
              <Figure label="Delivery not charged" value={formatPaise(sum(({ shipping_paise }) => shipping_paise))} />
            </dl>
          )}
          <DataTable<OfferRow>
            caption="Offers"
            rows={offers}
            rowKey={({ id }) => String(id)}
            rowLabel={({ name }) => name}
            columns={[
              {
                key: 'name',
                title: 'Offer',
                cell: (offer) => (
                  <button type="button" className={styles.name} onClick={() => setSubject(offer)}>
                    {offer.name}
                    <small>{offer.code ?? 'Automatic'}</small>
                  </button>
                ),
              },
              { key: 'gives', title: 'Gives', cell: (offer) => <Gives offer={offer} /> },
              {
                key: 'dates',
                title: 'When',
                hideOnTablet: true,
                cell: ({ from_day, until_day }) => datesOf(from_day, until_day),
              },
              { key: 'uses', title: 'Uses', align: 'end', cell: usesOf },
              { key: 'cost', title: 'Cost', align: 'end', cell: costOf },
              {
                key: 'sales',
                title: 'Sales with it',
                align: 'end',
                hideOnTablet: true,
                cell: ({ sales_paise }) => formatPaise(sales_paise),
              },
              {
                key: 'state',
                title: 'Status',
                cell: ({ state }) => <Badge tone={states[state][1]}>{states[state][0]}</Badge>,
              },
              {
                key: 'stop',
                title: 'Change',
                cell: (offer) => <Stop offer={offer} onStop={stop} />,
              },
            ]}
            empty={
              <EmptyState
                title="No offers yet."
                text="Make a code to send to your customers, or free delivery above an amount."
              />
            }
          />
        </Panel>
      )}
      <OfferDialog
        subject={subject}
        categories={data?.categories ?? []}
        onClose={() => setSubject(null)}
        onChange={refetch}
      />
    </ConsolePage>
  );
}

function Figure({ label, value }: { label: string; value: string | number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Gives({ offer }: { offer: OfferRow }) {
  const { kind, percent, amount_paise, max_discount_paise } = offer;
  const conditions = conditionsOf({
    minOrderPaise: offer.min_order_paise,
    categories: offer.categories,
    isFirstOrderOnly: offer.is_first_order_only,
    maxUsesPerCustomer: offer.max_uses_per_customer,
    combines: offer.combines,
  });
  return (
    <span className={styles.gives}>
      {whatItGives({ kind, percent, amountPaise: amount_paise, maxDiscountPaise: max_discount_paise })}
      {conditions.length > 0 && <small>{conditions.join(' · ')}</small>}
    </span>
  );
}

const usesOf = ({ uses, reserved, max_uses }: OfferRow) => (
  <span className={styles.amount}>
    {max_uses === null
      ? uses.toLocaleString('en-IN')
      : `${uses.toLocaleString('en-IN')} of ${max_uses.toLocaleString('en-IN')}`}
    {reserved > 0 && <small>{reserved} being paid</small>}
  </span>
);

const costOf = ({ cost_paise, budget_paise }: OfferRow) => (
  <span className={styles.amount}>
    {formatPaise(cost_paise)}
    {budget_paise !== null && <small>of {formatPaise(budget_paise)}</small>}
  </span>
);

function Stop({ offer, onStop }: { offer: OfferRow; onStop(offer: OfferRow, isStopped: boolean): void }) {
  if (offer.state === 'stopped')
    return (
      <Button size="small" aria-label={`Resume ${offer.name}`} onClick={() => onStop(offer, false)}>
        Resume
      </Button>
    );
  if (offer.state === 'ended') return null;
  return (
    <Button
      size="small"
      variant="outlined-danger"
      aria-label={`Stop ${offer.name}`}
      onClick={() => onStop(offer, true)}
    >
      Stop
    </Button>
  );
}
