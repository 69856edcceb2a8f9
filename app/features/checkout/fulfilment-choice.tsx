import { RadioPill } from '#app/ui/radio-pill.tsx';
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
        <RadioPill
          key={fulfilment}
          name="fulfilment"
          value={fulfilment}
          label={name}
          isChosen={chosen === fulfilment}
          onChoose={() => onChange(fulfilment)}
        />
      ))}
    </fieldset>
  );
}
