import buttons from '#app/ui/button.module.css';
import { Badge } from '#app/ui/panel.tsx';
import type { Caller } from '#contracts/console/phone-orders.ts';
import styles from './known-callers.module.css';
import { addressInShort } from './new-order-data.ts';

export type KnownCallersProps = {
  callers: readonly Caller[];
  chosen: Caller | null;
  onChoose(caller: Caller | null): void;
};

/** Who has called from this number before. */
export function KnownCallers({ callers, chosen, onChoose }: KnownCallersProps) {
  if (callers.length === 0) return null;
  return (
    <section className={styles.callers} aria-label="Existing customers with this number">
      {callers.map((caller) => (
        <div key={caller.user_id ?? caller.name} data-chosen={caller === chosen || undefined}>
          <p>
            <strong>{caller.name}</strong> · {caller.orders === 1 ? '1 order' : `${caller.orders} orders`}{' '}
            {caller.is_blocked && <Badge tone="bad">Blocked</Badge>}
          </p>
          <p className={styles.address}>{addressInShort(caller)}</p>
          {caller.notes && <p className={styles.notes}>{caller.notes}</p>}
          {caller === chosen ? (
            <button type="button" className={buttons.small} onClick={() => onChoose(null)}>
              Someone else
            </button>
          ) : (
            <button type="button" className={buttons.small} onClick={() => onChoose(caller)}>
              Use {caller.name}
            </button>
          )}
        </div>
      ))}
    </section>
  );
}
