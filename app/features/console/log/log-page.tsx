import buttons from '#app/ui/button.module.css';
import { OlderNewer } from '#app/ui/data-table.tsx';
import { Empty, Loading, Panel } from '#app/ui/panel.tsx';
import { kindsIn } from '#domain/log/table-words.ts';
import { ConsolePage } from '../console-page.tsx';
import { Choice, DayChoice, Filters } from '../list-filters.tsx';
import { LogPage as LogAnswer } from '../log-data.ts';
import { LogEntries } from '../log-entries.tsx';
import { LogTabs } from '../log-tabs.tsx';
import { NotLoaded } from '../not-loaded.tsx';
import { useAnswer } from '../requests.ts';
import { useUrlState } from '../url-state.ts';
import { isFiltered, LogChoices, LogState, noFilter, questionOf } from './log-state.ts';

export function LogPage() {
  const [state, set, hrefFor] = useUrlState(LogState);
  const { loaded } = useAnswer('admin_list_log_choices', {}, LogChoices);
  const choices = loaded.state === 'ready' ? loaded.value : null;
  const kinds = kindsIn(choices?.tables ?? []).map(({ kind }) => kind);
  return (
    <ConsolePage title="Change log">
      <LogTabs open="changes" />
      <Filters>
        <Choice
          label="Person"
          value={state.who}
          options={[['', 'Everybody'], ...(choices?.people ?? []).map(({ id, name }) => [id, name] as const)]}
          onChange={(who) => set({ who })}
        />
        <Choice
          label="Kind of thing"
          value={state.kind}
          options={[
            ['', 'Everything'],
            ...(state.kind && !kinds.includes(state.kind) ? [state.kind, ...kinds] : kinds).map(
              (kind) => [kind, kind] as const,
            ),
          ]}
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
      {loaded.state === 'failed' ? (
        <NotLoaded first={null} retry={() => window.location.reload()} />
      ) : (
        <Entries state={state} choices={choices} hrefFor={hrefFor} />
      )}
    </ConsolePage>
  );
}

type EntriesProps = { state: LogState; choices: LogChoices | null; hrefFor(changes: Partial<LogState>): string };

function Entries({ state, choices, hrefFor }: EntriesProps) {
  const { loaded, reload, isStale } = useAnswer('admin_read_log', questionOf(state, choices), LogAnswer);
  if (loaded.state === 'loading') return <Loading rows={10} />;
  const first = state.after === '' ? null : hrefFor({});
  if (loaded.state === 'failed') return <NotLoaded first={first} retry={reload} />;
  const { rows, next } = loaded.value;
  if (rows.length === 0)
    return isFiltered(state) ? (
      <Empty title="Nothing was changed that matches." text="Try another day, or everything." />
    ) : (
      <Empty title="Nothing was changed yet." text="Every change by an administrator appears here, with who made it." />
    );
  return (
    <Panel>
      <div aria-busy={isStale || undefined}>
        <LogEntries entries={rows} heading="h2" />
      </div>
      <OlderNewer newest={first} older={next === null ? null : hrefFor({ after: String(next) })} />
    </Panel>
  );
}
