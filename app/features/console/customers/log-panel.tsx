import { FailedState } from '#app/ui/empty-state.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { readLog } from '#contracts/console/log.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { LogEntries } from '../log/log-entries.tsx';
import styles from './customer-page.module.css';

/** What administrators changed about this customer. */
export function LogPanel({ customerId }: { customerId: string }) {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readLog, { customer_id: customerId });
  return (
    <Panel title="Changes">
      {isPending && <Loading rows={2} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined &&
        (data.rows.length === 0 ? <p className={styles.none}>No changes yet.</p> : <LogEntries entries={data.rows} />)}
    </Panel>
  );
}
