import { useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { toast } from '#app/ui/toast.tsx';
import {
  forgetMissedSearch,
  listSearchWords,
  type MissedWord,
  type WordGroup,
} from '#contracts/console/search-words.ts';
import { formatDate } from '#domain/time.ts';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { SubjectPanel } from '../subject.tsx';
import { groupsWith } from './search-words-data.ts';
import styles from './search-words-tab.module.css';
import { type Subject, WordGroupDialog } from './word-group-dialog.tsx';

/** Synonyms of the shop's search, and searches without results. */
export function SearchWordsTab() {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(listSearchWords, {});
  const { act } = useRequests();
  const [subject, setSubject] = useState<Subject | null>(null);
  const [filter, setFilter] = useState('');
  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel title="Searches with no results" lines={4} />
        <BlankPanel title="Words that mean the same" lines={8} />
      </LoadingShape>
    );
  if (isLoadingError) return <FailedState retry={refetch} />;
  const { groups, missed } = data;

  async function forget({ typed }: MissedWord) {
    const outcome = await act(forgetMissedSearch, { typed });
    if (!outcome.ok) return toast('error', outcome.message);
    toast('success', `Removed: ${typed}`);
    refetch();
  }

  return (
    <div className={styles.tab}>
      <SubjectPanel
        title="Searches with no results"
        why="Last 90 days, words only. Add a meaning, and the next customer will find it."
      >
        <DataTable<MissedWord>
          caption="Searches with no results"
          rows={missed}
          rowKey={({ typed }) => typed}
          columns={[
            { key: 'typed', title: 'Words', cell: ({ typed }) => <b className={styles.typed}>{typed}</b> },
            { key: 'times', title: 'Times', align: 'end', cell: ({ times }) => times.toLocaleString('en-IN') },
            { key: 'last', title: 'Last searched', cell: ({ last_on }) => formatDate(last_on) },
            {
              key: 'act',
              title: 'Action',
              cell: (row) => (
                <span className={styles.acts}>
                  <Button
                    size="small"
                    aria-label={`Add meaning of ${row.typed}`}
                    onClick={() => setSubject({ kind: 'new', word: row.typed })}
                  >
                    Add meaning…
                  </Button>
                  <Button size="small" aria-label={`Remove ${row.typed}`} onClick={() => forget(row)}>
                    Remove
                  </Button>
                </span>
              ),
            },
          ]}
          empty={<EmptyState title="No failed searches." text="Searches that find nothing are counted here." />}
        />
      </SubjectPanel>
      <SubjectPanel
        title="Words that mean the same"
        why="A search for one of these words also finds the others. No need to add capital letters, double letters or small typos: search already knows that ladoo means laddu."
        add={{ label: 'Add group', onAdd: () => setSubject({ kind: 'new', word: '' }) }}
      >
        <SearchField label="Find a word" value={filter} onSearch={setFilter} />
        <Groups groups={groupsWith(groups, filter)} onOpen={(group) => setSubject({ kind: 'edit', group })} />
      </SubjectPanel>
      <WordGroupDialog subject={subject} onClose={() => setSubject(null)} onChange={refetch} />
    </div>
  );
}

function Groups({ groups, onOpen }: { groups: readonly WordGroup[]; onOpen(group: WordGroup): void }) {
  if (groups.length === 0)
    return <EmptyState title="No matching groups." text="Add a group to teach search this word." />;
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
