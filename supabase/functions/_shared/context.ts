import type { Database } from '../../database.types.ts';

type Functions = Database['public']['Functions'];

/** The only way from a function to the database: one SQL function per step, called as the service role. */
export type DatabasePort = {
  rpc<Name extends keyof Functions & string>(
    name: Name,
    args: Functions[Name]['Args'],
  ): Promise<Functions[Name]['Returns']>;
};

export type Customer = { id: string; email: string | null };

export type FunctionContext = {
  db: DatabasePort;
  /** Whoever sent a valid token; null for everybody else. */
  customer: Customer | null;
  now(): Date;
};

export type FunctionHandler = (request: Request, context: FunctionContext) => Promise<Response>;
