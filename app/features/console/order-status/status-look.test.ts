import { describe, expect, test } from 'vitest';
import { orderStatuses } from '#domain/orders/status.ts';
import { statusLooks } from './status-look.ts';

const cards = { light: '#fffdf8', dark: '#2b1f1a' };

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = channels(hex).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const distance = (one: string, other: string) =>
  Math.hypot(...channels(one).map((v, n) => v - (channels(other)[n] ?? 0)));

describe.each(['light', 'dark'] as const)('on %s paper', (scheme) => {
  test.each(orderStatuses)('the sign of %s can be read', (status) => {
    expect(contrast(statusLooks[status][scheme], cards[scheme])).toBeGreaterThan(4.5);
  });

  test('no two statuses have colours that are taken for each other', () => {
    for (const one of orderStatuses)
      for (const other of orderStatuses)
        if (one < other)
          expect(distance(statusLooks[one][scheme], statusLooks[other][scheme]), `${one}, ${other}`).toBeGreaterThan(
            40,
          );
  });
});

test('without colour every status has a sign of its own', () => {
  expect(new Set(orderStatuses.map((status) => statusLooks[status].sign)).size).toBe(orderStatuses.length);
});
