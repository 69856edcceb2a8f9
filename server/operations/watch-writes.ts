import type { Log } from '../host/log.ts';
import { isDatabaseFull } from './full-disk.ts';

export type WatchWrites = {
  noteError(error: unknown): void;
  isReadOnly(): boolean;
  stop(): void;
};

/**
 * Tracks whether the database can write. It cannot after the first write that fails on a full disk; from then on
 * a small write every second probes until one succeeds.
 */
export function watchWrites(options: { probe(): Promise<unknown>; log: Log; everyMs?: number }): WatchWrites {
  const { probe, log, everyMs = 1_000 } = options;
  let timer: NodeJS.Timeout | undefined;

  function probeLater(): void {
    timer = setTimeout(async () => {
      try {
        await probe();
        timer = undefined;
        log({ level: 'info', event: 'writable-again' });
      } catch {
        if (timer) probeLater();
      }
    }, everyMs);
    timer.unref();
  }

  return {
    noteError(error) {
      if (timer || !isDatabaseFull(error)) return;
      log({ level: 'warn', event: 'read-only', problem: 'The disk of the database is full: make room on it.' });
      probeLater();
    },
    isReadOnly: () => timer !== undefined,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
