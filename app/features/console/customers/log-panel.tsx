import { Failed, Loading, Panel } from '#app/ui/panel.tsx';
import { LogPage } from '../log-data.ts';
import { LogEntries } from '../log-entries.tsx';
import { useAnswer } from '../requests.ts';
import styles from './customer-page.module.css';

/** What administrators changed about this customer. */
export function LogPanel({ customerId }: { customerId: string }) {
  const { loaded, reload } = useAnswer('admin_read_log', { customer_id: customerId }, LogPage);
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
