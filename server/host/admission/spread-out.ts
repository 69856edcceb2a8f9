/** libuv accepts one new connection in each iteration of the event loop: visitors who arrive at the same time need a few of them. */
const ITERATIONS_APART = 8;

/** Runs callbacks in the order in which they come, a few iterations of the event loop apart, so that others are served. */
export function spreadOut(): (callback: () => void) => void {
  const waiting: (() => void)[] = [];

  function runFirstAfter(iterations: number): void {
    if (iterations > 0) {
      setImmediate(runFirstAfter, iterations - 1);
      return;
    }
    try {
      waiting[0]?.();
    } finally {
      waiting.shift();
      if (waiting.length > 0) runFirstAfter(ITERATIONS_APART);
    }
  }

  return (callback) => {
    if (waiting.push(callback) === 1) runFirstAfter(ITERATIONS_APART);
  };
}
