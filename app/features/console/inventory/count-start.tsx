import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { Panel } from '#app/ui/panel.tsx';
import { useCategories } from '../categories.tsx';
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
          Which shelf
          <select value={category} onChange={(event) => setCategory(event.target.value)}>
            <option value="">All of it</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <fieldset>
          <legend>While counting</legend>
          <Choice name="blind" checked={isBlind} onChoose={() => setBlind(true)} title="Count blind">
            The number of the books is not shown, so that nobody counts towards it.
          </Choice>
          <Choice name="blind" checked={!isBlind} onChoose={() => setBlind(false)} title="Show what the books say">
            Quicker, where it is only checked.
          </Choice>
        </fieldset>
        <fieldset>
          <legend>What is sold and not yet packed</legend>
          <Choice
            name="sold"
            checked={withSold}
            onChoose={() => setWithSold(true)}
            title="lies on the shelf: count it too"
          >
            It is no longer in the books, and is taken off by itself.
          </Choice>
          <Choice
            name="sold"
            checked={!withSold}
            onChoose={() => setWithSold(false)}
            title="is put aside: leave it out"
          >
            Or is made only when it is packed.
          </Choice>
        </fieldset>
        <p className={styles.hint}>
          You can go on selling: each number is compared with the books of the moment it was written down. The count is
          kept on this device until you book it.
        </p>
        <button type="submit" className={buttons.main}>
          Begin
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
