import { useCallback } from 'react';
import { type FetchedFile, keep, type OnBytes, useFile } from '#app/backend/files.ts';
import { toast } from '#app/ui/toast.tsx';
import { joinZips } from './join-zips.ts';

/** The request for a table as a CSV file. */
export const csvRequest = (what: string, filter: Record<string, unknown>) =>
  `exportCsv?${new URLSearchParams({ what, filter: JSON.stringify(filter) })}`;

export type Download = {
  request: string;
  fileName: string;
  /** Of what was asked for and is not in the file. */
  sayLeftOut?(count: number): string;
};

/**
 * Requests a file from a function and hands it to the browser to keep; says so when there is none, and what is not in it. A
 * long ZIP file comes in parts, because no function has the time to make it at once, and is kept as one.
 */
export function useFileDownload(): (download: Download, onBytes: OnBytes) => Promise<void> {
  const fetchFile = useFile();
  return useCallback(
    async ({ request, fileName, sayLeftOut }, onBytes) => {
      const fetched = await fetchParts(fetchFile, request, onBytes);
      if (!fetched.ok) return toast('error', fetched.message);
      const { parts, leftOut } = fetched;
      const [whole] = parts;
      keep(whole && parts.length === 1 ? whole : await joinZips(parts), fileName);
      if (leftOut > 0 && sayLeftOut) toast('info', sayLeftOut(leftOut));
    },
    [fetchFile],
  );
}

type FetchFile = (request: string, onBytes: OnBytes) => Promise<FetchedFile>;
type FetchedParts = { ok: true; parts: Blob[]; leftOut: number } | { ok: false; message: string };

/** One part after another. A later one is retried: a busy moment must not cost what has come already. */
export async function fetchParts(
  fetchFile: FetchFile,
  request: string,
  onBytes: OnBytes,
  retryDelaysMs = [1000, 3000],
): Promise<FetchedParts> {
  const first = await fetchFile(request, onBytes);
  if (!first.ok) return first;
  const parts = [first.file];
  for (let next = first.next; next !== null; ) {
    const before = parts.reduce((sum, part) => sum + part.size, 0);
    const fetchNext = () => fetchFile(`${request}&after=${next}`, (bytes) => onBytes(before + bytes));
    let part = await fetchNext();
    for (const delay of retryDelaysMs) {
      if (part.ok) break;
      await new Promise((resolve) => setTimeout(resolve, delay));
      part = await fetchNext();
    }
    if (!part.ok) return part;
    parts.push(part.file);
    next = part.next;
  }
  return { ok: true, parts, leftOut: first.leftOut };
}

/** How much of a file has come; before its first byte it is being made. */
export function progressWords(bytes: number): string {
  if (bytes === 0) return 'Preparing…';
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${Math.ceil(kilobytes)} KB…` : `${(kilobytes / 1024).toFixed(1)} MB…`;
}
