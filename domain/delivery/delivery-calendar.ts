import { formatCalendarDay } from '../time.ts';
import type { DayReason } from './delivery-day.ts';
import type { Day } from './promise.ts';

/** A day that is refused, with what the sentence about it needs. */
export type RefusedDay = {
  reason: DayReason | 'day-past' | 'day-too-far';
  day: Day;
  /** Why the shop is closed. */
  closure?: string | null;
  festival?: string | null;
  orderBy?: Day | null;
  lastDay?: Day | null;
  /** The sweet that keeps the shortest. */
  product?: string | null;
};

/** Why a day is impossible, in one sentence: the same in the calendar and where it is refused. */
export function dayRefusal({ reason, day, closure, festival, orderBy, lastDay, product }: RefusedDay): string {
  const date = formatCalendarDay(day);
  switch (reason) {
    case 'day-past':
      return `${date} is over. Please choose a later delivery day.`;
    case 'day-too-far':
      return `You can choose a delivery day up to ${lastDay ? formatCalendarDay(lastDay) : '60 days ahead'}.`;
    case 'day-off':
      return `We don’t deliver on ${date}: it’s our weekly day off.`;
    case 'day-closed':
      return `We don’t deliver on ${date}: ${closure}.`;
    case 'day-too-soon':
      return `${date} is too soon for your pincode.`;
    case 'day-cutoff-passed':
      return `Orders for ${festival} closed on ${formatCalendarDay(orderBy ?? day)}: ${date} can’t be chosen any more.`;
    case 'would-spoil':
      return `${product ?? 'A sweet'} wouldn’t arrive fresh on ${date}: it would be on its way for too long.`;
  }
}

/** A day of the calendar; possible where it has a packing day. */
export type CalendarDay = { day: Day; packOn: Day | null; refusal: string | null };
export type Festival = { name: string; orderBy: Day; firstDay: Day; lastDay: Day };
export type DeliveryCalendar =
  | { ok: false; reason: string }
  | {
      ok: true;
      today: Day;
      /** So many working days before the chosen one it may come already. */
      mayBeEarlyDays: number;
      days: CalendarDay[];
      /** The cut-offs that are still to come. */
      festivals: Festival[];
      /** The first possible day; null: none of them is. */
      earliest: Day | null;
    };

type Row = {
  day: Day;
  pack_on?: Day;
  reason?: DayReason;
  closure?: string;
  festival?: string;
  order_by?: Day;
};

/** Parses the result of delivery_calendar; null when it is invalid. */
export function parseDeliveryCalendar(answer: unknown): DeliveryCalendar | null {
  const { ok, reason, today, may_be_early_days, shortest, days } = (answer ?? {}) as Record<string, unknown>;
  if (ok === false && typeof reason === 'string') return { ok, reason };
  if (ok !== true || typeof today !== 'string' || !Array.isArray(days)) return null;
  const product = (shortest as { product?: string } | null)?.product;
  const rows = days as Row[];
  const read = rows.map(
    (row): CalendarDay => ({
      day: row.day,
      packOn: row.pack_on ?? null,
      refusal: row.reason ? dayRefusal({ ...row, reason: row.reason, orderBy: row.order_by, product }) : null,
    }),
  );
  return {
    ok: true,
    today,
    mayBeEarlyDays: Number(may_be_early_days) || 0,
    days: read,
    festivals: festivalsOf(rows, today),
    earliest: read.find(({ refusal }) => refusal === null)?.day ?? null,
  };
}

function festivalsOf(rows: readonly Row[], today: Day): Festival[] {
  const festivals: Festival[] = [];
  for (const { day, festival, order_by } of rows) {
    if (!festival || !order_by || order_by < today) continue;
    const known = festivals.find(({ name, orderBy }) => name === festival && orderBy === order_by);
    if (known) known.lastDay = day;
    else festivals.push({ name: festival, orderBy: order_by, firstDay: day, lastDay: day });
  }
  return festivals;
}

/** Order by Fri, 6 Nov for Diwali. */
export const orderByWords = ({ name, orderBy }: Festival): string =>
  `Order by ${formatCalendarDay(orderBy)} for ${name}`;
