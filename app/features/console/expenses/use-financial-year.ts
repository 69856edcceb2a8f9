import { useState } from 'react';
import { z } from '#contracts/z.ts';
import { financialYearOf } from '#domain/expenses/months.ts';
import { calendarDay } from '#domain/time.ts';

/** A financial year in the address of a screen; '': the current one. */
export const yearInAddress = z
  .string()
  .regex(/^20\d\d$/)
  .catch('')
  .default('');

/** The year that is shown, and the current one. */
export function useFinancialYear(chosen: string): { year: number; current: number } {
  const [current] = useState(() => financialYearOf(calendarDay(new Date())));
  return { year: chosen ? Number(chosen) : current, current };
}
