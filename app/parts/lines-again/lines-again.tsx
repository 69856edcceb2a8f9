import { formatGrams } from '#domain/catalog/weight.ts';
import type { LineAgain } from '#domain/gifts/send-again.ts';
import styles from './lines-again.module.css';

type LinesAgainProps = {
  lines: readonly LineAgain[];
  /** What is different today, a sentence each. */
  changes: readonly string[];
  /** In place of the changes, where there are none. */
  unchanged: string;
};

/** Items from earlier before they go into the cart once more: what is left out is struck through, and what changed is said. */
export function LinesAgain({ lines, changes, unchanged }: LinesAgainProps) {
  return (
    <>
      <ul className={styles.lines} aria-label="Items">
        {lines.map((line) => (
          <li
            key={`${line.productId} ${line.sizeGrams} ${line.name} ${JSON.stringify(line.box)}`}
            data-left-out={line.state !== 'available' || undefined}
          >
            {inWords(line)}
            {line.state !== 'available' && <span className="visually-hidden"> (left out)</span>}
          </li>
        ))}
      </ul>
      {changes.length > 0 ? (
        <div className={styles.changes}>
          <h3>What changed</h3>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ) : (
        <p className={styles.soft}>{unchanged}</p>
      )}
    </>
  );
}

const inWords = ({ name, sizeGrams, quantity }: LineAgain) =>
  `${name}${sizeGrams === null ? '' : `, ${formatGrams(sizeGrams)}`} × ${quantity}`;
