// Months are texts like 2026-11, days like 2026-11-16, financial years the number of the year in which they begin.

import { formatLongMonth, formatMonth } from '../time.ts';

export function isMonth(text: string): boolean {
  return /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(text);
}

const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);

/** November 2026 */
export const monthName = (month: string): string => formatLongMonth(`${month}-01`);

/** Nov */
export const monthShort = (month: string): string => formatMonth(`${month}-01`);

/** Nov 2026 */
export const monthShortName = (month: string): string => `${monthShort(month)} ${month.slice(0, 4)}`;

export function firstAndLastDay(month: string): { from: string; to: string } {
  const last = startOf(month);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return { from: `${month}-01`, to: last.toISOString().slice(0, 10) };
}

/** The month of a day and those before it, newest first. */
export function monthsUpTo(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, back) => {
    const month = startOf(day.slice(0, 7));
    month.setUTCMonth(month.getUTCMonth() - back);
    return month.toISOString().slice(0, 7);
  });
}

/** April to March. */
export function financialYearOf(day: string): number {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return month < 4 ? year - 1 : year;
}

/** 2026–27 */
export function financialYearName(year: number): string {
  return `${year}–${String((year + 1) % 100).padStart(2, '0')}`;
}
