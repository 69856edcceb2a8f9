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
        <Wish
          label="Payment notice to the shop"
          names={webhookWishes}
          value={cases.webhook}
          onChange={(webhook) => change({ webhook })}
        />
        <Wish
          label="Payment is captured"
          names={captureWishes}
          value={cases.capture}
          onChange={(capture) => change({ capture })}
        />
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

type WishProps<Name extends string> = {
  label: string;
  names: Record<Name, string>;
  value: Name;
  onChange(wish: Name): void;
};

function Wish<Name extends string>({ label, names, value, onChange }: WishProps<Name>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.target.value as Name)}>
        {Object.entries<string>(names).map(([wish, name]) => (
          <option key={wish} value={wish}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
