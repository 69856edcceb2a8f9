import { memo, useState } from 'react';
import { RecipientForm } from '#app/parts/recipient-form/recipient-form.tsx';
import { Button } from '#app/ui/button.tsx';
import { RadioPill } from '#app/ui/radio-pill.tsx';
import type { Row } from '#domain/groups/group-draft.ts';
import {
  fieldLabels,
  type RecipientErrors,
  type RecipientField,
  type RecipientFields,
} from '#domain/groups/recipient.ts';
import { formatPaise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import type { RowAnswer } from './group-backend.ts';
import styles from './recipient-list.module.css';

export type CheckedRow = Row & { errors: RecipientErrors; answer: RowAnswer | null };
export type RecipientListProps = {
  rows: readonly CheckedRow[];
  boxes: number;
  /** The row that was just added by hand. */
  opened: number | null;
  onOpen(id: number | null): void;
  onChange(id: number, fields: RecipientFields): void;
  onRemove(id: number): void;
};

const shownAtOnce = 50;
type Filter = 'all' | 'wrong';

/** The recipients, each with what it costs or what is wrong with it, to be corrected in its place. */
export function RecipientList({ rows, boxes, opened, onOpen, onChange, onRemove }: RecipientListProps) {
  const [filter, setFilter] = useState<Filter>('all');
  const [most, setMost] = useState(shownAtOnce);
  const wrong = rows.filter(isWrong);
  const chosen: Filter = wrong.length > 0 ? filter : 'all';
  const listed = chosen === 'wrong' ? rows.filter((row) => isWrong(row) || row.id === opened) : rows;
  const shown = listed.slice(0, most);
  const places = new Map(rows.map(({ id }, place) => [id, place + 1]));
  return (
    <>
      {wrong.length > 0 && (
        <fieldset className={styles.filter}>
          <legend className="visually-hidden">Which recipients</legend>
          <RadioPill
            name="recipients"
            value="all"
            label={`All ${rows.length}`}
            isChosen={chosen === 'all'}
            onChoose={() => setFilter('all')}
          />
          <RadioPill
            name="recipients"
            value="wrong"
            label={`To correct ${wrong.length}`}
            isChosen={chosen === 'wrong'}
            onChoose={() => setFilter('wrong')}
          />
        </fieldset>
      )}
      <ul className={styles.rows} aria-label="Recipients">
        {shown.map((row) => (
          <li key={row.id} data-wrong={isWrong(row) || undefined}>
            {row.id === opened ? (
              <RecipientForm
                fields={row.fields}
                errors={problemsOf(row)}
                boxes={boxes}
                saveLabel="Save recipient"
                onSave={(fields) => {
                  onChange(row.id, fields);
                  onOpen(null);
                }}
                onCancel={() => onOpen(null)}
              />
            ) : (
              <RowView row={row} place={places.get(row.id) ?? 0} boxes={boxes} onOpen={onOpen} onRemove={onRemove} />
            )}
          </li>
        ))}
      </ul>
      {listed.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + shownAtOnce)}>
          Show {Math.min(shownAtOnce, listed.length - most)} more
        </Button>
      )}
    </>
  );
}

export const isWrong = ({ errors, answer }: CheckedRow): boolean =>
  Object.keys(errors).length > 0 || answer?.ok === false;

/** What the page knows, then what the shop said. */
function problemsOf({ errors, answer }: CheckedRow): RecipientErrors {
  if (Object.keys(errors).length > 0 || answer?.ok !== false || !answer.field) return errors;
  return { [answer.field]: answer.message };
}

type RowViewProps = {
  row: CheckedRow;
  place: number;
  boxes: number;
  onOpen(id: number): void;
  onRemove(id: number): void;
};

const RowView = memo(function RowView({ row, place, boxes, onOpen, onRemove }: RowViewProps) {
  const { fields, errors, answer } = row;
  const name = fields.name || 'No name';
  const problems = Object.entries(errors) as [RecipientField, string][];
  const where = [fields.city, fields.pincode].filter(Boolean).join(' ');
  const what = [
    where,
    boxes > 1 && `box ${fields.box || 'A'}`,
    fields.day && !errors.day && `for ${formatCalendarDay(fields.day)}`,
    fields.note && 'own note',
  ].filter(Boolean);
  return (
    <div className={styles.row}>
      <span className={styles.place}>
        <span className="visually-hidden">Row </span>
        {place}
      </span>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <p className={styles.what}>{what.join(' · ')}</p>
        {problems.map(([field, message]) => (
          <p key={field} className={styles.problem}>
            {fieldLabels[field]}: {message}
          </p>
        ))}
        {problems.length === 0 && answer?.ok === false && <p className={styles.problem}>{answer.message}</p>}
        {problems.length === 0 && answer?.ok && (
          <p className={styles.good}>
            {formatPaise(answer.totalPaise)}
            {answer.deliveryBy && ` · arrives ${fields.day ? 'on' : 'by'} ${formatCalendarDay(answer.deliveryBy)}`}
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <Button size="small" onClick={() => onOpen(row.id)}>
          {isWrong(row) ? 'Correct' : 'Edit'}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <Button size="small" variant="text" onClick={() => onRemove(row.id)}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </div>
  );
});
