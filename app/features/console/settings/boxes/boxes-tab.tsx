import { useState } from 'react';
import { BoxPicture, Piece } from '#app/parts/box-picture/box-picture.tsx';
import { DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { type BoxSizeRow, type BoxSweetRow, readBoxes } from '#contracts/console/boxes.ts';
import { columnsOf, type Place } from '#domain/boxes/box.ts';
import { fillRest } from '#domain/boxes/fill-box.ts';
import { formatGrams } from '#domain/catalog/weight.ts';
import { formatPaise } from '#domain/money.ts';
import { useShopQuery } from '../../data/shop-query.ts';
import { type Subject, SubjectName, SubjectPanel } from '../subject.tsx';
import styles from './boxes-tab.module.css';
import { SizeDialog } from './size-dialog.tsx';
import { SweetDialog } from './sweet-dialog.tsx';

/** Boxes that customers fill themselves: how large, and with what. */
export function BoxesTab() {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readBoxes, {});
  const [size, setSize] = useState<Subject<BoxSizeRow>>(null);
  const [sweet, setSweet] = useState<Subject<BoxSweetRow>>(null);
  if (isPending) return <Loading />;
  if (isLoadingError) return <FailedState retry={refetch} />;
  const { sizes, sweets, others } = data;
  const offered = sweets.filter((row) => row.is_offered && row.is_available);
  return (
    <>
      <SubjectPanel
        title="Box sizes"
        why="Customers choose a size and fill every place with one piece. A box costs its own price plus that of its pieces, and is taxed at the highest GST rate among them."
        add={{ label: 'Add a size', onAdd: () => setSize('new') }}
      >
        <div className={styles.middle}>
          <DataTable<BoxSizeRow>
            caption="Box sizes"
            rows={sizes}
            rowKey={({ id }) => String(id)}
            rowLabel={({ name }) => name}
            columns={[
              { key: 'name', title: 'Box', cell: (row) => <SubjectName name={row.name} onOpen={() => setSize(row)} /> },
              { key: 'places', title: 'Places', cell: ({ places }) => places },
              { key: 'price', title: 'Empty box', cell: ({ price_paise }) => formatPaise(price_paise) },
              { key: 'weight', title: 'Weight', cell: ({ weight_grams }) => formatGrams(weight_grams) },
              { key: 'listed', title: 'Status', cell: ({ is_listed }) => (is_listed ? 'Listed' : 'Not listed') },
            ]}
            empty={
              <EmptyState title="No boxes yet." text="Add a size and some sweets, and customers can fill boxes." />
            }
          />
        </div>
      </SubjectPanel>
      <SubjectPanel
        title="Sweets for boxes"
        why="Sweets sold by weight. The price of a piece follows from the price of 500 g and the weight of the piece."
        add={{ label: 'Add a sweet', onAdd: () => setSweet('new') }}
      >
        <div className={styles.middle}>
          <DataTable<BoxSweetRow>
            caption="Sweets for boxes"
            rows={sweets}
            rowKey={({ product_id }) => String(product_id)}
            rowLabel={({ name }) => name}
            columns={[
              {
                key: 'name',
                title: 'Sweet',
                cell: (row) => (
                  <span className={styles.sweet}>
                    <span className={styles.piece}>
                      <Piece of={{ image: row.image, pieceImage: row.piece_image }} />
                    </span>
                    <SubjectName name={row.name} onOpen={() => setSweet(row)} />
                  </span>
                ),
              },
              { key: 'grams', title: 'One piece', cell: ({ piece_grams }) => formatGrams(piece_grams) },
              { key: 'price', title: 'Price of a piece', cell: ({ piece_paise }) => formatPaise(piece_paise) },
              {
                key: 'status',
                title: 'Status',
                cell: (row) =>
                  !row.is_offered ? 'Not on sale by weight' : row.is_available ? 'Available' : 'Out of stock',
              },
            ]}
            empty={<EmptyState title="No sweets yet." text="Add the ones that keep their shape as single pieces." />}
          />
        </div>
      </SubjectPanel>
      {sizes.length > 0 && offered.length > 0 && (
        <Panel title="Preview">
          <ul className={styles.preview}>
            {sizes
              .filter(({ is_listed }) => is_listed)
              .map((row) => (
                <li key={row.id}>
                  <BoxPicture places={suggestion(row, offered)} find={(id) => lookOf(sweets, id)} />
                  {row.name}
                </li>
              ))}
          </ul>
        </Panel>
      )}
      <SizeDialog subject={size} onClose={() => setSize(null)} onChange={refetch} />
      <SweetDialog subject={sweet} others={others} onClose={() => setSweet(null)} onChange={refetch} />
    </>
  );
}

/** As the shop suggests it. */
function suggestion({ places }: BoxSizeRow, sweets: readonly BoxSweetRow[]): Place[] {
  const kinds = sweets.map(({ product_id, category }) => ({ productId: product_id, category }));
  return fillRest(
    Array.from({ length: places }, () => null),
    kinds,
    columnsOf(places),
  );
}

function lookOf(sweets: readonly BoxSweetRow[], id: number) {
  const row = sweets.find(({ product_id }) => product_id === id);
  return row && { image: row.image, pieceImage: row.piece_image };
}
