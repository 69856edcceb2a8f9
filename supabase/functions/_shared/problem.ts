/** A rejected product or size of box, where the rest could be ordered without it. */
export type ProblemLine = { product_id?: number; box_id?: number; message: string };

/** Every error response: a code for programs, a message for people. */
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
