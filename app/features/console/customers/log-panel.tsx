import { Failed, Loading, Panel } from '#app/ui/panel.tsx';
import { readLog } from '#contracts/console/log.ts';
import { useAnswer } from '../data/requests.ts';
import { LogEntries } from '../log/log-entries.tsx';
import styles from './customer-page.module.css';

/** What administrators changed about this customer. */
export function LogPanel({ customerId }: { customerId: string }) {
  const { loaded, reload } = useAnswer(readLog, { customer_id: customerId });
  return (
    <Panel title="Changes">
      {loaded.state === 'loading' && <Loading rows={2} />}
      {loaded.state === 'failed' && <Failed retry={reload} />}
      {loaded.state === 'ready' &&
        (loaded.value.rows.length === 0 ? (
          <p className={styles.none}>No changes yet.</p>
        ) : (
          <LogEntries entries={loaded.value.rows} />
        ))}
    </Panel>
  );
}
