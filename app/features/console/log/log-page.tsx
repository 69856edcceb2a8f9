import { listLogChoices, readLog } from '#contracts/console/log.ts';
import { kindsIn } from '#domain/log/table-labels.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { Choice } from '../list/list-filters.tsx';
import { useUrlState } from '../list/url-state.ts';
import { LogEntries } from './log-entries.tsx';
import { LogScreen } from './log-screen.tsx';
import { LogState, noFilter, requestOf } from './log-state.ts';

export function LogPage() {
  const [state, set, hrefFor] = useUrlState(LogState);
  const choices = useShopQuery(listLogChoices, {});
  const query = useShopQuery(readLog, requestOf(state, choices.data ?? null));
  const { people, tables } = choices.data ?? { people: [], tables: [] };
  const known = kindsIn(tables).map(({ kind }) => kind);
  const kinds = state.kind && !known.includes(state.kind) ? [state.kind, ...known] : known;
  return (
    <LogScreen
      log="changes"
      title="Activity log"
      state={state}
      set={set}
      clear={() => set(noFilter)}
      hrefFor={hrefFor}
      filters={
        <>
          <Choice
            label="Person"
            value={state.who}
            options={[['', 'Everyone'], ...people.map(({ id, name }) => [id, name] as const)]}
            onChange={(who) => set({ who })}
          />
          <Choice
            label="Area"
            value={state.kind}
            options={[['', 'All areas'], ...kinds.map((kind) => [kind, kind] as const)]}
            onChange={(kind) => set({ kind })}
          />
        </>
      }
      query={query}
      isFailed={choices.isLoadingError}
      none={{
        title: 'No changes yet.',
        text: 'Every change made by an administrator appears here, with their name.',
      }}
      noMatch={{ title: 'No matching changes.', text: 'Try other dates or fewer filters.' }}
    >
      {(rows) => <LogEntries entries={rows} heading="h2" />}
    </LogScreen>
  );
}
