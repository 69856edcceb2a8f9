import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore.ts';

test('callers beyond the limit wait in order, and a health check goes first', async () => {
  const { acquire, waiting } = createSemaphore(1);
  const order: string[] = [];
  const release = await acquire();
  const next = async (name: string, first = false) => {
    const done = await acquire({ first });
    order.push(name);
    done();
  };
  const all = [next('one'), next('two'), next('health', true)];
  expect(waiting()).toBe(3);
  release();
  release(); // twice is once
  await Promise.all(all);
  expect(order).toEqual(['health', 'one', 'two']);
  expect(waiting()).toBe(0);
});

test('a caller that leaves, or waits too long, is dropped without a permit', async () => {
  const { acquire, waiting } = createSemaphore(1);
  const release = await acquire();
  const leaving = new AbortController();
  const left = acquire({ signal: leaving.signal });
  const late = acquire({ withinMs: 5 });
  const patient = acquire();
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'CONNECTION_WAIT_ABORTED' });
  await expect(late).rejects.toMatchObject({ code: 'CONNECTION_WAIT_TIMEOUT' });
  expect(waiting()).toBe(1);
  release();
  (await patient)();
  await expect(acquire({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CONNECTION_WAIT_ABORTED' });
  (await acquire())();
  await expect(acquire()).resolves.toBeTypeOf('function');
});

test('a permit is never passed to a caller that leaves at the same moment', async () => {
  const { acquire } = createSemaphore(1);
  const release = await acquire();
  const leaving = new AbortController();
  const left = acquire({ signal: leaving.signal }).catch(() => 'left');
  leaving.abort();
  release();
  (await acquire())();
  expect(await left).toBe('left');
});
