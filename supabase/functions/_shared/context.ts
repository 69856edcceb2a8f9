import type { Mailer } from '../../../adapters/mail/mail.ts';
import type { PaymentProvider } from '../../../adapters/payments/provider.ts';
import type { Rpc } from '../../contracts/contract.ts';

/**
 * The only way from a function to the database: one SQL function per step, called as the service role and through its
 * contract, `call(db.rpc, …)`.
 */
export type DatabasePort = { rpc: Rpc };

/** `sessionId`: of the token; null where it names none. */
export type Customer = { id: string; email: string | null; sessionId: string | null };

/** What work between requests needs. */
export type WorkerContext = {
  db: DatabasePort;
  /** null: this shop takes no payments yet. */
  payments: PaymentProvider | null;
  /** null: this shop sends no mail yet. */
  mailer: Mailer | null;
  siteUrl: string;
  now(): Date;
  report(problem: string, error: unknown): void;
};

export type FunctionContext = WorkerContext & {
  /** Whoever sent a valid token; null for everybody else. */
  customer: Customer | null;
  /** A keyed hash of the address the request came from; null where that tells customers not apart. */
  addressHash: string | null;
  /** What runJobs must be told; null: nobody may ask. */
  jobsSecret: string | null;
  /** How long runJobs begins new rounds, where a request must end sooner than on a hosted project. */
  jobsWorkForMs?: number;
  /** There is work to do: no need to wait for the next round. */
  wake(): void;
};

export type FunctionHandler = (request: Request, context: FunctionContext) => Promise<Response>;
