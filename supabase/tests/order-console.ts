// Requests of the console about orders, on a test database, as the Data API would run them.
import type { Sql } from 'postgres';
import { allContracts } from '../../tests/support/contracts.ts';
import { as, insertUser } from '../../tests/support/rows.ts';
import { readResult } from '../contracts/contract.ts';

const contracts = await allContracts();

/** What a request refused: its code, its sentence, and the field it concerns or 'stale'. */
export type Refused = { code: string; message: string; detail: string };
export type OrderConsole = Awaited<ReturnType<typeof openConsole>>;

/** The console of a new administrator. */
export async function openConsole(sql: Sql, name = 'Asha Rao') {
  const userId = await insertUser(sql, { administrator: true, name });

  const ask = <T = Record<string, unknown>>(request: string, args: Record<string, unknown>): Promise<T> =>
    as(sql, { userId }, async (tx) => {
      const names = Object.keys(args);
      // As text: a Date has no microseconds.
      const list = names
        .map((key, n) => `${key} => $${n + 1}${key === 'seen' ? '::text::timestamptz' : ''}`)
        .join(', ');
      const [row] = await tx.unsafe(
        `select a as answer, to_jsonb(a) as json from public.${request}(${list}) as a`,
        Object.values(args) as never[],
      );
      const contract = contracts.get(request);
      if (!contract) throw new Error(`${request} has no contract`);
      readResult(contract, row?.json);
      return row?.answer as T;
    });

  const seen = async (orderId: string): Promise<string> =>
    (await sql`select to_jsonb(updated_at) #>> '{}' as seen from public.orders where id = ${orderId}`)[0]?.seen;

  return {
    userId,
    ask,
    seen,
    /** Sends the request with the version of the order that was just read. */
    act: async <T = Record<string, unknown>>(request: string, orderId: string, args: Record<string, unknown> = {}) =>
      ask<T>(request, { order_id: orderId, ...args, seen: await seen(orderId) }),
    read: (orderId: string) => ask<ReadOrder>('admin_read_order', { order_id: orderId }),
  };
}

/** The refusal of a request; throws when there was none. */
export async function refusalOf(asked: Promise<unknown>): Promise<Refused> {
  const outcome = await asked.then(
    (answer) => ({ answer }),
    (error: Refused) => ({ error }),
  );
  if ('answer' in outcome) throw new Error(`it was not refused: ${JSON.stringify(outcome.answer)}`);
  const { code, message, detail } = outcome.error;
  return { code, message, detail: detail ?? '' };
}

export type ReadOrder = {
  status: string;
  payment_status: string;
  updated_at: string;
  lines: { name: string; line_paise: number; cost_paise: number | null; grams: number }[];
  money: { paid_paise: number; refunded_paise: number; under_way_paise: number; refundable_paise: number };
  refundable_lines: { order_item_id: number; paise: number }[];
  payment: Record<string, unknown> | null;
  refunds: {
    id: string;
    amount_paise: number;
    status: string;
    note: string;
    asked_by: string | null;
    can_retry: boolean;
    is_by_hand: boolean;
  }[];
  events: { to_status: string; role: string; by: string | null; note: string }[];
  changes: { by: string; before: Record<string, unknown>; after: Record<string, unknown> }[];
  notes: { note: string; by: string }[];
  customer: Record<string, unknown> | null;
  mails: { key: string; template: string; sendings: { state: string; problem: string | null }[] }[];
};
