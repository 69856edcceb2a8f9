import type { Zone } from '#contracts/console/delivery.ts';

/** 1 day, 2 to 5 days, the same day. */
export function daysWords({ min_days, max_days }: Pick<Zone, 'min_days' | 'max_days'>): string {
  if (max_days === 0) return 'the same day';
  const most = max_days === 1 ? '1 working day' : `${max_days} working days`;
  return min_days === max_days ? most : `${min_days} to ${most}`;
}

/** The first few, and how many more. */
export function prefixesInShort(prefixes: readonly string[]): string {
  return prefixes.length > 8
    ? `${prefixes.slice(0, 7).join(', ')} and ${prefixes.length - 7} more`
    : prefixes.join(', ');
}
