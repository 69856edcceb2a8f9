import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { Panel } from '#app/ui/panel.tsx';
import { useCategories } from '../data/categories.tsx';
import styles from './count.module.css';
import type { CountChoice } from './count-state.ts';

/** What is counted, and how. */
export function CountStart({ onStart }: { onStart(choice: CountChoice): void }) {
  const { names } = useCategories();
  const [category, setCategory] = useState('');
  const [isBlind, setBlind] = useState(true);
  const [withSold, setWithSold] = useState(true);
  return (
    <Panel>
      <form
        className={styles.start}
        onSubmit={(event) => {
          event.preventDefault();
          onStart({ category: category || null, isBlind, withSold });
        }}
      >
        <label className={styles.choose}>
          Category
          <select value={category} onChange={(event) => setCategory(event.target.value)}>
            <option value="">All products</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>While counting</legend>
          <Choice name="blind" checked={isBlind} onChoose={() => setBlind(true)} title="Blind count">
            System stock is hidden while counting.
          </Choice>
          <Choice name="blind" checked={!isBlind} onChoose={() => setBlind(false)} title="Show system stock">
            Quicker for a simple check.
          </Choice>
        </fieldset>
        <fieldset>
          <legend>Sold but not packed yet</legend>
          <Choice
            name="sold"
            checked={withSold}
            onChoose={() => setWithSold(true)}
            title="It is on the shelf: count it too"
          >
            It is no longer in the system stock and is subtracted automatically.
          </Choice>
          <Choice
            name="sold"
            checked={!withSold}
            onChoose={() => setWithSold(false)}
            title="It is set aside: leave it out"
          >
            Or it is made only when packed.
          </Choice>
        </fieldset>
        <p className={styles.hint}>
          You can keep selling: each number is compared with the system stock at the moment you enter it. The count
          stays on this device until you save it.
        </p>
        <button type="submit" className={buttons.main}>
          Start count
        </button>
      </form>
    </Panel>
  );
}

type ChoiceProps = { name: string; checked: boolean; title: string; onChoose(): void; children: string };

function Choice({ name, checked, title, onChoose, children }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input type="radio" name={name} checked={checked} onChange={onChoose} />
      <span>
        {title}
        <small>{children}</small>
      </span>
    </label>
  );
}
