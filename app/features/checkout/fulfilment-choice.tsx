import type { Fulfilment } from '#domain/orders/status.ts';
import styles from './checkout-section.module.css';

const names: [Fulfilment, string][] = [
  ['delivery', 'Deliver'],
  ['pickup', 'Pick up at the counter'],
];

export function FulfilmentChoice({ chosen, onChange }: { chosen: Fulfilment; onChange(chosen: Fulfilment): void }) {
  return (
    <fieldset className={styles.fulfilment}>
      <legend className="visually-hidden">Delivery or pick-up</legend>
      {names.map(([fulfilment, name]) => (
        <label key={fulfilment}>
          <input type="radio" name="fulfilment" checked={chosen === fulfilment} onChange={() => onChange(fulfilment)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
