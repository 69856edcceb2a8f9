import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { type CustomerRow, listCustomerChoices, listCustomers } from '#contracts/console/customers.ts';
import { formatPaise } from '#domain/money.ts';
import { csvRequest } from '../data/download.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { DownloadButton } from '../list/download-button.tsx';
import { Choice, DayChoice, Filters } from '../list/list-filters.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { NotLoaded } from '../list/not-loaded.tsx';
import { useUrlState } from '../list/url-state.ts';

import { CustomerTabs } from './customer-tabs.tsx';
import styles from './customers-page.module.css';
import { filterOf, isDescending, isFiltered, ListState, noFilter, questionOf, sortedBy } from './list-state.ts';
import { daySaid } from './words.ts';

export function CustomersPage() {
  const [state, set, hrefFor] = useUrlState(ListState);
  return (
    <ConsolePage
      title="Customers"
      actions={
        <DownloadButton request={csvRequest('customers', filterOf(state))} fileName="customers.csv">
          Export
        </DownloadButton>
      }
    >
      <CustomerTabs open="customers" />
      <CustomerFilters state={state} set={set} />
      <List state={state} hrefFor={hrefFor} />
    </ConsolePage>
  );
}

type FiltersProps = { state: ListState; set(changes: Partial<ListState>): void };

function CustomerFilters({ state, set }: FiltersProps) {
  const { data } = useShopQuery(listCustomerChoices, {});
  const choices = data ?? { cities: [], tags: [] };
  return (
    <Filters>
      <SearchField
        label="Search customers"
        placeholder="Name, email or phone"
        value={state.q}
        onSearch={(q) => set({ q })}
      />
      <Choice
        label="City"
        value={state.city}
        options={[['', 'All cities'], ...withChosen(choices.cities, state.city)]}
        onChange={(city) => set({ city })}
      />
      <Choice
        label="Tag"
        value={state.tag}
        options={[['', 'All tags'], ...withChosen(choices.tags, state.tag)]}
        onChange={(tag) => set({ tag })}
      />
      <Choice
        label="Orders"
        value={state.ordered}
        options={[
          ['', 'With or without orders'],
          ['yes', 'Has ordered'],
          ['no', 'Never ordered'],
        ]}
        onChange={(ordered) => set({ ordered: ordered as ListState['ordered'] })}
      />
      <Choice
        label="Blocked"
        value={state.blocked}
        options={[
          ['', 'Blocked and active'],
          ['yes', 'Blocked'],
          ['no', 'Not blocked'],
        ]}
        onChange={(blocked) => set({ blocked: blocked as ListState['blocked'] })}
      />
      <span className={styles.sort}>
        <Choice
          label="Sort by"
          value={state.sort}
          options={[
            ['last_order', 'Latest order first'],
            ['name', 'Name A–Z'],
            ['value', 'Highest value first'],
            ['orders', 'Most orders first'],
          ]}
          onChange={(sort) => set({ sort: sort as ListState['sort'], order: '' })}
        />
      </span>
      <span className={styles.days}>
        <DayChoice label="Last order from" value={state.from} onChange={(from) => set({ from })} />
        <DayChoice label="Last order until" value={state.to} onChange={(to) => set({ to })} />
      </span>
      {isFiltered(state) && (
        <Button size="small" onClick={() => set(noFilter)}>
          Clear filters
        </Button>
      )}
    </Filters>
  );
}

/** The options, with the one in the address even if no customer has it. */
const withChosen = (list: readonly string[], chosen: string) =>
  (chosen === '' || list.includes(chosen) ? list : [chosen, ...list]).map((one) => [one, one] as const);

const columns: readonly Column<CustomerRow>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    cell: ({ id, name, email }) => (
      <span className={styles.who}>
        <Link to={href('/admin/customers/:id', { id })}>{name}</Link>
        {email !== name && <Email text={email} />}
      </span>
    ),
  },
  {
    key: 'phone',
    title: 'Phone',
    isOneLine: true,
    cell: ({ phone }) => phone && <a href={`tel:${phone.replace(/[ -]/g, '')}`}>{phone}</a>,
  },
  { key: 'city', title: 'City', hideOnTablet: true, cell: ({ city }) => city },
  {
    key: 'orders',
    title: 'Orders',
    sort: 'orders',
    align: 'end',
    cell: ({ orders }) => orders.toLocaleString('en-IN'),
  },
  {
    key: 'value',
    title: 'Lifetime value',
    sort: 'value',
    align: 'end',
    cell: ({ value_paise }) => formatPaise(value_paise),
  },
  {
    key: 'last',
    title: 'Last order',
    isOneLine: true,
    sort: 'last_order',
    cell: ({ last_order_at }) => (last_order_at ? daySaid(last_order_at) : 'Never'),
  },
  {
    key: 'tags',
    title: 'Tags',
    cell: ({ tags, is_blocked }) =>
      (is_blocked || tags.length > 0) && (
        <span className={styles.tags}>
          {is_blocked && <Badge tone="bad">Blocked</Badge>}
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </span>
      ),
  },
];

type ListProps = { state: ListState; hrefFor(changes: Partial<ListState>): string };

function List({ state, hrefFor }: ListProps) {
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(
    listCustomers,
    questionOf(state),
  );
  if (isPending) return <LoadingTable columns={columns} rows={10} />;
  const first = state.after === '' ? null : hrefFor({});
  if (isLoadingError) return <NotLoaded first={first} retry={refetch} />;
  const { rows } = data;
  return (
    <div className={styles.list}>
      <DataTable
        caption="Customers"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        sort={{ by: state.sort, descending: isDescending(state), hrefFor: (by) => hrefFor(sortedBy(state, by)) }}
        isStale={isPlaceholderData}
        empty={
          isFiltered(state) ? (
            <EmptyState
              title="No matching customers."
              text="Try a shorter search or fewer filters."
              action={
                <ButtonLink size="small" to={hrefFor(noFilter)}>
                  Show all customers
                </ButtonLink>
              }
            />
          ) : (
            <EmptyState title="No customers yet." text="Customers appear here after they first log in to the shop." />
          )
        }
      />
      <ListPager page={data} after={state.after} hrefFor={hrefFor} />
    </div>
  );
}

/** Breaks before the @ where it is too long for its column, not in the middle of a name. */
function Email({ text }: { text: string }) {
  const at = text.lastIndexOf('@');
  return (
    <span>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  );
}
