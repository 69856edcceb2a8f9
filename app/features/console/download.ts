import { useCallback } from 'react';
import { keep, useFile } from '#app/backend/files.ts';
import { toast } from '#app/ui/toast.tsx';
import { joinZips } from './join-zips.ts';

/** Fetches a table as a CSV file and hands it to the browser to keep. */
export function useDownload(): (what: string, filter: Record<string, unknown>, fileName: string) => Promise<void> {
  const download = useFileDownload();
  return useCallback(
    (what, filter, fileName) =>
      download(`exportCsv?${new URLSearchParams({ what, filter: JSON.stringify(filter) })}`, fileName),
    [download],
  );
}

/**
 * Asks a function for a file and hands it to the browser to keep; says so when there is none, and what is not in it. A long
 * ZIP file comes in parts, because no function has the time to make it at once, and is kept as one.
 */
export function useFileDownload(): (
  question: string,
  fileName: string,
  sayLeftOut?: (count: number) => string,
) => Promise<void> {
  const fetchFile = useFile();
  return useCallback(
    async (question, fileName, sayLeftOut) => {
      const fetched = await fetchFile(question);
      if (!fetched.ok) return toast('error', fetched.message);
      const parts = [fetched.file];
      for (let next = fetched.next; next !== null; ) {
        const part = await fetchFile(`${question}&after=${next}`);
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
