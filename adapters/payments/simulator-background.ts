/** Background work that can be awaited or stopped as a whole. */
export type Background = {
  run(work: () => Promise<void>): void;
  /** Ends early when stopped, or with the given signal. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  stopped(): boolean;
  settled(): Promise<void>;
  stop(): void;
};

export function createBackground(): Background {
  const running = new Set<Promise<void>>();
  const waiting = new Set<() => void>();
  let stopped = false;

  return {
    run(work) {
      const task = work()
        .catch(() => {})
        .finally(() => running.delete(task));
      running.add(task);
    },
    wait(ms, signal) {
      if (stopped || signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiting.delete(done);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.add(done);
        signal?.addEventListener('abort', done);
      });
    },
    stopped: () => stopped,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    stop() {
      stopped = true;
      for (const done of waiting) done();
    },
  };
}
