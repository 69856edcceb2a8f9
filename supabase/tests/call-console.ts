import type { Sql } from 'postgres';
import { allContracts } from '../../tests/support/contracts.ts';
import { as } from '../../tests/support/rows.ts';
import { readResult } from '../contracts/contract.ts';

const contracts = await allContracts();

export type Args = Record<string, string | number | boolean | object | null>;
export type Page<Row> = { rows: Row[]; next: string | null; count: number; count_is_capped: boolean };

/** A request of the console as the browser's rpc makes it: arguments by name. Its result has to fit the contract. */
export function callConsole<T>(sql: Sql, caller: { userId: string }, name: string, args: Args = {}): Promise<T> {
  return as(sql, caller, async (tx) => {
    const given = Object.entries(args);
    // As text where the driver would round to milliseconds.
    const list = given.map(([key], n) => `${key} => $${n + 1}${key === 'seen' ? '::text::timestamptz' : ''}`);
    const values = given.map(([, value]) => value) as never[];
    const [row] = await tx.unsafe<{ answer: T; json: unknown }[]>(
      `select a as answer, to_jsonb(a) as json from public.${name}(${list.join(', ')}) as a`,
      values,
    );
    const contract = contracts.get(name);
    if (!contract) throw new Error(`${name} has no contract`);
    readResult(contract, row?.json);
    return row?.answer as T;
  });
}
