import { z } from 'zod';
import { call } from '../../contracts/contract.ts';
import { openGroup } from '../../contracts/groups.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { GroupBody, groupFrom, shortProduct, wrongRow } from '../_shared/group-body.ts';
import { postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';
import { orderAtProvider } from '../_shared/provider-order.ts';
import { refuse, statusAndSentence } from '../_shared/refusals.ts';

const Body = GroupBody.extend({
  /** What quoteGroup returned for exactly these recipients. */
  key: z.string().regex(/^[0-9a-f]{32}$/),
});

/** Opens a checkout for each recipient, reserves their stock, and creates the one order of the provider. Idempotent. */
export async function createGroupOrder(request: Request, context: FunctionContext): Promise<Response> {
  const { db, customer, payments, now } = context;
  if (request.method === 'POST' && !customer)
    return problem(401, 'sign-in-required', 'You need to log in to proceed with the purchase.');
  const posted = await postedBody(request, Body);
  if (!posted.ok) return posted.response;
  if (!payments) return problem(503, 'no-payments', 'We don’t take online payments yet. Please write to us.');

  const opened = await call(db.rpc, openGroup, {
    customer_id: customer?.id ?? '',
    ...groupFrom(posted.body),
    key: posted.body.key,
    at: now().toISOString(),
    ...(context.addressHash && { ip_hash: context.addressHash }),
  });
  if (opened.ok)
    return orderAtProvider(context, payments, { ...opened, id: opened.group_id }, { group_id: opened.group_id });
  if (!opened.rows && !opened.short) return refuse(opened);
  const [status, message] = statusAndSentence(opened);
  return Response.json(
    {
      error: {
        code: opened.reason,
        message,
        ...(opened.rows && { rows: opened.rows.map(wrongRow) }),
        ...(opened.short && { short: opened.short.map(shortProduct) }),
      },
    },
    { status },
  );
}
