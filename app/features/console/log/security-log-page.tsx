import { SearchField } from '#app/ui/search-field.tsx';
import { readSecurityLog } from '#contracts/console/log.ts';
import { securityEventGroups } from '#domain/log/describe-security-event.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { Choice } from '../list/list-filters.tsx';
import { useUrlState } from '../list/url-state.ts';
import { LogScreen } from './log-screen.tsx';
import { SecurityEvents } from './security-events.tsx';
import { noFilter, requestOf, SecurityLogState } from './security-log-state.ts';

/** Shows an owner who logged in from where, and what was refused. */
export function SecurityLogPage() {
  const [state, set, hrefFor] = useUrlState(SecurityLogState);
  const query = useShopQuery(readSecurityLog, requestOf(state));
  return (
    <LogScreen
      log="security"
      title="Logins and access"
      state={state}
      set={set}
      clear={() => set(noFilter)}
      hrefFor={hrefFor}
      filters={
        <>
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
        </>
      }
      query={query}
      none={{ title: 'No entries yet.', text: 'Logins and refused access appear here and are kept for 90 days.' }}
      noMatch={{ title: 'No matching entries.', text: 'Try fewer filters. Entries are kept for 90 days.' }}
    >
      {(rows) => <SecurityEvents events={rows} />}
    </LogScreen>
  );
}
