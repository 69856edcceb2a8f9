import { z } from 'zod';
import { documentFileName } from '../../../domain/documents/tax-document.ts';
import { call } from '../../contracts/contract.ts';
import { readDocument, readDocuments } from '../../contracts/documents.ts';
import type { FunctionHandler } from '../_shared/context.ts';
import { fileOf } from '../_shared/file-response.ts';
import { problem } from '../_shared/problem.ts';
import { recordDownload } from '../_shared/record-download.ts';
import { drawn, zipOf } from '../_shared/zip-documents.ts';

// Supabase gives a function two seconds of computing for an answer; this many documents take less than one, fonts and all.
const MOST_DOCUMENTS = 25;

const After = z
  .string()
  .regex(/^[12],\d{1,4},\d{1,9}$/)
  .transform((place) => place.split(',').map(Number))
  .optional();

/**
 * One document for its customer and for administrators; many, as a ZIP file, for administrators. Of more than fit into an
 * answer it holds the first, and the header x-next says after which to ask for the rest.
 */
const Question = z.union([
  z.strictObject({ order: z.uuid(), credit_note: z.uuid().optional() }),
  z.strictObject({
    orders: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.uuid()).min(1).max(100)),
    after: After,
  }),
  z.strictObject({ month: z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/), after: After }),
]);

export const invoice: FunctionHandler = async (request, context) => {
  const { db, customer } = context;
  if (request.method !== 'GET') return problem(405, 'method-not-allowed', 'Use GET.', { allow: 'GET' });
  if (!customer) return problem(401, 'sign-in-required', 'Please log in to see your documents.');
  const asked = Question.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  // A missing document and another customer's get the same response.
  const nothing = () => problem(404, 'unknown-document', 'We couldn’t find this document.');
  if (!asked.success) return nothing();
  const question = asked.data;

  if ('order' in question) {
    const document = await call(db.rpc, readDocument, {
      asker: customer.id,
      order_id: question.order,
      credit_note: question.credit_note ?? null,
    });
    if (!document) return nothing();
    return fileOf(await drawn(document), 'application/pdf', documentFileName(document));
  }

  const page = await call(db.rpc, readDocuments, {
    asker: customer.id,
    order_ids: 'orders' in question ? question.orders : null,
    month: 'month' in question ? `${question.month}-01` : null,
    after: question.after ?? null,
  });
  if (!page) return nothing();
  if (page.documents.length === 0)
    return problem(
      404,
      'no-documents',
      'None of these orders has an invoice yet. Invoices are issued when an order is packed.',
    );
  await recordDownload(request, context, 'documents');
  const documents = page.documents.slice(0, MOST_DOCUMENTS);
  const hasMore = page.documents.length > documents.length || page.next !== null;
  const name = 'month' in question ? `invoices-${question.month}.zip` : 'invoices.zip';
  // x-left-out: how many of the orders that were asked for have nothing in it.
  return fileOf(await zipOf(documents), 'application/zip', name, {
    ...(page.without_invoice > 0 && { 'x-left-out': String(page.without_invoice) }),
    ...(hasMore && { 'x-next': String(documents.at(-1)?.place) }),
  });
};
