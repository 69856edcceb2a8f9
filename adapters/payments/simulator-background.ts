/** Work that nobody waits for, and that can be waited for or ended as a whole. */
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
  const end = new AbortController();

  return {
    run(work) {
      const task = work()
        .catch(() => {})
        .finally(() => running.delete(task));
      running.add(task);
    },
    wait(ms, signal) {
      return new Promise((resolve) => {
        const endings = signal ? [end.signal, signal] : [end.signal];
        const done = () => {
          clearTimeout(timer);
          for (const ending of endings) ending.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        for (const ending of endings) ending.addEventListener('abort', done);
        if (endings.some(({ aborted }) => aborted)) done();
      });
    },
    stopped: () => end.signal.aborted,
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
    stop: () => end.abort(),
  };
}
