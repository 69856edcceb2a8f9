/** As Supabase's Auth reports an error. */
export function authError(status: number, code: string, message: string): Response {
  return Response.json({ code: status, error_code: code, msg: message }, { status });
}
