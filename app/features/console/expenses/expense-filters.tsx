import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { SearchField } from '#app/ui/search-field.tsx';
import { expenseCategories, paymentModes } from '#domain/expenses/expense.ts';
import { monthName, monthsUpTo } from '#domain/expenses/months.ts';
import { Choice, DayChoice, Filters } from '../list/list-filters.tsx';
import type { Vendor } from './expense-data.ts';
import { type FilterState, isFiltered, noFilter } from './filter-state.ts';

type Props = {
  state: FilterState;
  today: string;
  vendors: readonly Vendor[];
  set(changes: Partial<FilterState>): void;
};

export function ExpenseFilters({ state, today, vendors, set }: Props) {
  const hasDates = state.month === '' && (state.from !== '' || state.to !== '');
  const [wantsDates, setWantsDates] = useState(hasDates);
  const isByDates = state.month === '' && (wantsDates || hasDates);
  const months = monthsUpTo(today, 24);
  if (state.month && !months.includes(state.month)) months.push(state.month);

  function choosePeriod(period: string) {
    setWantsDates(period === 'dates');
    set({ month: period === 'dates' ? '' : period, from: '', to: '' });
  }

  return (
    <Filters>
      <SearchField
        label="Search expenses"
        placeholder="Description, vendor or amount"
        value={state.q}
        onSearch={(q) => set({ q })}
      />
      <Choice
        label="Period"
        value={isByDates ? 'dates' : state.month}
        options={[
          ['', 'All time'],
          ['dates', 'From … to …'],
          ...months.map((month) => [month, monthName(month)] as const),
        ]}
        onChange={choosePeriod}
      />
      {isByDates && (
        <>
          <DayChoice label="From" value={state.from} onChange={(from) => set({ from })} />
          <DayChoice label="To" value={state.to} onChange={(to) => set({ to })} />
        </>
      )}
      <Choice
        label="Category"
        value={state.category}
        options={[['', 'All categories'], ...expenseCategories.map((name) => [name, name] as const)]}
        onChange={(category) => set({ category: category })}
      />
      <Choice
        label="Vendor"
        value={state.vendor}
        options={[['', 'All vendors'], ...vendors.map(({ id, name }) => [String(id), name] as const)]}
        onChange={(vendor) => set({ vendor })}
      />
      <Choice
        label="Payment mode"
        value={state.mode}
        options={[['', 'Any payment mode'], ...paymentModes.map((name) => [name, name] as const)]}
        onChange={(mode) => set({ mode: mode })}
      />
      <Choice
        label="Receipt"
        value={state.receipt}
        options={[
          ['', 'With or without receipt'],
          ['with', 'With receipt'],
          ['without', 'Without receipt'],
        ]}
        onChange={(receipt) => set({ receipt: receipt })}
      />
      {isFiltered(state) && (
        <button
          type="button"
          className={buttons.small}
          onClick={() => {
            setWantsDates(false);
            set(noFilter);
          }}
        >
          Clear filters
        </button>
      )}
    </Filters>
  );
}
