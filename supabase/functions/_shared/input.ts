import { z } from 'zod';
import { problem } from './problem.ts';

// "Products"."Id" is a bigint; beyond a safe integer no product exists.
export const ProductId = z.union([
  z.int().positive(),
  z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .pipe(z.int()),
]);

/** Provider ids go into addresses and logs: letters, digits and underscores. */
export const ProviderId = z.string().regex(/^[A-Za-z0-9_]{1,40}$/);

/** The body of a POST, checked; or the answer that refuses it. */
export async function postedBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<{ ok: true; body: z.infer<Schema> } | { ok: false; response: Response }> {
  if (request.method !== 'POST')
    return { ok: false, response: problem(405, 'method-not-allowed', 'Use POST.', { allow: 'POST' }) };
  const parsed = schema.safeParse(await request.json().catch(() => null));
  if (parsed.success) return { ok: true, body: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.');
  return {
    ok: false,
    response: problem(400, 'invalid-body', `This is not what we expected${where ? ` in ${where}` : ''}.`),
  };
}
