import { z } from '#contracts/z.ts';
import { day } from '../form/inputs.ts';

/** What the addresses of both logs hold: the days, and the cursor of a page of older entries. */
export const logAddress = {
  from: day().catch(''),
  to: day().catch(''),
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .catch(''),
};
export type LogAddress = { from: string; to: string; after: string };

export const isFiltered = ({ after, ...filters }: LogAddress) => Object.values(filters).some((value) => value !== '');

/** The days and the page, as arguments of the functions that read a log. */
export const pageOf = ({ from, to, after }: LogAddress) => ({
  first_day: from || null,
  last_day: to || null,
  before_id: after ? Number(after) : null,
});
