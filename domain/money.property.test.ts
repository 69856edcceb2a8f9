import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../tests/support/properties.ts';
import { linePaise } from './cart/line-price.ts';
import { amountInWords } from './documents/amount-in-words.ts';
import { formatPaise, paise, paiseFromRupees } from './money.ts';
import { lineAmount, purchaseAmount } from './purchases/amounts.ts';

const amount = fc.integer({ min: 0, max: 10 ** 12 }).map(paise);

test('rupees as the database writes them are read to the paisa', () => {
  holds(
    fc.property(amount, fc.boolean(), (whole, isNegative) => {
      const text = `${isNegative ? '-' : ''}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
      expect(paiseFromRupees(text)).toBe(isNegative ? 0 - whole : whole);
    }),
  );
});

test('what is shown is the amount, whatever stands between its digits', () => {
  holds(
    fc.property(amount, (whole) => {
      const digits = formatPaise(whole).replace(/[^\d.]/g, '');
      expect(paiseFromRupees(digits)).toBe(whole);
    }),
  );
});

test('any text is an amount of whole paise, or none', () => {
  holds(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String)), (text) => {
      try {
        expect(Number.isSafeInteger(paiseFromRupees(text))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

test('amounts in words differ where amounts do', () => {
  holds(
    fc.property(amount, amount, (one, other) => {
      expect(amountInWords(one) === amountInWords(other)).toBe(one === other);
    }),
  );
});

test('a line costs the same whether it is bought at once or in parts', () => {
  holds(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 8 }).map(paise),
      fc.constantFrom(500 as const, 1000 as const),
      fc.integer({ min: 1, max: 24 }),
      (unit, size, quantity) => {
        const one = linePaise(unit, { size, quantity: 1 });
        expect(linePaise(unit, { size, quantity: quantity + 1 })).toBe(linePaise(unit, { size, quantity }) + one);
      },
    ),
  );
});

test('a purchase is the sum of its lines, each rounded once and by half a paisa at most', () => {
  const line = fc.record({
    thousandths: fc.integer({ min: 0, max: 10_000_000 }),
    unitCostPaise: fc.integer({ min: 0, max: 10_000_000 }).map(paise),
    gstPercent: fc.constantFrom(0, 0.25, 3, 5, 12, 18, 28),
  });
  holds(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const parts = lines.map(lineAmount);
      const { goodsPaise, gstPaise, totalPaise } = purchaseAmount(lines);
      expect(goodsPaise).toBe(parts.reduce((sum, part) => sum + part.goodsPaise, 0));
      expect(totalPaise).toBe(goodsPaise + gstPaise);
      lines.forEach(({ thousandths, unitCostPaise }, place) => {
        const exact = BigInt(thousandths) * BigInt(unitCostPaise);
        const off = BigInt(parts[place]?.goodsPaise ?? 0) * 1000n - exact;
        expect(off >= -500n && off <= 500n).toBe(true);
      });
    }),
  );
});
