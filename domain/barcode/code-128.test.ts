import { describe, expect, test } from 'vitest';
import { code128Bars, code128Values } from './code-128.ts';

/** As the standard prints it: 1 for a module of bar, 0 for one of gap. */
function modules(text: string): string {
  const { bars, width } = code128Bars(text);
  const line = Array.from({ length: width }, () => '0');
  for (const bar of bars) line.fill('1', bar.at, bar.at + bar.width);
  return line.join('');
}

describe('values and their check symbol', () => {
  test.each([
    // The examples of the encyclopaedia, for set B; and pairs of digits in set C.
    ['Wikipedia', [104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88]],
    ['PJJ123C', [104, 48, 42, 42, 17, 18, 19, 35, 55]],
    ['1001', [105, 10, 1, (105 + 10 + 2) % 103]],
    ['12345', [104, 17, 18, 19, 20, 21, (104 + 17 + 36 + 57 + 80 + 105) % 103]],
  ])('of %s', (text, values) => {
    expect(code128Values(text)).toEqual(values);
  });

  test('of what a barcode cannot hold are refused', () => {
    for (const text of ['', 'अ', 'a\n', '₹1']) expect(() => code128Values(text)).toThrow(RangeError);
  });
});

describe('bars', () => {
  test.each([
    // Start B, the symbols, the check symbol, stop: from the table of the standard.
    ['!', ['11010010000', '11001101100', '11001100110', '1100011101011']],
    ['AB', ['11010010000', '10100011000', '10001011000', '11110101110', '1100011101011']],
    ['00', ['11010011100', '11011001100', '11001100110', '1100011101011']],
    ['99', ['11010011100', '10111011110', '11101011110', '1100011101011']],
  ])('of %s', (text, symbols) => {
    expect(modules(text)).toBe(symbols.join(''));
  });

  test('take eleven modules a symbol and two more at the end', () => {
    expect(code128Bars('1234567890').width).toBe(11 * 8 + 2);
    expect(code128Bars('CODE128').width).toBe(11 * 10 + 2);
  });

  test('are different for every character, begin and end with a bar, and never run together', () => {
    const printable = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n));
    expect(new Set(printable.map((character) => modules(`${character}x`).slice(11, 22))).size).toBe(95);
    const { bars, width } = code128Bars(printable.join(''));
    expect(bars[0]?.at).toBe(0);
    bars.forEach((bar, index) => {
      const next = bars[index + 1]?.at ?? width + 1;
      expect(bar.at + bar.width).toBeLessThan(next);
    });
  });
});
