import { type AwkwardCases, captureWishes, webhookWishes } from './test-payment.ts';
import styles from './test-payment-dialog.module.css';

export type AwkwardChoicesProps = { cases: AwkwardCases; disabled: boolean; onChange(cases: AwkwardCases): void };

/** What goes wrong with real payments, on demand. */
export function AwkwardChoices({ cases, disabled, onChange }: AwkwardChoicesProps) {
  const change = (part: Partial<AwkwardCases>) => onChange({ ...cases, ...part });
  return (
    <details className={styles.awkward}>
      <summary>Awkward cases</summary>
      <fieldset disabled={disabled}>
        <legend className="visually-hidden">How this payment goes</legend>
        <label>
          The provider tells the shop
          <select
            value={cases.webhook}
            onChange={(event) => change({ webhook: event.target.value as AwkwardCases['webhook'] })}
          >
            {Object.entries(webhookWishes).map(([wish, name]) => (
              <option key={wish} value={wish}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          The money is taken
          <select
            value={cases.capture}
            onChange={(event) => change({ capture: event.target.value as AwkwardCases['capture'] })}
          >
            {Object.entries(captureWishes).map(([wish, name]) => (
              <option key={wish} value={wish}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input type="checkbox" checked={cases.hang} onChange={(event) => change({ hang: event.target.checked })} />
          The answer never comes
        </label>
        <label>
          <input
            type="checkbox"
            checked={cases.refundFails}
            onChange={(event) => change({ refundFails: event.target.checked })}
          />
          A refund fails
        </label>
      </fieldset>
    </details>
  );
}
