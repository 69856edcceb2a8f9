import { expect, test } from 'vitest';
import { paise } from '../money.ts';
import { lineAmount, purchaseAmount } from './amounts.ts';

const line = (thousandths: number, unitCostPaise: number, gstPercent: number) => ({
  thousandths,
  unitCostPaise: paise(unitCostPaise),
  gstPercent,
});

test('75 kg of ghee at ₹604 and 5 %', () => {
  expect(lineAmount(line(75_000, 60_400, 5))).toEqual({
    goodsPaise: 4_530_000,
    gstPaise: 226_500,
    totalPaise: 4_756_500,
  });
});

test('each part is rounded once, half a paisa upwards', () => {
  expect(lineAmount(line(333, 1000, 5))).toEqual({ goodsPaise: 333, gstPaise: 17, totalPaise: 350 });
  expect(lineAmount(line(1500, 1, 12))).toEqual({ goodsPaise: 2, gstPaise: 0, totalPaise: 2 });
});

test('the largest line is still exact', () => {
  expect(lineAmount(line(100_000_000, 9_999_999, 0.25)).goodsPaise).toBe(999_999_900_000);
});

test('an order is the sum of its lines', () => {
  expect(purchaseAmount([])).toEqual({ goodsPaise: 0, gstPaise: 0, totalPaise: 0 });
  expect(purchaseAmount([line(333, 1000, 5), line(1000, 1000, 18)])).toEqual({
    goodsPaise: 1333,
    gstPaise: 197,
    totalPaise: 1530,
  });
});
