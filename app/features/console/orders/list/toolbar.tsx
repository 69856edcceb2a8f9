import { Link } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Select } from '#app/ui/select.tsx';
import { type Chip, chipsOf, type ListState } from './order-filter.ts';
import styles from './toolbar.module.css';

const sortWords: [ListState['sort'], string][] = [
  ['-placed', 'Newest first'],
  ['placed', 'Oldest first'],
  ['-age', 'Waiting longest'],
  ['age', 'Recently updated'],
  ['pack', 'Packing day (chosen days)'],
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
      <Button size="small" aria-expanded={isFilterOpen} onClick={onFilter}>
        Filters{chips.length > 0 && ` (${chips.length})`}
      </Button>
      <Select
        isSmall
        aria-label="Sort"
        value={state.sort}
        options={sortWords.map(([value, label]) => ({ value, label }))}
        onChange={(sort) => set({ sort })}
      />
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
