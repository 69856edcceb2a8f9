import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { SearchField } from '#app/ui/search-field.tsx';
import { type Chip, chipsOf, type ListState } from './order-filter.ts';
import styles from './toolbar.module.css';

const sortWords: [ListState['sort'], string][] = [
  ['-placed', 'Newest first'],
  ['placed', 'Oldest first'],
  ['-age', 'Waiting longest'],
  ['age', 'Recently updated'],
  ['-total', 'Highest total'],
  ['total', 'Lowest total'],
  ['-number', 'Highest number'],
  ['number', 'Lowest number'],
];

export type ToolbarProps = {
  state: ListState;
  set(changes: Partial<ListState>): void;
  hrefFor(changes: Partial<ListState>): string;
  isFilterOpen: boolean;
  onFilter(): void;
};

export function Toolbar({ state, set, hrefFor, isFilterOpen, onFilter }: ToolbarProps) {
  const chips = chipsOf(state);
  return (
    <div className={styles.toolbar}>
      <SearchField
        label="Search orders"
        placeholder="Number, name, phone, city, invoice, tracking…"
        value={state.q}
        onSearch={(q) => set({ q })}
      />
      <button type="button" className={buttons.small} aria-expanded={isFilterOpen} onClick={onFilter}>
        Filters{chips.length > 0 && ` (${chips.length})`}
      </button>
      <label className={styles.sort}>
        <span className="visually-hidden">Sort</span>
        <select value={state.sort} onChange={(event) => set({ sort: event.target.value as ListState['sort'] })}>
          {sortWords.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {chips.length > 0 && <Chips chips={chips} hrefFor={hrefFor} />}
    </div>
  );
}

function Chips({ chips, hrefFor }: { chips: Chip[]; hrefFor: ToolbarProps['hrefFor'] }) {
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {chips.map(({ name, label }) => (
        <li key={name}>
          <Link to={hrefFor({ [name]: '' })} replace preventScrollReset aria-label={`Remove filter: ${label}`}>
            {label} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
