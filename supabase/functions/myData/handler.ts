import { strToU8, type Zippable, zipSync } from 'fflate';
import { z } from 'zod';
import { call, type ResultOf } from '../../contracts/contract.ts';
import { readOwnData } from '../../contracts/own-data.ts';
import type { FunctionHandler } from '../_shared/context.ts';
import { fileOf } from '../_shared/file-response.ts';
import { problem } from '../_shared/problem.ts';
import { recordDownload } from '../_shared/record-download.ts';
import { documentFiles, zipTime } from '../_shared/zip-documents.ts';
import { readMe } from './read-me.ts';

// Supabase gives a function two seconds of computing for an answer: a piece holds 300 orders or 20 documents.
const MOST_ORDER_PAGES = 3;

type Piece = NonNullable<ResultOf<typeof readOwnData>>;
type Next = NonNullable<Piece['next']>;

const After = z
  .string()
  .regex(/^(orders(,\d{1,12}){1}|documents(,\d{1,9}){3})$/)
  .transform((text): Next => {
    const [part, ...after] = text.split(',');
    return { part: part === 'orders' ? 'orders' : 'documents', after: after.map(Number) };
  });
const Question = z.strictObject({ after: After.optional() });

/**
 * Everything about the caller as a ZIP file: JSON, and invoices and credit notes as PDF. Of more than fits into an answer it holds the
 * first, and the header x-next says after which to ask for the rest.
 */
export const myData: FunctionHandler = async (request, context) => {
  const { db, customer, now } = context;
  if (request.method !== 'GET') return problem(405, 'method-not-allowed', 'Use GET.', { allow: 'GET' });
  if (!customer) return problem(401, 'sign-in-required', 'Please log in to download your data.');
  const asked = Question.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!asked.success) return problem(400, 'invalid-place', 'There is nothing after this place.');

  const at = zipTime(now().toISOString());
  const files: Zippable = {};
  const add = (name: string, content: unknown) => {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
    files[name] = [strToU8(text), { mtime: at }];
  };
  let next: Next | null = asked.data.after ?? { part: 'account', after: [] };
  if (next.part === 'account') {
    await recordDownload(request, context, 'own-data');
    add('read-me.txt', readMe(now()));
  }
  for (let pages = 0; next && pages < MOST_ORDER_PAGES; pages += 1) {
    const piece: Piece | null = await call(db.rpc, readOwnData, { customer_id: customer.id, ...next });
    if (!piece)
      return problem(
        429,
        'too-many-downloads',
        'You’ve downloaded your data five times today. Please try again tomorrow.',
        { 'retry-after': '86400' },
      );
    for (const [name, rows] of Object.entries(piece.files ?? {})) add(`${name}.json`, rows);
    const { orders = [], documents } = piece;
    if (orders.length > 0) add(`orders-${orders[0]?.number}-to-${orders.at(-1)?.number}.json`, orders);
    next = piece.next;
    if (!documents) continue;
    for (const [name, file] of Object.entries(await documentFiles(documents))) files[`documents/${name}`] = file;
    break;
  }
  return fileOf(zipSync(files), 'application/zip', 'my-data.zip', {
    ...(next && { 'x-next': [next.part, ...next.after].join(',') }),
  });
};
