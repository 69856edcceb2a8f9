import { type ReactNode, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { type Download, progressWords, useFileDownload } from '../data/download.ts';

export type DownloadButtonProps = Download & { children: ReactNode };

/** Downloads a file and shows the progress. */
export function DownloadButton({ children, ...download }: DownloadButtonProps) {
  const start = useFileDownload();
  const [progress, setProgress] = useState<string | null>(null);

  async function fetchIt() {
    if (progress !== null) return;
    setProgress(progressWords(0));
    await start(download, (bytes) => setProgress(progressWords(bytes)));
    setProgress(null);
  }

  return (
    <Button size="small" isBusy={progress !== null} onClick={fetchIt}>
      {progress ?? children}
    </Button>
  );
}
