/** As the database counts them, from Sunday on. */
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** Sunday, Saturday; empty for none. */
export function formatWeekdays(numbers: readonly unknown[]): string {
  return numbers.flatMap((number) => weekdays[Number(number)] ?? []).join(', ');
}
