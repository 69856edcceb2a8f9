import { useCallback, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { Input } from '#app/ui/input.tsx';
import { readCountMoment, type SheetRow } from '#contracts/console/stock.ts';
import { useRequests } from '../data/requests.ts';
import styles from './count.module.css';
import { CountLine } from './count-line.tsx';
import { type Count, keepMoment, unreadOf, writeLine } from './count-state.ts';

export type CountSheetProps = {
  count: Count;
  rows: readonly SheetRow[];
  change(next: (count: Count) => Count): void;
  onReview(): void;
  onLeave(): void;
};

/** The sheet at the shelf: one big number for each product. */
export function CountSheet({ count, rows, change, onReview, onLeave }: CountSheetProps) {
  const { read } = useRequests();
  const [typed, setTyped] = useState('');
  const [isOpenOnly, setOpenOnly] = useState(false);
  const sheet = useRef<HTMLDivElement>(null);
  const writtenDown = rows.filter(({ product_id }) => count.lines[product_id]).length;
  const unread = unreadOf(count, rows);
  const wanted = typed.trim().toLowerCase();
  const shown = rows.filter(
    ({ product_id, name }) => name.toLowerCase().includes(wanted) && !(isOpenOnly && count.lines[product_id]?.moment),
  );

  const askMoment = useCallback(
    async (productId: number, text: string) => {
      const moment = await read(readCountMoment, { product_id: productId }).catch(() => null);
      if (moment) change((current) => keepMoment(current, productId, text, moment));
    },
    [read, change],
  );
  const write = useCallback(
    (productId: number, text: string) => {
      change((current) => writeLine(current, productId, text));
      if (text.trim() !== '') void askMoment(productId, text);
    },
    [change, askMoment],
  );

  const next = useCallback((input: HTMLInputElement) => {
    const inputs = [...(sheet.current?.querySelectorAll<HTMLInputElement>('input[data-count]') ?? [])];
    const following = inputs[inputs.indexOf(input) + 1];
    if (following) following.focus();
    else input.blur();
  }, []);

  return (
    <div className={styles.sheet} ref={sheet}>
      <div className={styles.tools}>
        <Input
          type="search"
          aria-label="Find a product"
          placeholder="Find a product"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Checkbox
          label="Show uncounted only"
          checked={isOpenOnly}
          onChange={(event) => setOpenOnly(event.target.checked)}
        />
      </div>
      <ul className={styles.lines}>
        {shown.map((row, place) => (
          <CountLine
            key={row.product_id}
            row={row}
            line={count.lines[row.product_id]}
            isBlind={count.isBlind}
            withSold={count.withSold}
            heading={row.category !== shown[place - 1]?.category ? row.category : null}
            onWrite={write}
            onNext={next}
          />
        ))}
      </ul>
      <div className={styles.bar}>
        <span role="status">
          {writtenDown.toLocaleString('en-IN')} of {rows.length.toLocaleString('en-IN')} counted
          {unread.length > 0 && `, ${unread.length} to check`}
        </span>
        <Button onClick={onLeave}>Discard count</Button>
        <Button variant="primary" disabled={writtenDown - unread.length === 0} onClick={onReview}>
          Review differences
        </Button>
      </div>
    </div>
  );
}
