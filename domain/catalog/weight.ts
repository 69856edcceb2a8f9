import { formatCount } from '../money.ts';

/** Formats grams: 500 g, 1.5 kg, 12 kg. */
export function formatGrams(grams: number): string {
  if (Math.abs(grams) < 1000) return `${grams} g`;
  return `${(grams / 1000).toLocaleString('en-IN', { maximumFractionDigits: 2 })} kg`;
}

export function formatPieces(pieces: number): string {
  return `${formatCount(pieces)} ${pieces === 1 ? 'piece' : 'pieces'}`;
}

/** A quantity of something: by weight, by the piece, or both. */
export function formatAmounts({ grams, pieces }: { grams: number; pieces: number }): string {
  return [grams > 0 && formatGrams(grams), pieces > 0 && formatPieces(pieces)].filter(Boolean).join(' and ') || 'none';
}
