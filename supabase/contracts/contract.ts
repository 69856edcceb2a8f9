import type { Database } from '../database.types.ts';
import { z } from './z.ts';

export type FunctionName = keyof Database['public']['Functions'];

/** A SQL function of schema public, with what it takes and what it returns. A test compares it with the database. */
export type Contract<
  Args extends z.ZodType<Record<string, unknown>> = z.ZodType<Record<string, unknown>>,
  Result extends z.ZodType = z.ZodType,
> = { readonly name: FunctionName; readonly args: Args; readonly result: Result };

export type ArgsOf<C extends Contract> = z.input<C['args']>;
export type ResultOf<C extends Contract> = z.output<C['result']>;

/** `args` by name, optional where the function has a default; one that it does not have is refused. */
export function defineFunction<Shape extends z.ZodRawShape, Result extends z.ZodType>(
  name: FunctionName,
  args: Shape,
  result: Result,
): Contract<z.ZodObject<Shape, z.core.$strict>, Result> {
  return { name, args: z.strictObject(args), result };
}

/** Calls a SQL function by its named arguments: a way to the database that checks nothing itself. */
export type Rpc = (name: FunctionName, args: Record<string, unknown>) => Promise<unknown>;

/** Calls a SQL function; arguments and result are checked. A mismatch is a bug and throws. */
export async function call<C extends Contract>(rpc: Rpc, contract: C, args: ArgsOf<C>): Promise<ResultOf<C>> {
  return readResult(contract, await rpc(contract.name, contract.args.parse(args)));
}

/** Validates a response by its contract, for requests that are not made through `call`. */
export function readResult<C extends Contract>({ name, result }: C, data: unknown): ResultOf<C> {
  const read = result.safeParse(data);
  if (read.success) return read.data as ResultOf<C>;
  throw new Error(`${name}: the result is not what its contract says: ${z.prettifyError(read.error)}`);
}

/** A function that returns void: null from the Data API, an empty text from PostgreSQL. */
export const nothing = z.unknown().transform(() => undefined);

/** A moment as PostgreSQL writes it, or as ISO 8601; kept as text. */
export const moment = z.string();
/** yyyy-mm-dd */
export const day = z.string();
/** When the caller thinks it is; the database's clock where left out. */
export const at = moment.optional();
/** jsonb that only the function itself understands, such as the place where the next page begins. */
export const json = z.unknown();
export const fulfilment = z.enum(['delivery', 'pickup']);
/** Where the next page of a list begins: what the page before called `next`. */
export const Cursor = z.record(z.string(), z.unknown()).nullish();
/** What a list of the console is filtered by; the function ignores or rejects what it does not know. */
export const Filter = z.record(z.string(), z.unknown());
