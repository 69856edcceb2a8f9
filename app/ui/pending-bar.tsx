import { useNavigation } from 'react-router';
import { useIsPending } from './pending.ts';
import styles from './pending-bar.module.css';

/**
 * Moves as soon as something was pressed that takes time: a navigation inside the shop, or work under `withPending`.
 * For full page loads a script in the head (mark-page-load.ts) sets `data-pending` on the document, which needs no React.
 */
export function PendingBar() {
  const { state } = useNavigation();
  const isPending = useIsPending() || state !== 'idle';
  return (
    <>
      <div className={styles.bar} data-pending={isPending || undefined} />
      <p className="visually-hidden" role="status">
        {isPending && 'Loading…'}
      </p>
    </>
  );
}
