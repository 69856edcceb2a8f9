const dayMs = 86_400_000;

/** From one calendar day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / dayMs);
}

export type Due = { words: string; isOverdue: boolean; isSoon: boolean };

/** Formats the due date of a bill. */
export function formatDue(dueOn: string, today: string): Due {
  const days = daysBetween(today, dueOn);
  if (days < 0)
    return { words: days === -1 ? '1 day overdue' : `${-days} days overdue`, isOverdue: true, isSoon: false };
  const words = days === 0 ? 'due today' : days === 1 ? 'due tomorrow' : `due in ${days} days`;
  return { words, isOverdue: false, isSoon: days < 7 };
}
