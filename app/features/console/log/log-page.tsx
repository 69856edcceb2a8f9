import { EmptyState } from '#app/ui/empty-state.tsx';
import { listLogChoices, readLog } from '#contracts/console/log.ts';
import { kindsIn } from '#domain/log/table-words.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { Choice } from '../list/list-filters.tsx';
import { NotLoaded } from '../list/not-loaded.tsx';
import { useUrlState } from '../list/url-state.ts';
import { LogEntries } from './log-entries.tsx';
import { LogFilters, LogList } from './log-list.tsx';
import { isFiltered, LogState, noFilter, questionOf } from './log-state.ts';
import { LogTabs } from './log-tabs.tsx';

export function LogPage() {
  const [state, set, hrefFor] = useUrlState(LogState);
  const { data, isLoadingError } = useShopQuery(listLogChoices, {});
  const choices = data ?? null;
  const kinds = kindsIn(choices?.tables ?? []).map(({ kind }) => kind);
  const query = useShopQuery(readLog, questionOf(state, choices));
  return (
    <ConsolePage title="Activity log">
      <LogTabs open="changes" />
      <LogFilters days={state} isFiltered={isFiltered(state)} onChange={set} onClear={() => set(noFilter)}>
        <Choice
          label="Person"
          value={state.who}
          options={[['', 'Everyone'], ...(choices?.people ?? []).map(({ id, name }) => [id, name] as const)]}
          onChange={(who) => set({ who })}
        />
        <Choice
          label="Area"
          value={state.kind}
          options={[
            ['', 'All areas'],
            ...(state.kind && !kinds.includes(state.kind) ? [state.kind, ...kinds] : kinds).map(
              (kind) => [kind, kind] as const,
            ),
          ]}
          onChange={(kind) => set({ kind })}
        />
      </LogFilters>
      {isLoadingError ? (
        <NotLoaded first={null} retry={() => window.location.reload()} />
      ) : (
        <LogList
          query={query}
          after={state.after}
          hrefFor={hrefFor}
          empty={
            isFiltered(state) ? (
              <EmptyState title="No matching changes." text="Try other dates or fewer filters." />
            ) : (
              <EmptyState
                title="No changes yet."
                text="Every change made by an administrator appears here, with their name."
              />
            )
          }
        >
          {(rows) => <LogEntries entries={rows} heading="h2" />}
        </LogList>
      )}
    </ConsolePage>
  );
}
