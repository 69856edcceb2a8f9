import { z } from 'zod';
import { type CsvCell, csvLine } from '../../../domain/csv/write-csv.ts';
import { call } from '../../contracts/contract.ts';
import { forAdministrators } from '../_shared/administrators.ts';
import { problem } from '../_shared/problem.ts';
import { recordDownload } from '../_shared/record-download.ts';
import { datasets } from './datasets.ts';

const Filter = z.record(z.string(), z.unknown());

/** Streams a table page by page: no more of it is in memory than a page, however long it is. */
export const exportCsv = forAdministrators(async (request, context) => {
  const { db, now } = context;
  if (request.method !== 'GET') return problem(405, 'method-not-allowed', 'Use GET.', { allow: 'GET' });
  const search = new URL(request.url).searchParams;
  const what = search.get('what') ?? '';
  const dataset = Object.hasOwn(datasets, what) ? datasets[what] : undefined;
  if (!dataset) return problem(404, 'unknown-table', 'This export does not exist.');
  const filter = Filter.safeParse(jsonIn(search.get('filter') ?? '{}'));
  if (!filter.success) return problem(400, 'invalid-filter', 'This filter is not valid.');

  // One moment for all pages: orders placed during the export are in the next file.
  const at = now().toISOString();
  const read = (after: unknown) => call(db.rpc, dataset.read, { filter: filter.data, after, at });
  const encoder = new TextEncoder();
  const { heading, write = (row) => [...row] } = dataset;
  const toBytes = (rows: readonly (readonly CsvCell[])[]) =>
    encoder.encode(rows.map((row) => csvLine(write(row))).join(''));

  // A filter that the database refuses is a refusal, not half a file.
  const first = await read(null).catch((error: { code?: string; message: string }) => {
    if (/^(PT4|22)/.test(error.code ?? '')) return null;
    throw error;
  });
  if (!first) return problem(400, 'invalid-filter', 'This filter is not valid.');
  if (dataset.isPersonal) await recordDownload(request, context, what as 'customers');
  let next = first.next;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Spreadsheets take a file for UTF-8 only if it says so.
      controller.enqueue(encoder.encode('\uFEFF'));
      controller.enqueue(encoder.encode(csvLine(heading)));
      controller.enqueue(toBytes(first.rows));
    },
    async pull(controller) {
      if (next === null || next === undefined) return controller.close();
      const page = await read(next);
      next = page.next;
      controller.enqueue(toBytes(page.rows));
    },
  });
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${what}.csv"`,
      'cache-control': 'no-store',
    },
  });
});

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
