import { type ReactNode, useState } from 'react';
import buttons from '#app/ui/button.module.css';
import { type Download, progressWords, useFileDownload } from '../data/download.ts';

export type DownloadButtonProps = Download & { children: ReactNode };

/** Fetches a file, and says how far it is meanwhile. */
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
    <button type="button" className={buttons.small} aria-busy={progress !== null} onClick={fetchIt}>
      {progress ?? children}
    </button>
  );
}
