import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LeaveGuard } from '#app/ui/leave-guard.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Deletion, type EditControls, EditDialog } from '../form/edit-dialog.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { OrderBar, OrderedList } from './ordered-list.tsx';
import styles from './ordered-tab.module.css';
import { PublishButton } from './publish-button.tsx';
import { type TabProps, useGone } from './tab.ts';
import { useOrder } from './use-order.ts';

type Row = { id: number; title: string; position: number; is_published: boolean; updated_at: string };

type Props<R extends Row> = TabProps & {
  table: 'caurousel' | 'testimonials';
  /** One of them: slide. */
  noun: string;
  hint: string;
  query: UseQueryResult<R[]>;
  /** Its picture or stars, and its words. */
  renderRow(row: R): { mark: ReactNode; text: string };
  /** What is to know of its place: that it is too far down, say. */
  noteFor?(row: R, arranged: readonly R[]): string | null;
  deletionOf(row: R): Deletion;
  renderForm(row: R | null, position: number, controls: EditControls, onSaved: () => void): ReactNode;
};

/** Slides and testimonials alike: a list in the order of the shop, to arrange, publish, hide and edit. */
export function OrderedTab<R extends Row>(props: Props<R>) {
  const { table, noun, hint, query, opened, open, hrefFor, renderRow, noteFor, deletionOf, renderForm } = props;
  const { data, isPending, isLoadingError, refetch } = query;
  const rows = data ?? [];
  const order = useOrder(table, rows, refetch);
  const id = useId();
  useShortcut('n', `New ${noun}`, () => open('new'));
  const row = rows.find((one) => String(one.id) === opened) ?? null;
  useGone(data !== undefined && opened !== 'new' && opened !== '' && !row, noun, open);

  if (isPending) return <Loading />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  return (
    <>
      <p id={id} className={styles.hint}>
        {hint} Drag the dots, use the arrows, or press Alt + ↑ or ↓.
      </p>
      {rows.length === 0 && <EmptyState title={`No ${noun}s yet.`} />}
      <OrderedList label={`${noun}s`} rows={order.arranged} nameOf={({ title }) => title} onMove={order.move}>
        {(one) => {
          const { mark, text } = renderRow(one);
          const note = noteFor?.(one, order.arranged) ?? null;
          return (
            <div className={styles.row} data-hidden={!one.is_published || undefined}>
              {mark}
              <div className={styles.words}>
                <Link to={hrefFor(String(one.id))} preventScrollReset>
                  {one.title}
                </Link>
                <p>{text}</p>
              </div>
              <div className={styles.state}>
                {!one.is_published && <Badge>Hidden</Badge>}
                {note && <Badge tone="warn">{note}</Badge>}
                <PublishButton table={table} row={one} onChange={refetch} />
              </div>
            </div>
          );
        }}
      </OrderedList>
      {order.isMoved && <OrderBar isSaving={order.isSaving} save={order.save} putBack={order.putBack} />}
      <LeaveGuard isChanged={order.isMoved && !order.isSaving} />
      <EditDialog
        open={opened === 'new' || row !== null}
        title={row?.title ?? `New ${noun}`}
        deletion={row && deletionOf(row)}
        onClose={() => {
          open('');
          refetch(); // it may have been changed by someone else
        }}
        onDeleted={refetch}
      >
        {(controls) =>
          renderForm(row, Math.max(0, ...rows.map(({ position }) => position)) + 1, controls, () => {
            toast('success', 'Saved.');
            controls.close();
          })
        }
      </EditDialog>
    </>
  );
}
