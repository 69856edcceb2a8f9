import { useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { DataTable } from '#app/ui/data-table.tsx';
import { Empty, Failed, Loading, Panel } from '#app/ui/panel.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { toast } from '#app/ui/toast.tsx';
import { formatCalendarDay } from '#domain/time.ts';
import { useAnswer, useRequests } from '../../requests.ts';
import { groupsWith, type MissedWord, SearchWords, type WordGroup } from './search-words-data.ts';
import styles from './search-words-tab.module.css';
import { type Subject, WordGroupDialog } from './word-group-dialog.tsx';

/** What the shop's search takes for the same, and what people looked for in vain. */
export function SearchWordsTab() {
  const { loaded, reload } = useAnswer('admin_list_search_words', {}, SearchWords);
  const { act } = useRequests();
  const [subject, setSubject] = useState<Subject | null>(null);
  const [filter, setFilter] = useState('');
  if (loaded.state === 'loading') return <Loading />;
  if (loaded.state === 'failed') return <Failed retry={reload} />;
  const { groups, missed } = loaded.value;

  async function forget({ typed }: MissedWord) {
    const outcome = await act('admin_forget_missed_search', { typed });
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', `Forgotten: ${typed}`);
    reload();
  }

  return (
    <div className={styles.tab}>
      <Panel title="Looked for and not found">
        <p className={styles.why}>
          Counted over 90 days, words only. Say what a word means, and the next customer finds it.
        </p>
        <DataTable<MissedWord>
          caption="Looked for and not found"
          rows={missed}
          rowKey={({ typed }) => typed}
          columns={[
            { key: 'typed', title: 'Words', cell: ({ typed }) => <b className={styles.typed}>{typed}</b> },
            { key: 'times', title: 'Times', align: 'end', cell: ({ times }) => times.toLocaleString('en-IN') },
            { key: 'last', title: 'Last', cell: ({ last_on }) => formatCalendarDay(last_on) },
            {
              key: 'act',
              title: 'What now',
              cell: (row) => (
                <span className={styles.acts}>
                  <button
                    type="button"
                    className={buttons.smallMain}
                    aria-label={`Say what ${row.typed} means`}
                    onClick={() => setSubject({ kind: 'new', word: row.typed })}
                  >
                    Means…
                  </button>
                  <button
                    type="button"
                    className={buttons.small}
                    aria-label={`Forget ${row.typed}`}
                    onClick={() => forget(row)}
                  >
                    Forget
                  </button>
                </span>
              ),
            },
          ]}
          empty={<Empty title="Nothing was looked for in vain twice." text="What customers miss is counted here." />}
        />
      </Panel>
      <Panel
        title="Words that mean the same"
        actions={
          <button type="button" className={buttons.smallMain} onClick={() => setSubject({ kind: 'new', word: '' })}>
            Add a group
          </button>
        }
      >
        <p className={styles.why}>
          Whoever types one of them finds sweets with any of them. Case, doubled letters and small slips need no words
          here: search knows that ladoo sounds like laddu.
        </p>
        <SearchField label="Find a word" value={filter} onSearch={setFilter} />
        <Groups groups={groupsWith(groups, filter)} onOpen={(group) => setSubject({ kind: 'edit', group })} />
      </Panel>
      <WordGroupDialog subject={subject} onClose={() => setSubject(null)} onChange={reload} />
    </div>
  );
}

function Groups({ groups, onOpen }: { groups: readonly WordGroup[]; onOpen(group: WordGroup): void }) {
  if (groups.length === 0)
    return <Empty title="No group has that word." text="Add one, and search knows it from then on." />;
  return (
    <ul className={styles.groups}>
      {groups.map((group) => (
        <li key={group.id}>
          <button type="button" onClick={() => onOpen(group)}>
            {group.words.join(', ')}
          </button>
        </li>
      ))}
    </ul>
  );
}
