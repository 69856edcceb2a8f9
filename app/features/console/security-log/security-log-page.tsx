import buttons from '#app/ui/button.module.css';
import { OlderNewer } from '#app/ui/data-table.tsx';
import { Empty, Loading, Panel } from '#app/ui/panel.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { securityEventGroups } from '#domain/log/describe-security-event.ts';
import { ConsolePage } from '../console-page.tsx';
import { Choice, DayChoice, Filters } from '../list-filters.tsx';
import { LogTabs } from '../log-tabs.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { useAnswer } from '../requests.ts';
import { useUrlState } from '../url-state.ts';
import { SecurityEvents } from './security-events.tsx';
import {
  isFiltered,
  noFilter,
  requestOf,
  SecurityLogPage as SecurityLogRows,
  SecurityLogState,
} from './security-log-state.ts';

/** For an owner who wonders whether somebody got in: who logged in from where, and what was refused. */
export function SecurityLogPage() {
  const [state, set, hrefFor] = useUrlState(SecurityLogState);
  return (
    <ConsolePage title="Logins and access">
      <LogTabs open="security" />
      <Filters>
        <SearchField
          label="Search by person"
          placeholder="Name or email"
          value={state.person}
          onSearch={(person) => set({ person })}
        />
        <Choice
          label="What happened"
          value={state.kind}
          options={[['', 'Everything'], ...securityEventGroups.map(({ key, title }) => [key, title] as const)]}
          onChange={(kind) => set({ kind })}
        />
        <DayChoice label="From" value={state.from} onChange={(from) => set({ from })} />
        <DayChoice label="Until" value={state.to} onChange={(to) => set({ to })} />
        {isFiltered(state) && (
          <button type="button" className={buttons.small} onClick={() => set(noFilter)}>
            Clear filters
          </button>
        )}
      </Filters>
      <Entries state={state} hrefFor={hrefFor} />
    </ConsolePage>
  );
}

type EntriesProps = { state: SecurityLogState; hrefFor(changes: Partial<SecurityLogState>): string };

function Entries({ state, hrefFor }: EntriesProps) {
  const { loaded, reload, isStale } = useAnswer('admin_read_security_log', requestOf(state), SecurityLogRows);
  const first = state.after === '' ? null : hrefFor({});
  if (loaded.state === 'loading') return <Loading rows={10} />;
  if (loaded.state === 'failed') return <NotLoaded first={first} retry={reload} />;
  const { rows, next } = loaded.value;
  if (rows.length === 0)
    return isFiltered(state) ? (
      <Empty title="No matching entries." text="Try fewer filters. Entries are kept for 90 days." />
    ) : (
      <Empty title="Nothing happened yet." text="Logins and refused access appear here and are kept for 90 days." />
    );
  return (
    <Panel>
      <div aria-busy={isStale || undefined}>
        <SecurityEvents events={rows} />
      </div>
      <OlderNewer newest={first} older={next === null ? null : hrefFor({ after: String(next) })} />
    </Panel>
  );
}
