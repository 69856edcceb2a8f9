import type { Mailer } from '../../../adapters/mail/mail.ts';
import type { Messenger } from '../../../adapters/messages/messenger.ts';
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
  /** null: payments are not configured. */
  payments: PaymentProvider | null;
  /** null: mail is not configured. */
  mailer: Mailer | null;
  /** null: WhatsApp and SMS are not configured. */
  messenger: Messenger | null;
  siteUrl: string;
  now(): Date;
  report(problem: string, error: unknown): void;
};

export type FunctionContext = WorkerContext & {
  /** The signed-in customer; null for visitors. */
  customer: Customer | null;
  /** A keyed hash of the client address; null where addresses do not tell customers apart. */
  addressHash: string | null;
  /** The secret of runJobs; null: disabled. */
  jobsSecret: string | null;
  /** How long runJobs begins new rounds, where a request must end sooner than on a hosted project. */
  jobsWorkForMs?: number;
  /** Starts the next round of jobs now. */
  wake(): void;
};

export type FunctionHandler = (request: Request, context: FunctionContext) => Promise<Response>;
