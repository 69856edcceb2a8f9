import { useState } from 'react';
import { href } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { readKitchen, type Sweet } from '#contracts/console/dashboard.ts';
import { z } from '#contracts/z.ts';
import { formatAmounts, formatPieces } from '#domain/catalog/weight.ts';
import { calendarDay, formatCalendarDay, formatMoment } from '#domain/time.ts';
import { useNewOrder } from '../data/new-orders.tsx';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { useUrlState } from '../list/url-state.ts';
import styles from './kitchen-page.module.css';
import { isTicked, ticksOf, withTick } from './kitchen-ticks.ts';

const State = z.object({
  due: z.enum(['all', 'today']).catch('all').default('all'),
  /** A packing day to come; empty: today's sheet. */
  day: z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])-([0-2]\d|3[01])$/)
    .catch('')
    .default(''),
});

/** On the kitchen wall: how much of every sweet, to be ticked off. */
export function KitchenPage() {
  const [{ due, day }, , hrefFor] = useUrlState(State);
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(readKitchen, {
    only_due: due === 'today',
    packed_on: day || null,
  });
  const isAll = due === 'all' && day === '';
  useNewOrder(() => void refetch());
  useShortcut('p', 'Print the kitchen sheet', () => window.print());

  return (
    <ConsolePage
      title="Kitchen sheet"
      back={{ to: href('/admin/dashboard'), label: 'Dashboard' }}
      actions={
        <Button variant="primary" size="small" onClick={() => window.print()}>
          Print
        </Button>
      }
    >
      <Tabs
        label="Which orders"
        items={[
          { to: hrefFor({ due: 'all', day: '' }), title: 'Open orders', isOpen: isAll },
          { to: hrefFor({ due: 'today', day: '' }), title: 'To pack today', isOpen: due === 'today' && day === '' },
          ...(data?.later ?? []).map((later) => ({
            to: hrefFor({ due: 'all', day: later.day }),
            title: `Pack on ${formatCalendarDay(later.day)}`,
            isOpen: day === later.day,
            count: String(later.orders),
          })),
        ]}
      />
      {isPending && <LoadingTable columns={sheetColumns} rows={10} />}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined &&
        (data.sweets.length === 0 ? (
          <EmptyState
            title="Nothing to make"
            text={
              day
                ? `No orders to pack on ${formatCalendarDay(day)}.`
                : 'There are no open orders. New ones appear here automatically.'
            }
          />
        ) : (
          <div aria-busy={isPlaceholderData || undefined}>
            <p className={styles.note}>
              For {data.orders.toLocaleString('en-IN')} open {data.orders === 1 ? 'order' : 'orders'}
              {day && ` to pack on ${formatCalendarDay(day)}`}, as of {formatMoment(new Date())}. Shelf stock is not
              counted.{isAll && data.later.length > 0 && ' Orders to be packed later are in their own tabs.'}
            </p>
            <SheetTable sweets={data.sweets} isAll={isAll} />
          </div>
        ))}
    </ConsolePage>
  );
}

const ticksKey = 'mithaas-kitchen-ticks';

/** What the columns of sizes say, where there is no room for them. */
function sizesOf({ half_kilos, kilos }: Sweet): string {
  const sizes = [half_kilos && `${half_kilos} × 500\u00a0g`, kilos && `${kilos} × 1\u00a0kg`].filter(Boolean);
  return sizes.map((size) => `, ${size}`).join('');
}

const sheetColumns = ['Item', '500 g', '1 kg', 'Make', 'Done'].map((title) => ({ key: title, title }));

function SheetTable({ sweets, isAll }: { sweets: readonly Sweet[]; isAll: boolean }) {
  const [ticks, setTicks] = useState(() => ticksOf(calendarDay(new Date()), localStorage.getItem(ticksKey)));

  function tick(sweet: Sweet, wanted: boolean) {
    const next = withTick(ticks, sweet, wanted);
    localStorage.setItem(ticksKey, JSON.stringify(next));
    setTicks(next);
  }

  return (
    <table className={styles.sheet}>
      <caption className="visually-hidden">What to make</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">500 g</th>
          <th scope="col">1 kg</th>
          <th scope="col">Make</th>
          {isAll && <th scope="col">Needed today</th>}
          <th scope="col" className={styles.tick}>
            Done
          </th>
        </tr>
      </thead>
      <tbody>
        {sweets.map((sweet) => (
          <tr key={sweet.product_id} data-category={sweet.category} data-done={isTicked(ticks, sweet) || undefined}>
            <th scope="row">
              {sweet.name}
              <small>
                {sweet.orders} {sweet.orders === 1 ? 'order' : 'orders'}
                {sweet.box_pieces > 0 && `, ${formatPieces(sweet.box_pieces)} for boxes`}
                {sweet.gifts > 0 && `, ${sweet.gifts} ${sweet.gifts === 1 ? 'gift' : 'gifts'}`}
                <span className={styles.sizes}>{sizesOf(sweet)}</span>
              </small>
            </th>
            <td>{sweet.half_kilos || ''}</td>
            <td>{sweet.kilos || ''}</td>
            <td>
              <strong>{formatAmounts(sweet)}</strong>
            </td>
            {isAll && <td>{formatAmounts({ grams: sweet.due_grams, pieces: sweet.due_pieces })}</td>}
            <td className={styles.tick}>
              <input
                type="checkbox"
                aria-label={`${sweet.name} done`}
                checked={isTicked(ticks, sweet)}
                onChange={(event) => tick(sweet, event.target.checked)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
