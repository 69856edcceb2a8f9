// deadlock_detected and serialization_failure: the transaction did nothing and may simply be tried again.
const passing = new Set(['40P01', '40001']);

/** Each call is one transaction, so it can be repeated whole. */
export async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 4; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !passing.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}
