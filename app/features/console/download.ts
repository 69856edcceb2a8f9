import { useCallback } from 'react';
import { keep, type OnBytes, useFile } from '#app/backend/files.ts';
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
      const fetched = await fetchFile(request, onBytes);
      if (!fetched.ok) return toast('error', fetched.message);
      const parts = [fetched.file];
      for (let next = fetched.next; next !== null; ) {
        const before = parts.reduce((sum, part) => sum + part.size, 0);
        const part = await fetchFile(`${request}&after=${next}`, (bytes) => onBytes(before + bytes));
        if (!part.ok) return toast('error', part.message);
        parts.push(part.file);
        next = part.next;
      }
      keep(parts.length === 1 ? fetched.file : await joinZips(parts), fileName);
      if (fetched.leftOut > 0 && sayLeftOut) toast('info', sayLeftOut(fetched.leftOut));
    },
    [fetchFile],
  );
}

/** How much of a file has come; before its first byte it is being made. */
export function progressWords(bytes: number): string {
  if (bytes === 0) return 'Preparing…';
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${Math.ceil(kilobytes)} KB…` : `${(kilobytes / 1024).toFixed(1)} MB…`;
}
