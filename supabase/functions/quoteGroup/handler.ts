import { call } from '../../contracts/contract.ts';
import { quoteGroup as quoteGroupInSql } from '../../contracts/groups.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { GroupBody, groupFrom, shortProduct, wrongRow } from '../_shared/group-body.ts';
import { postedBody } from '../_shared/input.ts';
import { problem } from '../_shared/problem.ts';
import { refuse, statusAndSentence } from '../_shared/refusals.ts';

/** The dry run of a group order: what each recipient costs, or what is wrong with the row. Stores nothing. */
export async function quoteGroup(request: Request, { db, customer, now }: FunctionContext): Promise<Response> {
  if (request.method === 'POST' && !customer)
    return problem(401, 'sign-in-required', 'You need to log in to calculate totals.');
  const posted = await postedBody(request, GroupBody);
  if (!posted.ok) return posted.response;
  const quote = await call(db.rpc, quoteGroupInSql, {
    customer_id: customer?.id ?? '',
    ...groupFrom(posted.body),
    at: now().toISOString(),
  });
  if (!quote.ok) return refuse(quote);
  return Response.json({
    rows: quote.rows.map((row) =>
      row.ok
        ? {
            row: row.place,
            sub_total: row.sub_total_paise / 100,
            tax: row.tax_paise / 100,
            shipping_rate: row.shipping_paise / 100,
            total: row.total_paise / 100,
            delivery_by: row.delivery_by,
          }
        : { ...wrongRow(row) },
    ),
    short: quote.short.map(shortProduct),
    refused: quote.refused && { code: quote.refused.reason, message: statusAndSentence(quote.refused)[1] },
    key: quote.key,
    total: quote.total_paise / 100,
  });
}
