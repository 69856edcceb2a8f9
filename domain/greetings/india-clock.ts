import { indiaAheadMs, instantFrom } from '../time.ts';

/** A moment as a date and time field holds it, by the clock in India: 2026-11-08T18:30. */
export function toIndiaClock(instant: number): string {
  return new Date(instant + indiaAheadMs).toISOString().slice(0, 16);
}

/** What was typed by the clock in India; null for anything else. */
export function fromIndiaClock(typed: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(typed)) return null;
  return instantFrom(`${typed}:00+05:30`)?.getTime() ?? null;
}

/** Midnight at which the day of this moment begins, in India. */
export function startOfIndianDay(instant: number): number {
  return Math.floor((instant + indiaAheadMs) / 86_400_000) * 86_400_000 - indiaAheadMs;
}

export const isIndianMidnight = (instant: number): boolean => startOfIndianDay(instant) === instant;
