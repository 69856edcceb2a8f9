import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';

/** The connection was lost, and nobody can tell whether before or after the commit. */
export class OutcomeUnknown extends Error {}

const ANSWERS_WITHIN_MS = 15_000;
const PAUSE_MS = 250;

/** Like `sql.begin`; but where the answer to its commit is lost, the database is asked whether there was one. */
export async function beginSurely<T>(sql: Sql, work: (transaction: TransactionSql) => Promise<T>): Promise<T> {
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
  const limit = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  // The client itself tries for ever where a connection is taken and dropped at once.
  const tooLate = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(new OutcomeUnknown('it does not answer')));
  });
  const ask = async () => {
    for (;;) {
      const [row] = await sql<{ status: string }[]>`select pg_xact_status(${id ?? ''}::text::xid8) as status`;
      if (row?.status === 'committed' || row?.status === 'aborted') return row.status;
      await sleep(PAUSE_MS); // it has not noticed yet that we are gone
    }
  };
  return Promise.race([ask(), tooLate]).catch((error: Error) => {
    throw error instanceof OutcomeUnknown ? error : new OutcomeUnknown(error.message, { cause: error });
  });
}
