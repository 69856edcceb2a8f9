/** A product to blame, where the rest of an order could be had without it. */
export type ProblemLine = { product_id: number; message: string };

/** What every refusal looks like: a code for programs, a sentence for people. */
export function problem(
  status: number,
  code: string,
  message: string,
  headers?: HeadersInit,
  lines?: ProblemLine[],
): Response {
  const error = { code, message, ...(lines ? { lines } : {}) };
  return Response.json({ error }, { status, ...(headers ? { headers } : {}) });
}
