import { z } from 'zod';
import { documentFileName, type TaxDocument } from '../../../domain/documents/tax-document.ts';
import type { FunctionHandler } from '../_shared/context.ts';
import { problem } from '../_shared/problem.ts';
import { zipOf } from './zip.ts';

/** One document for its customer and for administrators; many, as a ZIP file, for administrators. */
const Question = z.union([
  z.strictObject({ order: z.uuid(), credit_note: z.uuid().optional() }),
  z.strictObject({
    orders: z
      .string()
      .transform((list) => list.split(','))
      .pipe(z.array(z.uuid()).min(1).max(100)),
  }),
  z.strictObject({ month: z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/) }),
]);

export type DocumentPage = { documents: TaxDocument[]; next: unknown; without_invoice: number };

export const invoice: FunctionHandler = async (request, { db, customer, report }) => {
  if (request.method !== 'GET') return problem(405, 'method-not-allowed', 'Use GET.', { allow: 'GET' });
  if (!customer) return problem(401, 'sign-in-required', 'Please log in to see your documents.');
  const asked = Question.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  // What is not there and what is somebody else's look the same.
  const nothing = () => problem(404, 'unknown-document', 'There is no such document.');
  if (!asked.success) return nothing();
  const question = asked.data;

  if ('order' in question) {
    const document = (await db.rpc('read_document', {
      asker: customer.id,
      order_id: question.order,
      credit_note: question.credit_note ?? null,
    } as never)) as unknown as TaxDocument | null;
    if (!document) return nothing();
    return fileOf(await drawn(document), 'application/pdf', documentFileName(document));
  }

  const read = async (after: unknown) =>
    (await db.rpc('read_documents', {
      asker: customer.id,
      order_ids: 'orders' in question ? question.orders : null,
      month: 'month' in question ? `${question.month}-01` : null,
      after,
    } as never)) as unknown as DocumentPage | null;
  const first = await read(null);
  if (!first) return nothing();
  if (first.documents.length === 0)
    return problem(404, 'no-documents', 'None of these orders has an invoice: it comes when an order is packed.');
  const name = 'month' in question ? `invoices-${question.month}.zip` : 'invoices.zip';
  const next = async (after: unknown): Promise<DocumentPage> =>
    (await read(after)) ?? { documents: [], next: null, without_invoice: 0 };
  return fileOf(zipOf(first, next, drawn, report), 'application/zip', name, first.without_invoice);
};

/** The typefaces and the PDF library come with the first document that somebody asks for. */
async function drawn(document: TaxDocument): Promise<Uint8Array<ArrayBuffer>> {
  const [{ drawSheet }, { sheetOf }] = await Promise.all([
    import('../../../adapters/pdf/draw-sheet.ts'),
    import('../../../domain/documents/sheet.ts'),
  ]);
  return drawSheet(sheetOf(document)) as Promise<Uint8Array<ArrayBuffer>>;
}

/** `leftOut`: how many of the orders that were asked for have nothing in the file. */
function fileOf(body: BodyInit, type: string, name: string, leftOut = 0): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      ...(leftOut > 0 && { 'x-left-out': String(leftOut), 'access-control-expose-headers': 'x-left-out' }),
    },
  });
}
