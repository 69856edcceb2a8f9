export type Comparison = { direction: 'up' | 'down' | 'same'; words: string };

export type Difference = {
  format(value: number): string;
  /** What it is compared with: yesterday by now. */
  than: string;
  /** Of things that are counted: 3 fewer, not 3 less. */
  isCount?: boolean;
};

/** How much a figure is above or below that of the period before: 3 more than yesterday by now. */
export function differenceFrom(now: number, before: number, { format, than, isCount }: Difference): Comparison {
  if (now === before) return { direction: 'same', words: `same as ${than}` };
  const difference = format(Math.abs(now - before));
  if (now > before) return { direction: 'up', words: `${difference} more than ${than}` };
  return { direction: 'down', words: `${difference} ${isCount ? 'fewer' : 'less'} than ${than}` };
}

/** How a figure stands to that of the period before, as a person would say it. */
export function compare(now: number, before: number): Comparison {
  if (now === before) return { direction: 'same', words: 'no change' };
  const direction = now > before ? 'up' : 'down';
  if (before === 0 && now > 0) return { direction, words: 'none earlier' };
  if (before <= 0) return { direction, words: direction === 'up' ? 'more than before' : 'less than before' };
  const percent = (Math.abs(now - before) / before) * 100;
  if (percent >= 1000) return { direction, words: `${Math.round(now / before)} times as much` };
  const shown = percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return { direction, words: `${direction === 'up' ? '+' : '−'}${shown.toLocaleString('en-IN')}%` };
}
