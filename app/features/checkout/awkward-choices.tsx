import { type AwkwardCases, captureWishes, webhookWishes } from './test-payment.ts';
import styles from './test-payment-dialog.module.css';

export type AwkwardChoicesProps = { cases: AwkwardCases; disabled: boolean; onChange(cases: AwkwardCases): void };

/** What goes wrong with real payments, on demand. */
export function AwkwardChoices({ cases, disabled, onChange }: AwkwardChoicesProps) {
  const change = (part: Partial<AwkwardCases>) => onChange({ ...cases, ...part });
  return (
    <details className={styles.awkward}>
      <summary>Test scenarios</summary>
      <fieldset disabled={disabled}>
        <legend className="visually-hidden">Choose what happens</legend>
        <label>
          Payment notice to the shop
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
          Payment is captured
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
          No response to the browser
        </label>
        <label>
          <input
            type="checkbox"
            checked={cases.refundFails}
            onChange={(event) => change({ refundFails: event.target.checked })}
          />
          Refunds fail
        </label>
      </fieldset>
    </details>
  );
}
