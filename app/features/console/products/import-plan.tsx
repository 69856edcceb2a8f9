import { useState } from 'react';
import { Badge, type Tone } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Panel } from '#app/ui/panel.tsx';
import type { Action, PlannedRow } from '#contracts/console/products.ts';
import { columnWords, countActions, valueWords } from './import-data.ts';
import styles from './import-page.module.css';

type Props = {
  fileName: string;
  ignoredHeadings: readonly string[];
  rows: readonly PlannedRow[];
  problem: string | null;
  isBusy: boolean;
  onApply(): void;
  onAgain(): void;
  onStop(): void;
};

const words: Record<Action, { label: string; tone: Tone }> = {
  new: { label: 'New', tone: 'good' },
  changed: { label: 'Changed', tone: 'busy' },
  unchanged: { label: 'Unchanged', tone: 'calm' },
  refused: { label: 'Errors', tone: 'bad' },
};
const order: Action[] = ['refused', 'new', 'changed', 'unchanged'];
const mostShown = 200;

const columns: Column<PlannedRow>[] = [
  { key: 'name', title: 'Product', cell: (row) => row.name || 'No name' },
  { key: 'line', title: 'Line', align: 'end', cell: (row) => row.line },
  {
    key: 'action',
    title: 'Result',
    cell: ({ action }) => <Badge tone={words[action].tone}>{words[action].label}</Badge>,
  },
  { key: 'what', title: 'Changes', cell: (row) => <What row={row} /> },
];

export function ImportPlanView(props: Props) {
  const { fileName, ignoredHeadings, rows, problem, isBusy, onApply, onAgain, onStop } = props;
  const counts = countActions(rows);
  const [shown, setShown] = useState<Action | null>(counts.refused > 0 ? 'refused' : null);
  const [most, setMost] = useState(mostShown);
  const listed = rows.filter(({ action }) => (shown === null ? action !== 'unchanged' : action === shown));
  const writes = counts.new + counts.changed;

  return (
    <Panel title={`Check before importing ${fileName}`}>
      <div className={styles.plan}>
        <div className={styles.moves}>
          {order.map((action) => (
            <Button
              key={action}
              size="small"
              aria-pressed={shown === action}
              disabled={counts[action] === 0}
              onClick={() => {
                setShown(shown === action ? null : action);
                setMost(mostShown);
              }}
            >
              {words[action].label} {counts[action].toLocaleString('en-IN')}
            </Button>
          ))}
        </div>
        {ignoredHeadings.length > 0 && (
          <p className={styles.words}>Ignored, because these columns are not known: {ignoredHeadings.join(', ')}.</p>
        )}
        {counts.refused > 0 && (
          <p role="alert" className={styles.problem}>
            {counts.refused === 1 ? '1 row has' : `${counts.refused} rows have`} errors, so nothing can be imported yet.
            Correct them in the file and choose it again.
          </p>
        )}
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <div className={styles.moves}>
          {problem ? (
            <Button variant="primary" onClick={onAgain}>
              Check again
            </Button>
          ) : (
            <Button variant="primary" disabled={counts.refused > 0 || writes === 0} isBusy={isBusy} onClick={onApply}>
              {isBusy
                ? `Importing ${writes.toLocaleString('en-IN')} ${writes === 1 ? 'product' : 'products'}…`
                : importWords(counts)}
            </Button>
          )}
          <Button onClick={onStop} disabled={isBusy}>
            Choose another file
          </Button>
          {isBusy && <progress aria-label="Import" />}
        </div>
        <DataTable
          caption="Rows in the file"
          columns={columns}
          rows={listed.slice(0, most)}
          rowKey={(row) => String(row.line)}
          empty={<EmptyState title="Nothing to import." text="Every row matches what is already in the shop." />}
        />
        {listed.length > most && (
          <Button size="small" onClick={() => setMost(most + mostShown)}>
            Show more of {listed.length.toLocaleString('en-IN')}
          </Button>
        )}
      </div>
    </Panel>
  );
}

function importWords({ new: added, changed }: Record<Action, number>): string {
  const parts = [added > 0 && `${added} new`, changed > 0 && `${changed} changed`].filter(Boolean);
  return parts.length === 0 ? 'Nothing to import' : `Import ${parts.join(', ')}`;
}

function What({ row }: { row: PlannedRow }) {
  if (row.action === 'refused')
    return (
      <ul className={styles.what}>
        {row.problems.map(({ field, message }) => (
          <li key={field + message}>
            <strong>{columnWords(field)}</strong> {message}
          </li>
        ))}
      </ul>
    );
  if (row.action === 'unchanged') return 'No change';
  return (
    <ul className={styles.what}>
      {row.changes
        .filter(({ to }) => row.action === 'changed' || (to !== null && to !== '' && to !== false))
        .map(({ field, from, to }) => (
          <li key={field}>
            <strong>{columnWords(field)}</strong>{' '}
            {row.action === 'changed' && (
              <>
                <del>{valueWords(field, from)}</del> <span aria-hidden="true">→</span>{' '}
              </>
            )}
            <ins>{valueWords(field, to)}</ins>
          </li>
        ))}
    </ul>
  );
}
