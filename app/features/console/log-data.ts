import { z } from 'zod';

const values = z.record(z.string(), z.unknown()).nullable();

export const LogEntry = z.object({
  id: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.enum(['insert', 'update', 'delete']),
  table_name: z.string(),
  before: values,
  after: values,
  subject: z.string(),
  subject_id: z.string(),
  /** Of a product's stock: whether it is sold by weight. */
  has_size: z.boolean().nullable(),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const LogPage = z.object({ rows: z.array(LogEntry), next: z.number().nullable() });
