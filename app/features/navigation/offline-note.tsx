import { useSyncExternalStore } from 'react';
import styles from './offline-note.module.css';

function subscribe(listener: () => void): () => void {
  for (const event of ['online', 'offline']) window.addEventListener(event, listener);
  return () => {
    for (const event of ['online', 'offline']) window.removeEventListener(event, listener);
  };
}

/** Tells a visitor without a network what still works. The region is always there, so that screen readers announce it. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <p role="status" className={styles.note}>
      {!isOnline && 'You’re offline. You can look around and change your cart; buying works again once you’re online.'}
    </p>
  );
}
