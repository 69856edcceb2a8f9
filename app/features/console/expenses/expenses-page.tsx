import { useCallback, useMemo, useState } from 'react';
import { href } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { type DueExpense, type Expense, listDueExpenses, listExpenses } from '#contracts/console/expenses.ts';
import { formatPaise } from '#domain/money.ts';
import { calendarDay } from '#domain/time.ts';
import { csvRequest } from '../data/download.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { DownloadButton } from '../list/download-button.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { cursorFromText, useUrlState } from '../list/url-state.ts';
import { DueExpenses as DuePanel } from './due-expenses.tsx';
import { nameOf } from './expense-data.ts';
import { ExpenseDialog } from './expense-dialog.tsx';
import { ExpenseFilters } from './expense-filters.tsx';
import { ExpenseTable, LoadingExpenses } from './expense-table.tsx';
import type { Subject } from './expense-values.ts';
import styles from './expenses-page.module.css';
import { FilterState, fileNameOf, filterOf, isFiltered } from './filter-state.ts';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { useVendors } from './use-vendors.ts';

export function ExpensesPage() {
  const [state, set, hrefFor] = useUrlState(FilterState);
  const [today] = useState(() => calendarDay(new Date()));
  const vendors = useVendors();
  const filter = filterOf(state);
  const list = useShopQuery(listExpenses, { filter, by: state.by, after: cursorFromText(state.after) });
  const due = useShopQuery(listDueExpenses, {});
  const [looksAt, setLooksAt] = useState<Expense | null>(null);
  const open = useCallback((what: string) => set({ open: what, after: state.after }), [set, state.after]);
  useShortcut('n', 'New expense', () => open('new'));

  const listed = list.data ?? null;
  const dueNow = due.data ?? null;
  const subject = useSubject(state.open, listed?.rows, dueNow?.due);
  const reload = () => {
    list.refetch();
    due.refetch();
  };

  return (
    <ConsolePage
      title="Expenses"
      actions={
        <>
          <ButtonLink size="small" to={href('/admin/expenses/profit')}>
            Profit and loss
          </ButtonLink>
          <ButtonLink size="small" to={href('/admin/expenses/gst')}>
            GST
          </ButtonLink>
          <DownloadButton request={csvRequest('expenses', filter)} fileName={fileNameOf(filter)}>
            Export CSV
          </DownloadButton>
          <Button variant="primary" size="small" onClick={() => open('new')}>
            Add expense
          </Button>
        </>
      }
    >
      {dueNow && (
        <DuePanel
          {...dueNow}
          hrefFor={({ id }) => hrefFor({ open: `due-${id}`, after: state.after })}
          onChange={reload}
        />
      )}
      <ExpenseFilters state={state} today={today} vendors={vendors} set={set} />
      {list.isPending && <LoadingExpenses />}
      {list.isLoadingError && <FailedState retry={list.refetch} />}
      {listed && (
        <div>
          <p className={styles.totals}>
            <b>{formatPaise(listed.totals.amount_paise)}</b> in {listed.count.toLocaleString('en-IN')}
            {listed.count_is_capped && '+'} {listed.count === 1 ? 'expense' : 'expenses'}, including GST{' '}
            {formatPaise(listed.totals.gst_paise)}
          </p>
          <ExpenseTable
            rows={listed.rows}
            by={state.by}
            isStale={list.isPlaceholderData}
            isFiltered={isFiltered(state)}
            hrefForSort={(by) => hrefFor({ by: by as FilterState['by'] })}
            hrefFor={({ id }) => hrefFor({ open: String(id), after: state.after })}
            onLook={setLooksAt}
          />
          <ListPager page={listed} after={state.after} hrefFor={hrefFor} />
        </div>
      )}
      <ExpenseDialog
        subject={subject}
        today={today}
        vendors={vendors}
        onClose={() => {
          open('');
          reload(); // it may have been changed by someone else
        }}
        onChange={reload}
      />
      <ReceiptDialog
        path={looksAt?.receipt_path ?? null}
        title={looksAt ? nameOf(looksAt) : 'Receipt'}
        onClose={() => setLooksAt(null)}
      />
    </ConsolePage>
  );
}

/** What the address says lies on the table; fetched, where it is not among what is shown. */
function useSubject(
  open: string,
  rows: readonly Expense[] | undefined,
  due: readonly DueExpense[] | undefined,
): Subject | 'loading' | null {
  const shown = rows?.find(({ id }) => String(id) === open);
  const isElsewhere = /^\d+$/.test(open) && rows !== undefined && !shown;
  const { data, isLoadingError, isPlaceholderData } = useShopQuery(
    listExpenses,
    isElsewhere ? { filter: { id: open } } : null,
  );
  const fetched = isPlaceholderData ? undefined : data?.rows[0];
  const isFetching = isElsewhere ? !isLoadingError && (data === undefined || isPlaceholderData) : rows === undefined;

  return useMemo(() => {
    if (open === '') return null;
    if (open === 'new') return { kind: 'new' };
    if (open.startsWith('due-')) {
      const proposed = due?.find(({ id }) => `due-${id}` === open);
      return proposed ? { kind: 'due', due: proposed } : due ? null : 'loading';
    }
    if (shown) return { kind: 'edit', expense: shown };
    if (isFetching) return 'loading';
    return fetched ? { kind: 'edit', expense: fetched } : null;
  }, [open, shown, due, fetched, isFetching]);
}
