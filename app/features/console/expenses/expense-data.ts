import { z } from '#contracts/z.ts';

export const Vendors = z.array(z.object({ id: z.number(), name: z.string(), archived_at: z.string().nullable() }));
export type Vendor = z.infer<typeof Vendors>[number];

/** What an expense was for, in a few words. */
export const nameOf = ({ description, category }: { description: string; category: string }): string =>
  description || category;
