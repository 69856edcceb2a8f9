import { EmptyState } from '#app/ui/empty-state.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { readSecurityLog } from '#contracts/console/log.ts';
import { securityEventGroups } from '#domain/log/describe-security-event.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { Choice } from '../list/list-filters.tsx';
import { useUrlState } from '../list/url-state.ts';
import { LogFilters, LogList } from './log-list.tsx';
import { LogTabs } from './log-tabs.tsx';
import { SecurityEvents } from './security-events.tsx';
import { isFiltered, noFilter, requestOf, SecurityLogState } from './security-log-state.ts';

/** For an owner who wonders whether somebody got in: who logged in from where, and what was refused. */
export function SecurityLogPage() {
  const [state, set, hrefFor] = useUrlState(SecurityLogState);
  const query = useShopQuery(readSecurityLog, requestOf(state));
  return (
    <ConsolePage title="Logins and access">
      <LogTabs open="security" />
      <LogFilters days={state} isFiltered={isFiltered(state)} onChange={set} onClear={() => set(noFilter)}>
        <SearchField
          label="Search by person"
          placeholder="Name or email"
          value={state.person}
          onSearch={(person) => set({ person })}
        />
        <Choice
          label="Type"
          value={state.kind}
          options={[['', 'Everything'], ...securityEventGroups.map(({ key, title }) => [key, title] as const)]}
          onChange={(kind) => set({ kind })}
        />
      </LogFilters>
      <LogList
        query={query}
        after={state.after}
        hrefFor={hrefFor}
        empty={
          isFiltered(state) ? (
            <EmptyState title="No matching entries." text="Try fewer filters. Entries are kept for 90 days." />
          ) : (
            <EmptyState
              title="No entries yet."
              text="Logins and refused access appear here and are kept for 90 days."
            />
          )
        }
      >
        {(rows) => <SecurityEvents events={rows} />}
      </LogList>
    </ConsolePage>
  );
}
