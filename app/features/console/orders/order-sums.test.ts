import { describe, expect, test } from 'vitest';
import { lineSpecimen as line, orderSpecimen as order } from './order-specimens.ts';
import { grossProfit, refundChoices, weightOf } from './order-sums.ts';

describe('gross profit', () => {
  test('is what the sweets brought less what they cost', () => {
    expect(grossProfit(order)).toEqual({ state: 'known', costPaise: 24_000, profitPaise: 34_000, percent: 59 });
  });

  test('is unknown as soon as one cost is, and names it once', () => {
    const lines = [line, { ...line, cost_paise: null }, { ...line, size: 1000, cost_paise: null }];
    expect(grossProfit({ ...order, lines })).toEqual({
      state: 'unknown',
      knownCostPaise: 20_000,
      unknown: ['Besan Laddu'],
    });
  });

  test('is none of a canceled order', () => {
    expect(grossProfit({ ...order, status: 'canceled' })).toEqual({ state: 'none', because: 'canceled' });
  });
});

describe('amounts that are offered for a refund', () => {
  test('are everything, and each sweet with its tax', () => {
    expect(refundChoices(order)).toEqual([
      { label: 'Everything', paise: 64_900, line: null },
      { label: 'Besan Laddu', paise: 50_400, line: 1 },
      { label: 'Samosa', paise: 10_500, line: 2 },
    ]);
  });

  test('are of a sweet no more than it still has to give back', () => {
    const money = { ...order.money, refunded_paise: 10_900, refundable_paise: 54_000 };
    const refundable_lines = [
      { order_item_id: 1, paise: 50_000 },
      { order_item_id: 2, paise: 0 },
    ];
    expect(refundChoices({ ...order, money, refundable_lines })).toEqual([
      { label: 'The rest', paise: 54_000, line: null },
      { label: 'Besan Laddu', paise: 50_000, line: 1 },
    ]);
  });

  test('are never more than what is left', () => {
    const money = { ...order.money, refunded_paise: 50_000, refundable_paise: 14_900 };
    expect(refundChoices({ ...order, money })).toEqual([
      { label: 'The rest', paise: 14_900, line: null },
      { label: 'Samosa', paise: 10_500, line: 2 },
    ]);
  });
});

test('the parcel weighs what is in it', () => {
  expect(weightOf(order.lines)).toBe(1400);
});
