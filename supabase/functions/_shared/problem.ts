/** What every refusal looks like: a code for programs, a sentence for people. */
export function problem(status: number, code: string, message: string, headers?: HeadersInit): Response {
  return Response.json({ error: { code, message } }, { status, ...(headers ? { headers } : {}) });
}
