import type { SupabaseClient } from '@supabase/supabase-js';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { useSession } from '#app/backend/session.tsx';
import { type ArgsOf, type Contract, type ResultOf, readResult } from '#contracts/contract.ts';
import type { Database } from '#database-types';
import { markChanged } from './query-client.ts';
import { changedMeanwhile, checkArgs, type Failure, notLoggedIn, type Refusal, refusalOf } from './refusal.ts';
import { sendSignedIn, signInAgain } from './send-signed-in.ts';

type Tables = Database['public']['Tables'];

export type Outcome<T> = { ok: true; value: T } | Refusal;

/** The console's way to the server: reads that throw, writes that say what was wrong. */
export function useRequests() {
  const { client: anyClient, token, renewToken } = useSession();
  const queries = useQueryClient();
  return useMemo(() => {
    const session = { token, renewToken, signInAgain };
    /** With a session, or once there is one again. */
    async function client(): Promise<ShopClient> {
      // Where sign-in does not respond, what is sent with the client says so.
      await sendSignedIn(async () => ({ status: 200 }), session).catch(() => null);
      return anyClient();
    }

    /** For calls whose types come from a contract, and rows whose types come from the table's name. */
    const untyped = (): Promise<SupabaseClient> => anyClient();

    /** `args` as the contract has checked them. */
    async function send({ name }: Contract, args: Record<string, unknown>) {
      const supabase = await untyped();
      return sendSignedIn(() => supabase.rpc(name, args), session);
    }

    async function read<C extends Contract>(contract: C, args: ArgsOf<C>): Promise<ResultOf<C>> {
      const response = await send(contract, contract.args.parse(args));
      if (!response) throw new Error('not logged in');
      if (response.error) throw response.error;
      return readResult(contract, response.data);
    }

    async function act<C extends Contract>(contract: C, args: ArgsOf<C>): Promise<Outcome<ResultOf<C>>> {
      const checked = checkArgs(contract, args);
      if (!checked.ok) return checked;
      return attempt(queries, async () => {
        const response = await send(contract, checked.value);
        if (!response) return notLoggedIn;
        const { data, error, status } = response;
        if (error) return refusalOf(error, status);
        return { ok: true, value: readResult(contract, data) };
      });
    }

    type Written<Name extends keyof Tables> = {
      data: Tables[Name]['Row'][] | null;
      error: Failure | null;
      status: number;
    };
    /** Of a table whose rows have `id` and `updated_at`; an update of a row that was changed since changes nothing. */
    async function write<Name extends keyof Tables>(
      table: Name,
      change: (rows: ReturnType<SupabaseClient['from']>) => PromiseLike<Written<Name>>,
    ): Promise<Outcome<Tables[Name]['Row']>> {
      return attempt(queries, async () => {
        const supabase = await untyped();
        const response = await sendSignedIn(() => change(supabase.from(table)), session);
        if (!response) return notLoggedIn;
        const { data, error, status } = response;
        if (error) return refusalOf(error, status);
        return data?.[0] ? { ok: true, value: data[0] } : changedMeanwhile;
      });
    }

    type Seen = { key: number; seen: string };
    return {
      read,
      act,
      client,
      token,
      insertRow: <Name extends keyof Tables>(table: Name, values: Tables[Name]['Insert']) =>
        write(table, (rows) => rows.insert(values).select()),
      /** One that carries the id it was typed under: sent again because no answer came, it is still one row. */
      putRow: <Name extends keyof Tables>(table: Name, values: Tables[Name]['Insert'] & { entry_id: string }) =>
        write(table, (rows) => rows.upsert(values, { onConflict: 'entry_id' }).select()),
      updateRow: <Name extends keyof Tables>(table: Name, { key, seen }: Seen, values: Tables[Name]['Update']) =>
        write(table, (rows) => rows.update(values).eq('id', key).eq('updated_at', seen).select()),
      deleteRow: <Name extends keyof Tables>(table: Name, { key, seen }: Seen) =>
        write(table, (rows) => rows.delete().eq('id', key).eq('updated_at', seen).select()),
    };
  }, [anyClient, token, renewToken, queries]);
}

/** A change that may have failed on its way is as much of a reason to read again as one that succeeded. */
async function attempt<T>(queries: QueryClient, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    console.warn('a change failed', error);
    return {
      ok: false,
      reason: 'failed',
      field: null,
      message: 'The shop didn’t respond. Check your connection and try again.',
    };
  } finally {
    markChanged(queries);
  }
}
