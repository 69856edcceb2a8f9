import { Button } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import type { PrintedOrder } from '#contracts/console/order.ts';
import { z } from '#contracts/z.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { useShortcut } from '../../frame/shortcuts.tsx';
import { useUrlState } from '../../list/url-state.ts';
import { AddressLabel } from './address-label.tsx';
import { CardPaper, GiftCards } from './gift-cards.tsx';
import { PackingSlip } from './packing-slip.tsx';
import styles from './print-page.module.css';
import { mostPrinted, usePrinted } from './use-printed.ts';

const State = z.object({
  ids: z.string().catch('').default(''),
  /** Instead of ids: all of a group order, a part of a hundred at a time. */
  group: z.string().catch('').default(''),
  part: z
    .string()
    .regex(/^[1-9]$/)
    .catch('1')
    .default('1'),
  doc: z.enum(['slip', 'label', 'card']).catch('slip').default('slip'),
  /** Of cards: four to a sheet of A4, or each on a sheet of its own size; empty: one alone on its own, more on A4. */
  paper: z.enum(['', 'a4', 'a6']).catch('').default(''),
});

/** Packing slips or labels of several orders, one to a page. */
export function PrintPage() {
  const [{ ids, group, part, doc, ...state }, , hrefFor] = useUrlState(State);
  const printing = usePrinted({ ids, group, part: Number(part) });
  const { wanted, parts, data, isPending, isLoadingError, refetch } = printing;
  useShortcut('p', 'Print', () => window.print());
  const orders = data?.orders ?? [];
  // Pick-up orders need no label, and only gifts have a card.
  const printed = orders.filter(
    ({ fulfilment, gift }) => doc === 'slip' || (doc === 'label' ? fulfilment === 'delivery' : gift !== null),
  );
  const paper = state.paper || (printed.length === 1 ? 'a6' : 'a4');
  const hasGifts = orders.some(({ gift }) => gift !== null);

  return (
    <ConsolePage
      title={titles[doc]}
      back={printing.back}
      actions={
        printed.length > 0 && (
          <Button variant="primary" onClick={() => window.print()}>
            Print {printed.length === 1 ? '' : `all ${printed.length}`}
          </Button>
        )
      }
    >
      <Tabs
        label="What to print"
        items={[
          { to: hrefFor({ doc: 'slip' }), title: 'Packing slips', isOpen: doc === 'slip' },
          { to: hrefFor({ doc: 'label' }), title: 'Address labels', isOpen: doc === 'label' },
          ...(hasGifts || doc === 'card'
            ? [{ to: hrefFor({ doc: 'card' }), title: 'Gift cards', isOpen: doc === 'card' }]
            : []),
        ]}
      />
      {parts > 1 && (
        <Tabs
          label="Part"
          items={Array.from({ length: parts }, (_, place) => ({
            to: hrefFor({ part: String(place + 1) }),
            title: `Part ${place + 1} of ${parts}`,
            isOpen: Number(part) === place + 1,
          }))}
        />
      )}
      {isLoadingError ? (
        <FailedState retry={refetch} />
      ) : isPending ? (
        <Loading />
      ) : wanted.length === 0 || !data ? (
        <EmptyState title="Nothing to print" text="Select orders in the list first." />
      ) : printed.length === 0 ? (
        <EmptyState
          title="Nothing to print"
          text={orders.length > 0 ? withoutSheet[doc] : 'These orders could not be found.'}
        />
      ) : (
        <>
          <Notes printed={printed} orders={orders} asked={wanted.length} doc={doc} isCut={printing.isCut} />
          {doc === 'card' && (
            <CardPaper paper={paper} count={printed.length} hrefFor={(chosen) => hrefFor({ paper: chosen })} />
          )}
          <div className={doc === 'slip' ? styles.slips : styles.labels}>
            {doc === 'card' && <GiftCards orders={printed} shop={data.shop} paper={paper} />}
            {doc === 'label' && printed.map((order) => <AddressLabel key={order.id} order={order} shop={data.shop} />)}
            {doc === 'slip' && printed.map((order) => <PackingSlip key={order.id} order={order} shop={data.shop} />)}
          </div>
        </>
      )}
    </ConsolePage>
  );
}

type Doc = z.infer<typeof State>['doc'];
const titles: Record<Doc, string> = { slip: 'Packing slips', label: 'Address labels', card: 'Gift cards' };
const withoutSheet: Record<Doc, string> = {
  slip: '',
  label: 'Pick-up orders need no label.',
  card: 'None of these orders is a gift.',
};

type NotesProps = { doc: Doc; printed: PrintedOrder[]; orders: PrintedOrder[]; asked: number; isCut: boolean };

function Notes({ doc, printed, orders, asked, isCut }: NotesProps) {
  const notes = [
    isCut && `Only the first ${mostPrinted} are shown. Print the rest separately.`,
    orders.length < asked && `${asked - orders.length} could not be found.`,
    doc === 'label' &&
      printed.length < orders.length &&
      `${orders.length - printed.length} for pick-up, without a label.`,
  ].filter((note) => note !== false);
  return notes.length > 0 && <p className={styles.note}>{notes.join(' ')}</p>;
}
