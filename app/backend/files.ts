import { useCallback } from 'react';
import { useSession } from './session.tsx';

/** `leftOut`: how much of what was asked for is not in the file. `next`: after which to ask for the rest of it. */
export type FetchedFile =
  | { ok: true; file: Blob; leftOut: number; next: string | null }
  | { ok: false; message: string };

/** Told again and again while a file comes: how many bytes of it are there. */
export type OnBytes = (bytes: number) => void;

/** Fetches a file from an edge function with the session of the signed-in user: `useFile()('invoice?order=…')`. */
export function useFile(): (question: string, onBytes?: OnBytes) => Promise<FetchedFile> {
  const { config, token } = useSession();
  return useCallback(
    async (question, onBytes) => {
      const access = await token();
      if (!access.ok) return { ok: false, message: 'Please log in again.' };
      const failed = { ok: false, message: 'We couldn’t create the file. Please try again.' } as const;
      try {
        const response = await fetch(`${config.url ?? window.location.origin}/functions/v1/${question}`, {
          headers: { apikey: config.key, authorization: `Bearer ${access.token}` },
        });
        if (response.ok) {
          const leftOut = Number(response.headers.get('x-left-out') ?? 0);
          return { ok: true, file: await blobOf(response, onBytes), leftOut, next: response.headers.get('x-next') };
        }
        // A refusal in our own words is worth reading; anything else is not.
        const answer = response.status < 500 ? await response.json().catch(() => null) : null;
        return typeof answer?.error?.message === 'string' ? { ok: false, message: answer.error.message } : failed;
      } catch {
        return failed;
      }
    },
    [config, token],
  );
}

function blobOf(response: Response, onBytes: OnBytes | undefined): Promise<Blob> {
  if (!onBytes || !response.body) return response.blob();
  let loaded = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      onBytes(loaded);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: response.headers }).blob();
}

const addressOf = (file: Blob) => {
  const address = URL.createObjectURL(file);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return address;
};

/** Hands a file to the browser to keep. */
export function keep(file: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = addressOf(file);
  link.download = fileName;
  link.click();
}

/** Shows a file in a tab that was opened when the button was pressed: later, browsers would not let us. */
export function show(file: Blob, tab: Window): void {
  tab.location.replace(addressOf(file));
}
