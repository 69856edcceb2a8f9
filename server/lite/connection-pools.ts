// Upstream: the library has one pool of postgres.js for everything, waits in it without a limit, and goes on using a
// connection that was lost in a transaction.
// Can go when supabase/tests/held-connections.test.ts passes with the library's own pool.
import type { Options, PostgresType, ReservedSql } from 'postgres';
import { beginWork, waitingSignal } from '../host/request-scope.ts';
import { RESPONSE_TIMEOUT_MS } from '../postgres/time-limits.ts';
import { createTransactionPool } from '../postgres/transaction-pool.ts';
import { numberTokens } from './auth/numbered-tokens.ts';
import { batchSettings } from './batch-settings.ts';
import { currentCall, type LitePool } from './current-call.ts';
import { settingsOfRole } from './role-settings.ts';

type PoolOptions = {
  /** How many connections each pool has. */
  sizes: Record<LitePool, number>;
  /** The Auth tables are those of a Supabase project (`hasPlatformAuth`). */
  platformAuth: boolean | undefined;
};

export type ConnectionPools = {
  /** A connection of the current call's pool. */
  reserve(): Promise<ReservedSql>;
  /** Resolves when a connection of the pool responds. */
  ping(name: LitePool): Promise<void>;
  end(): Promise<unknown>;
};

/** A pool for each part of the library. `driverOptions`: with the parameters and types of the library's own driver. */
export function connectionPools(
  driverOptions: Options<Record<string, PostgresType>>,
  options: PoolOptions,
): ConnectionPools {
  const poolOf = (name: LitePool) => {
    const connection = { ...driverOptions.connection, application_name: name }; // shown in pg_stat_activity
    return createTransactionPool({ ...driverOptions, connection }, options.sizes[name], RESPONSE_TIMEOUT_MS);
  };
  const pools = { 'data-api': poolOf('data-api'), 'sign-in': poolOf('sign-in') };
  return {
    async reserve() {
      const { pool = 'data-api', waitsUntil } = currentCall() ?? {};
      const withinMs = waitsUntil === undefined ? RESPONSE_TIMEOUT_MS : Math.max(1, waitsUntil - performance.now());
      const reserved = await pools[pool].reserve({ signal: waitingSignal(), withinMs });
      beginWork();
      const numbered = options.platformAuth ? numberTokens(reserved) : reserved;
      // The session is checked in the statement that sets the caller, so that it costs no round trip.
      return batchSettings(numbered, { ofRole: settingsOfRole, check: 'private.check_session()' });
    },
    async ping(name) {
      const reserved = await pools[name].reserve({ first: true });
      try {
        await reserved`select 1`;
      } finally {
        reserved.release();
      }
    },
    end: () => Promise.all(Object.values(pools).map((pool) => pool.end())),
  };
}
