import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import styles from './ordered-list.module.css';

type Props<Row> = {
  label: string;
  rows: readonly Row[];
  nameOf(row: Row): string;
  onMove(from: number, to: number): void;
  children(row: Row, place: number): ReactNode;
};

/** A list to put in order: by its handle with the finger or the mouse, by its arrows, or with Alt and the arrow keys. */
export function OrderedList<Row extends { id: number }>({ label, rows, nameOf, onMove, children }: Props<Row>) {
  const list = useRef<HTMLOListElement>(null);
  const [held, setHeld] = useState<number | null>(null);
  const [news, setNews] = useState('');

  function move(from: number, to: number) {
    const row = rows[from];
    if (!row || to < 0 || to >= rows.length || to === from) return;
    onMove(from, to);
    setNews(`${nameOf(row)} is now ${to + 1} of ${rows.length}`);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, place: number) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(place, place + (event.key === 'ArrowUp' ? -1 : 1));
  }

  function onDrag(event: PointerEvent<HTMLElement>) {
    const from = rows.findIndex(({ id }) => id === held);
    if (from < 0 || !list.current) return;
    const boxes = [...list.current.children].map((item) => item.getBoundingClientRect());
    // Past the middle of a neighbour is in its place.
    const to = boxes.filter(({ top, height }) => event.clientY > top + height / 2).length;
    move(from, to > from ? to - 1 : to);
  }

  return (
    <>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      <ol ref={list} className={styles.list} aria-label={label}>
        {rows.map((row, place) => (
          // Alt and an arrow moves it from anywhere inside.
          <li key={row.id} data-held={held === row.id || undefined} onKeyDown={(event) => onKeyDown(event, place)}>
            <span
              className={styles.handle}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setHeld(row.id);
              }}
              onPointerMove={(event) => held === row.id && onDrag(event)}
              onPointerUp={() => setHeld(null)}
              onPointerCancel={() => setHeld(null)}
            >
              <Icon>
                <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth={3} />
              </Icon>
            </span>
            <div className={styles.content}>{children(row, place)}</div>
            <div className={styles.arrows}>
              <Button
                size="small"
                aria-label={`Move ${nameOf(row)} up`}
                aria-keyshortcuts="Alt+ArrowUp"
                aria-disabled={place === 0}
                onClick={() => move(place, place - 1)}
              >
                ↑
              </Button>
              <Button
                size="small"
                aria-label={`Move ${nameOf(row)} down`}
                aria-keyshortcuts="Alt+ArrowDown"
                aria-disabled={place === rows.length - 1}
                onClick={() => move(place, place + 1)}
              >
                ↓
              </Button>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Says that the order is not saved yet. */
export function OrderBar({ isSaving, save, putBack }: { isSaving: boolean; save(): void; putBack(): void }) {
  return (
    <div className={styles.bar}>
      <span>Positions changed, not saved yet.</span>
      <Button variant="primary" isBusy={isSaving} onClick={save}>
        Save positions
      </Button>
      <Button onClick={putBack}>Undo</Button>
    </div>
  );
}
