import { useCallback } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';

/** Fetches a table as a CSV file and hands it to the browser to keep. */
export function useDownload(): (what: string, filter: Record<string, unknown>, fileName: string) => Promise<void> {
  const { config, token } = useSession();
  return useCallback(
    async (what, filter, fileName) => {
      const access = await token();
      if (!access.ok) return toast('error', 'Please log in again.');
      try {
        const query = new URLSearchParams({ what, filter: JSON.stringify(filter) });
        const response = await fetch(`${config.url ?? window.location.origin}/functions/v1/exportCsv?${query}`, {
          headers: { apikey: config.key, authorization: `Bearer ${access.token}` },
        });
        if (!response.ok) throw new Error(`the export answered ${response.status}`);
        keep(await response.blob(), fileName);
      } catch {
        toast('error', 'The file could not be made. Please try again.');
      }
    },
    [config, token],
  );
}

export function keep(file: Blob, fileName: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
