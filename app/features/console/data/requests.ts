import type { SupabaseClient } from '@supabase/supabase-js';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ShopClient } from '#app/backend/client.ts';
import { useSession } from '#app/backend/session.tsx';
import { type ArgsOf, type Contract, type ResultOf, readResult } from '#contracts/contract.ts';
import type { Database } from '#database-types';
import { changedMeanwhile, type Failure, notLoggedIn, type Refusal, refusalOf } from './refusal.ts';
import { sendSignedIn, signInAgain } from './send-signed-in.ts';

type Tables = Database['public']['Tables'];

export type Outcome<T> = { ok: true; value: T } | Refusal;

export type Loaded<T> = { state: 'loading' } | { state: 'failed' } | { state: 'ready'; value: T };

/** The console's way to the server: reads that throw, writes that say what was wrong. */
export function useRequests() {
  const { client: anyClient, token, renewToken } = useSession();
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

    async function send<C extends Contract>({ name, args: schema }: C, args: ArgsOf<C>) {
      const supabase = await untyped();
      const checked = schema.parse(args);
      return sendSignedIn(() => supabase.rpc(name, checked), session);
    }

    async function ask<C extends Contract>(contract: C, args: ArgsOf<C>): Promise<ResultOf<C>> {
      const response = await send(contract, args);
      if (!response) throw new Error('nobody is logged in');
      if (response.error) throw response.error;
      return readResult(contract, response.data);
    }

    async function act<C extends Contract>(contract: C, args: ArgsOf<C>): Promise<Outcome<ResultOf<C>>> {
      return attempt(async () => {
        const response = await send(contract, args);
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
    /** Of a table whose rows have `id` and `updated_at`; an update of what somebody else changed changes nothing. */
    async function write<Name extends keyof Tables>(
      table: Name,
      change: (rows: ReturnType<SupabaseClient['from']>) => PromiseLike<Written<Name>>,
    ): Promise<Outcome<Tables[Name]['Row']>> {
      return attempt(async () => {
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
      ask,
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
  }, [anyClient, token, renewToken]);
}

// What was read is shown again at once when somebody comes back, and read anew meanwhile. Whatever is written may show
// anywhere, so it empties this.
const answers = new Map<string, unknown>();
const mostAnswers = 60;

const listeners = new Set<() => void>();

export function forgetAnswers(): void {
  answers.clear();
  for (const listener of listeners) listener();
}

/** Calls back whenever something was written, here or elsewhere, until the returned function is called. */
export function onDataChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What a request answers; again on `reload`. `args` null: not yet. The old answer stays while the next one comes. */
export function useAnswer<C extends Contract>(
  contract: C,
  args: ArgsOf<C> | null,
): { loaded: Loaded<ResultOf<C>>; reload(): void; isStale: boolean } {
  const { ask } = useRequests();
  const key = args === null ? null : `${contract.name} ${JSON.stringify(args)}`;
  const [shown, setShown] = useState<{ key: string | null; loaded: Loaded<ResultOf<C>> }>({
    key: null,
    loaded: { state: 'loading' },
  });
  const [attempts, setAttempts] = useState(0);
  const question = useRef({ contract, args });
  question.current = { contract, args };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the arguments; an attempt asks again
  useEffect(() => {
    const { contract, args } = question.current;
    if (key === null || args === null) return;
    let gone = false;
    ask(contract, args).then(
      (value) => {
        remember(key, value);
        if (!gone) setShown({ key, loaded: { state: 'ready', value } });
      },
      (error) => {
        console.warn(`${contract.name} was not answered`, error);
        if (!gone) setShown({ key, loaded: { state: 'failed' } });
      },
    );
    return () => {
      gone = true;
    };
  }, [ask, key, attempts]);

  const reload = useCallback(() => setAttempts((count) => count + 1), []);
  const isAnswered = shown.key === key;
  const remembered = !isAnswered && key !== null && answers.has(key);
  const loaded: Loaded<ResultOf<C>> = remembered
    ? { state: 'ready', value: answers.get(key) as ResultOf<C> }
    : isAnswered || shown.loaded.state === 'ready'
      ? shown.loaded
      : { state: 'loading' };
  return { loaded, reload, isStale: !isAnswered };
}

function remember(key: string, value: unknown): void {
  answers.delete(key);
  answers.set(key, value);
  for (const oldest of answers.keys()) {
    if (answers.size <= mostAnswers) break;
    answers.delete(oldest);
  }
}

async function attempt<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    console.warn('a change was not answered', error);
    return {
      ok: false,
      reason: 'failed',
      field: null,
      message: 'The shop didn’t respond. Check your connection and try again.',
    };
  } finally {
    forgetAnswers();
  }
}
