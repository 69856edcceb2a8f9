import { useState } from 'react';
import { ordersInWords, statusWords } from '#app/features/console/order-status/order-words.ts';
import { toast } from '#app/ui/toast.tsx';
import { type MoveAnswer, moveOrders, type OrderRow } from '#contracts/console/orders.ts';
import { needsConfirmation } from '#domain/orders/quick-moves.ts';
import type { OrderStatus } from '#domain/orders/status.ts';
import { canBeUndone } from '#domain/orders/undo.ts';
import { type Outcome, useRequests } from '../../data/requests.ts';
import { type MovedOrder, useUndo } from '../../order-status/undo-moves.tsx';

export type Plan = {
  to: OrderStatus;
  orders: readonly OrderRow[];
  /** Chosen too, and not able to go there. */
  others: readonly OrderRow[];
};

type Undoable = { moves: readonly MovedOrder[]; text: string };

/** Of admin_move_orders(). */
const mostAtOnce = 100;

/** The next step's button appears in the same place: a double press must not press it. */
const restMs = 700;

/** Changes the status of orders: of one at once, of several after a confirmation. */
export function useMoves(refresh: (ids: readonly string[]) => Promise<OrderRow[]>) {
  const { act } = useRequests();
  const undo = useUndo();
  const [undoable, setUndoable] = useState<Undoable | null>(null);
  const [asked, setAsked] = useState<Plan | null>(null);
  const [refusals, setRefusals] = useState<MoveAnswer['refused']>([]);
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());

  async function move({ to, orders }: Plan): Promise<boolean> {
    const ids = orders.map(({ id }) => id);
    setRefusals([]);
    setBusy((before) => new Set([...before, ...ids]));
    const moves = orders.map(({ id, updated_at }) => ({ id, seen: updated_at }));
    const outcome = await moveInBatches(moves, to);
    // Also orders that someone else moved: the list shows their status.
    const now = await refresh(ids).catch((): OrderRow[] => []);
    setTimeout(() => setBusy((before) => new Set([...before].filter((id) => !ids.includes(id)))), restMs);
    setAsked(null);
    if (!outcome.ok) {
      toast('error', outcome.message);
      return false;
    }
    const { moved, refused } = outcome.value;
    setRefusals(refused);
    if (moved.length > 0) {
      const what =
        moved.length === 1
          ? `Order ${orders.find(({ id }) => id === moved[0])?.number} is`
          : `${ordersInWords(moved.length)} are`;
      const text = `${what} ${statusWords[to].done}.`;
      const back = now.filter(({ id }) => moved.includes(id)).map(({ id, updated_at }) => ({ id, seen: updated_at }));
      if (back.length > 0 && canBeUndone(to)) offerUndo({ moves: back, text });
      else toast('success', text);
    }
    return refused.length === 0;
  }

  /** More than fit into one request go one batch after the other; the first that fails ends it. */
  async function moveInBatches(moves: readonly MovedOrder[], to: OrderStatus): Promise<Outcome<MoveAnswer>> {
    const all: MoveAnswer = { moved: [], refused: [] };
    for (let from = 0; from < moves.length; from += mostAtOnce) {
      const outcome = await act(moveOrders, { moves: moves.slice(from, from + mostAtOnce), to_status: to });
      if (!outcome.ok) return all.moved.length > 0 ? { ok: true, value: all } : outcome;
      all.moved.push(...outcome.value.moved);
      all.refused.push(...outcome.value.refused);
    }
    return { ok: true, value: all };
  }

  /** Near the finger for a moment; for the rest of the minute beside what is selected, and on the order's own page. */
  function offerUndo(offered: Undoable) {
    setUndoable(offered);
    toast('success', offered.text, { label: 'Undo', run: () => void undo(offered.moves).then(() => endUndo(offered)) });
  }
  function endUndo(offered: Undoable) {
    setUndoable((shown) => (shown === offered ? null : shown));
    void refresh(offered.moves.map(({ id }) => id)).catch(() => {});
  }

  return {
    asked,
    undoable,
    endUndo,
    refusals,
    busy,
    moveOne(order: OrderRow, to: OrderStatus) {
      const plan = { to, orders: [order], others: [] };
      if (needsConfirmation(to)) setAsked(plan);
      else void move(plan);
    },
    ask: setAsked,
    confirm: () => (asked ? move(asked) : Promise.resolve(false)),
    close: () => setAsked(null),
    forgetRefusals: () => setRefusals([]),
  };
}
