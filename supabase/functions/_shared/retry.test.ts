import { expect, test } from 'vitest';
import { retried } from './retry.ts';

const failing = (code: string, times: number) => {
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(code), { code });
    return tries;
  };
  return { attempt, tries: () => tries };
};

test.each(['40P01', '40001'])('%s is tried again until it works', async (code) => {
  expect(await retried(failing(code, 3).attempt)).toBe(4);
});

test('what never works is given up after five tries, and told as it is', async () => {
  const deadlock = failing('40P01', 99);
  await expect(retried(deadlock.attempt)).rejects.toMatchObject({ code: '40P01' });
  expect(deadlock.tries()).toBe(5);
});

test('any other failure is not repeated', async () => {
  const broken = failing('23505', 1);
  await expect(retried(broken.attempt)).rejects.toMatchObject({ code: '23505' });
  expect(broken.tries()).toBe(1);
});
