import { expect, test } from 'vitest';
import { createTurns } from './semaphore.ts';

test('so many at once, the others in their order, and a health check before them', async () => {
  const { take, waiting } = createTurns(1);
  const order: string[] = [];
  const end = await take();
  const next = async (name: string, first = false) => {
    const done = await take({ first });
    order.push(name);
    done();
  };
  const all = [next('one'), next('two'), next('health', true)];
  expect(waiting()).toBe(3);
  end();
  end(); // twice is once
  await Promise.all(all);
  expect(order).toEqual(['health', 'one', 'two']);
  expect(waiting()).toBe(0);
});

test('a caller who leaves, or waits too long, is dropped and takes no turn with it', async () => {
  const { take, waiting } = createTurns(1);
  const end = await take();
  const leaving = new AbortController();
  const left = take({ signal: leaving.signal });
  const late = take({ withinMs: 5 });
  const patient = take();
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'CONNECTION_NOT_WANTED' });
  await expect(late).rejects.toMatchObject({ code: 'CONNECTION_WAIT_TIMEOUT' });
  expect(waiting()).toBe(1);
  end();
  (await patient)();
  await expect(take({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CONNECTION_NOT_WANTED' });
  (await take())();
  await expect(take()).resolves.toBeTypeOf('function');
});

test('a turn is never handed to a caller who leaves in the same moment', async () => {
  const { take } = createTurns(1);
  const end = await take();
  const leaving = new AbortController();
  const left = take({ signal: leaving.signal }).catch(() => 'left');
  leaving.abort();
  end();
  (await take())();
  expect(await left).toBe('left');
});
