import { useEffect, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type CategoryRow, listCategories, orderCategories } from '#contracts/console/products.ts';
import { moveItem } from '#domain/move-item.ts';
import { useCategories } from '../../data/categories.tsx';
import { useRequests } from '../../data/requests.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { type Subject, SubjectName, SubjectPanel } from '../subject.tsx';
import styles from './categories-tab.module.css';
import { productCount } from './category-data.ts';
import { CategoryDialog } from './category-dialog.tsx';

/** What products are sorted into: five that stay, and the owner's own, which follow in the shop's Box tab. */
export function CategoriesTab() {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(listCategories, {});
  const { setOwn } = useCategories();
  const [subject, setSubject] = useState<Subject<CategoryRow>>(null);
  const list = data ?? null;
  useEffect(() => {
    if (list) setOwn(list.filter(({ is_fixed }) => !is_fixed));
  }, [list, setOwn]);
  if (isPending) return <Loading />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  const fixed = data.filter(({ is_fixed }) => is_fixed);
  const own = data.filter(({ is_fixed }) => !is_fixed);

  return (
    <div className={styles.tab}>
      <SubjectPanel
        title="Your categories"
        why="They follow after Chocolate, Laddu and Halwa in the shop’s Box tab, in this order, as soon as a listed product is in them."
        add={{ label: 'Add a category', onAdd: () => setSubject('new') }}
      >
        {own.length === 0 ? (
          <EmptyState title="No categories of your own yet." text="Barfi, namkeen, dry fruits: add what you make." />
        ) : (
          <OwnCategories rows={own} onOpen={setSubject} onMoved={refetch} />
        )}
      </SubjectPanel>
      <SubjectPanel
        title="Fixed categories"
        why="The shop’s tabs and colours are built on these five. They cannot be changed."
      >
        <ul className={styles.list}>
          {fixed.map((row) => (
            <li key={row.id} data-category={row.name}>
              <span className={styles.swatch} aria-hidden="true" />
              <span className={styles.name}>{row.name}</span>
              <small>{productCount(row.products)}</small>
            </li>
          ))}
        </ul>
      </SubjectPanel>
      <CategoryDialog subject={subject} onClose={() => setSubject(null)} onChange={refetch} />
    </div>
  );
}

type OwnProps = { rows: readonly CategoryRow[]; onOpen(row: CategoryRow): void; onMoved(): void };

function OwnCategories({ rows, onOpen, onMoved }: OwnProps) {
  const { act } = useRequests();
  const [isMoving, setMoving] = useState(false);

  async function move(from: number, to: number) {
    if (isMoving) return;
    setMoving(true);
    const ids = moveItem(
      rows.map(({ id }) => id),
      from,
      to,
    );
    const outcome = await act(orderCategories, { category_ids: [...ids] });
    setMoving(false);
    if (!outcome.ok) toast('error', outcome.message);
    onMoved();
  }

  return (
    <ol className={styles.list} aria-busy={isMoving || undefined}>
      {rows.map((row, place) => (
        <li key={row.id} data-category={row.name}>
          <span className={styles.swatch} aria-hidden="true" />
          <SubjectName name={row.name} className={styles.name} onOpen={() => onOpen(row)} />
          <small>{productCount(row.products)}</small>
          <Button
            size="small"
            aria-label={`Move ${row.name} up`}
            aria-disabled={place === 0}
            onClick={() => place > 0 && void move(place, place - 1)}
          >
            ↑
          </Button>
          <Button
            size="small"
            aria-label={`Move ${row.name} down`}
            aria-disabled={place === rows.length - 1}
            onClick={() => place < rows.length - 1 && void move(place, place + 1)}
          >
            ↓
          </Button>
        </li>
      ))}
    </ol>
  );
}
