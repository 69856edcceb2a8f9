import { expect, test } from 'vitest';
import type { CartLine } from '../cart/cart.ts';
import { quoteAvailableLines } from './quote-available-lines.ts';

type Answer =
  | { ok: true; ids: number[] }
  | { ok: false; problem: { reason: string; lines?: ReturnType<typeof why>[] } };
const line = (productId: number): CartLine => ({ productId, size: 500, quantity: 1 });
const why = (productId: number) => ({ productId, sentence: `No ${productId}.` });

/** A shop that has these products not, and names so many of them at once. */
const shopWithout = (missing: number[], atOnce = missing.length) => {
  const asked: number[][] = [];
  const ask = async (lines: readonly CartLine[]): Promise<Answer> => {
    const ids = lines.map(({ productId }) => productId);
    asked.push(ids);
    const named = ids.filter((id) => missing.includes(id)).slice(0, atOnce);
    return named.length > 0 ? { ok: false, problem: { reason: 'failed', lines: named.map(why) } } : { ok: true, ids };
  };
  return { ask, asked };
};

test('a line that cannot be delivered is left out, and the rest is quoted', async () => {
  const { ask, asked } = shopWithout([2, 3]);
  expect(await quoteAvailableLines([line(1), line(2), line(3)], ask)).toEqual({
    answer: { ok: true, ids: [1] },
    heldBack: [why(2), why(3)],
  });
  expect(asked).toEqual([[1, 2, 3], [1]]);
});

test('both sizes of a product are held back, and products that are named one by one', async () => {
  const { ask } = shopWithout([2, 3], 1);
  const lines = [line(1), line(2), { ...line(2), size: 1000 as const }, line(3)];
  expect((await quoteAvailableLines(lines, ask)).answer).toEqual({ ok: true, ids: [1] });
});

test('an empty list sends no request', async () => {
  const { ask, asked } = shopWithout([1]);
  expect(await quoteAvailableLines([line(1)], ask)).toEqual({ answer: null, heldBack: [why(1)] });
  expect(await quoteAvailableLines([], ask)).toEqual({ answer: null, heldBack: [] });
  expect(asked).toHaveLength(1);
});

test('an order rejected as a whole, or for another product, ends it', async () => {
  const whole: Answer = { ok: false, problem: { reason: 'no-pincode' } };
  expect(await quoteAvailableLines([line(1)], async () => whole)).toEqual({ answer: whole, heldBack: [] });
  const stranger: Answer = { ok: false, problem: { reason: 'failed', lines: [why(9)] } };
  expect(await quoteAvailableLines([line(1)], async () => stranger)).toEqual({ answer: stranger, heldBack: [] });
  const many = Array.from({ length: 40 }, (_, index) => index + 1);
  const { ask, asked } = shopWithout(many, 1);
  expect((await quoteAvailableLines(many.map(line), ask)).answer?.ok).toBe(false);
  expect(asked.length).toBeLessThan(10);
});

test('a box goes before other lines of its sweet, and is blamed by its contents', async () => {
  const box = { boxId: 1, contents: [{ productId: 7, pieces: 6 }], quantity: 1 };
  const lines = [{ productId: 7, size: 500 as const, quantity: 1 }, box];
  const asked: number[] = [];
  const result = await quoteAvailableLines(lines, async (some) => {
    asked.push(some.length);
    return some.length === 2
      ? { ok: false as const, problem: { reason: 'failed', lines: [{ productId: 7, sentence: 'Only 600 g left.' }] } }
      : { ok: true as const };
  });
  expect(asked).toEqual([2, 1]);
  expect(result.heldBack).toEqual([{ productId: 7, sentence: 'Only 600 g left.', boxKey: '1:7=6' }]);
});
