import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { SearchField } from '#app/ui/search-field.tsx';
import { categoryOptions, useCategories } from '../data/categories.tsx';
import { Choice, Filters } from '../list/list-filters.tsx';
import { isFiltered, type ListState, sorts, states, stocks } from './list-state.ts';
import styles from './product-filters.module.css';

type Props = { state: ListState; set(changes: Partial<ListState>): void; hrefFor(changes: Partial<ListState>): string };

export function ProductFilters({ state, set, hrefFor }: Props) {
  const { names } = useCategories();
  return (
    <Filters>
      <SearchField label="Search products" placeholder="Name or number" value={state.q} onSearch={(q) => set({ q })} />
      <Choice
        label="Category"
        value={state.category}
        options={[['', 'All categories'], ...categoryOptions(names, state.category)]}
        onChange={(category) => set({ category })}
      />
      <Choice
        label="Status"
        value={state.state}
        options={Object.entries(states)}
        onChange={(value) => set({ state: value as ListState['state'] })}
      />
      <Choice
        label="Stock"
        value={state.stock}
        options={Object.entries(stocks)}
        onChange={(value) => set({ stock: value as ListState['stock'] })}
      />
      <Choice
        label="Sort by"
        value={`${state.sort} ${state.order}`}
        options={Object.entries(sorts)}
        onChange={(value) => {
          const [sort, order] = value.split(' ') as [ListState['sort'], ListState['order']];
          set({ sort, order });
        }}
      />
      {isFiltered(state) && (
        <button
          type="button"
          className={buttons.small}
          onClick={() => set({ q: '', category: '', state: 'current', stock: 'any' })}
        >
          Clear filters
        </button>
      )}
      <nav className={styles.view} aria-label="View">
        {(['list', 'grid'] as const).map((view) => (
          <Link
            key={view}
            to={hrefFor({ view, after: state.after })}
            aria-current={state.view === view ? 'true' : undefined}
            replace
            preventScrollReset
          >
            {view === 'list' ? 'List' : 'Grid'}
          </Link>
        ))}
      </nav>
    </Filters>
  );
}
