import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';

/** The connection was lost, and the database could not be asked whether the commit succeeded. */
export class CommitUnknown extends Error {}

const RESPONSE_TIMEOUT_MS = 15_000;
const PAUSE_MS = 250;

/** Like `sql.begin`, but checks whether the transaction was committed when the response to its commit was lost. */
export async function beginConfirmed<T>(sql: Sql, work: (transaction: TransactionSql) => Promise<T>): Promise<T> {
  let id: string | undefined;
  let finished: { value: T } | undefined;
  try {
    await sql.begin(async (transaction) => {
      const [row] = await transaction<{ id: string }[]>`select pg_current_xact_id()::text as id`;
      id = row?.id;
      finished = { value: await work(transaction) };
    });
  } catch (error) {
    if (!finished) throw error; // the commit was never sent
    if ((await outcomeOf(sql, id)) === 'aborted') throw error;
  }
  if (!finished) throw new Error('a transaction ended without its work');
  return finished.value;
}

async function outcomeOf(sql: Sql, id: string | undefined): Promise<'committed' | 'aborted'> {
  const limit = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  // The client retries for ever when connections are accepted and dropped.
  const tooLate = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(new CommitUnknown('it does not respond')));
  });
  const poll = async () => {
    for (;;) {
      const [row] = await sql<{ status: string }[]>`select pg_xact_status(${id ?? ''}::text::xid8) as status`;
      if (row?.status === 'committed' || row?.status === 'aborted') return row.status;
      await sleep(PAUSE_MS); // still in progress there
    }
  };
  return Promise.race([poll(), tooLate]).catch((error: Error) => {
    throw error instanceof CommitUnknown ? error : new CommitUnknown(error.message, { cause: error });
  });
}
