import type { OrderRow } from '#contracts/console/orders.ts';
import { undoSeconds } from '#domain/orders/undo.ts';
import { useSelection } from '../../list/selection.ts';
import { UndoMoves } from '../../order-status/undo-moves.tsx';
import { BulkBar, MoveDialog } from './bulk-bar.tsx';
import { useMoves } from './use-moves.ts';

const idOf = ({ id }: OrderRow) => id;

/** Orders of a list that are selected, and their moves. `reload` reads these, and may return others as well. */
export function useSelectedOrders<Row extends OrderRow>(
  shown: readonly Row[],
  reload: (ids: readonly string[]) => Promise<readonly Row[]>,
) {
  const selection = useSelection<Row>(shown, idOf);
  const moves = useMoves(async (ids) => {
    const rows = await reload(ids);
    selection.learn(rows);
    return rows.filter(({ id }) => ids.includes(id));
  });
  return { selection, moves, selectShown: () => selection.select([...selection.keys, ...shown.map(idOf)]) };
}

type SelectedOrdersProps = Pick<ReturnType<typeof useSelectedOrders>, 'moves'> & {
  selection: { rows: readonly OrderRow[]; hidden: number; clear(): void };
};

/** The bar of what can be done with the selected orders, and the question before it is done. */
export function SelectedOrders({ selection, moves }: SelectedOrdersProps) {
  const { undoable } = moves;
  return (
    <>
      {selection.rows.length > 0 && (
        <BulkBar
          chosen={selection.rows}
          hidden={selection.hidden}
          undo={
            undoable && (
              <UndoMoves
                key={undoable.moves.map(({ id, seen }) => id + seen).join()}
                moves={undoable.moves}
                seconds={undoSeconds}
                onEnd={() => moves.endUndo(undoable)}
              />
            )
          }
          onAsk={moves.ask}
          onClear={selection.clear}
        />
      )}
      <MoveDialog plan={moves.asked} onConfirm={moves.confirm} onClose={moves.close} />
    </>
  );
}
