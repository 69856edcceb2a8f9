export type Comparison = { direction: 'up' | 'down' | 'same'; words: string };

/** How a figure stands to that of the period before, as a person would say it. */
export function compare(now: number, before: number): Comparison {
  if (now === before) return { direction: 'same', words: 'as before' };
  const direction = now > before ? 'up' : 'down';
  if (before === 0 && now > 0) return { direction, words: 'none before' };
  if (before <= 0) return { direction, words: direction === 'up' ? 'more than before' : 'less than before' };
  const percent = (Math.abs(now - before) / before) * 100;
  if (percent >= 1000) return { direction, words: `${Math.round(now / before)} times as much` };
  const shown = percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent);
  return { direction, words: `${direction === 'up' ? '+' : '−'}${shown.toLocaleString('en-IN')} %` };
}
