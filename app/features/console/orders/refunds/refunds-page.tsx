import { useState } from 'react';
import { href } from 'react-router';
import { ButtonLink } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { listRefunds, type OpenRefund } from '#contracts/console/refunds.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { ConsolePage } from '../../frame/console-page.tsx';
import { Choice, Filters } from '../../list/list-filters.tsx';
import { ListPager } from '../../list/list-pager.tsx';
import { NotLoaded } from '../../list/not-loaded.tsx';
import { useUrlState } from '../../list/url-state.ts';
import { AgeGroups } from './age-groups.tsx';
import { FinishedRefunds } from './finished-refunds.tsx';
import { isFiltered, RefundState, refundQuestionOf, stateChoices } from './list-state.ts';
import { OpenRefunds } from './open-refunds.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { speedWords } from './refund-standing.ts';
import styles from './refunds-page.module.css';

/** Refunds that are not finished, those due first at the top, and those that were sent. */
export function RefundsPage() {
  const [state, set, hrefFor] = useUrlState(RefundState);
  const none = { age: '', state: '' } as const;
  return (
    <ConsolePage title="Refunds">
      <Tabs
        label="Refunds"
        items={[
          { to: href('/admin/orders'), title: 'All orders', isOpen: false },
          { to: hrefFor({ shown: 'open', ...none }), title: 'Refunds due', isOpen: state.shown === 'open' },
          { to: hrefFor({ shown: 'finished', ...none }), title: 'Sent refunds', isOpen: state.shown === 'finished' },
        ]}
      />
      <List state={state} set={set} hrefFor={hrefFor} />
    </ConsolePage>
  );
}

type ListProps = {
  state: RefundState;
  set(changes: Partial<RefundState>): void;
  hrefFor(changes: Partial<RefundState>): string;
};

function List({ state, set, hrefFor }: ListProps) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(
    listRefunds,
    refundQuestionOf(state),
  );
  const [recording, setRecording] = useState<OpenRefund | null>(null);
  // The other tab's rows while this one's are on their way.
  if (isPending || (isPlaceholderData && data.shown !== state.shown))
    return (
      <LoadingShape>
        <BlankPanel lines={2} />
        <BlankPanel lines={6} />
      </LoadingShape>
    );
  if (isLoadingError) return <NotLoaded first={state.after === '' ? null : hrefFor({})} retry={refetch} />;
  if (data.shown === 'finished') {
    const speed = speedWords(data.speed);
    return (
      <div className={styles.part}>
        {speed && <p className={styles.speed}>{speed}</p>}
        <FinishedRefunds rows={data.rows} isStale={isPlaceholderData} />
        <ListPager page={data} after={state.after} hrefFor={hrefFor} />
      </div>
    );
  }
  return (
    <div className={styles.part}>
      <AgeGroups groups={data.groups} age={state.age} hrefFor={hrefFor} />
      <Filters>
        <Choice
          label="State"
          value={state.state}
          options={stateChoices}
          onChange={(chosen) => set({ state: chosen })}
        />
      </Filters>
      <OpenRefunds
        rows={data.rows}
        isStale={isPlaceholderData}
        onRecord={setRecording}
        onChanged={refetch}
        empty={
          isFiltered(state) ? (
            <EmptyState
              title="No matching refunds."
              action={
                <ButtonLink size="small" to={hrefFor({ age: '', state: '' })} replace>
                  Clear filters
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState title="No refunds are due." text="Refunds appear here until the money is sent." />
          )
        }
      />
      <ListPager page={data} after={state.after} hrefFor={hrefFor} />
      <RecordDialog refund={recording} onClose={() => setRecording(null)} onRecorded={refetch} />
    </div>
  );
}
