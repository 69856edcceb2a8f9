// Functions of schemas/20_console/01_activity_log.sql: the activity log and the security log.
import { securityEventKinds } from '../../../domain/log/describe-security-event.ts';
import { day, defineFunction } from '../contract.ts';
import { z } from '../z.ts';

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

export const LogChoices = z.object({
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  tables: z.array(z.string()),
});
export type LogChoices = z.infer<typeof LogChoices>;

export const SecurityEvent = z.object({
  id: z.number(),
  kind: z.enum(securityEventKinds),
  at: z.string(),
  times: z.number(),
  user_id: z.string().nullable(),
  person: z.string().nullable(),
  subject_id: z.string().nullable(),
  subject: z.string().nullable(),
  address: z.string(),
  user_agent: z.string(),
  detail: z.string(),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const SecurityLogPage = z.object({ rows: z.array(SecurityEvent), next: z.number().nullable() });

export const readLog = defineFunction(
  'admin_read_log',
  {
    table_name: z.string().nullish(),
    row_id: z.string().nullish(),
    actor_id: z.string().nullish(),
    before_id: z.number().nullish(),
    tables: z.array(z.string()).nullish(),
    first_day: day.nullish(),
    last_day: day.nullish(),
    customer_id: z.string().nullish(),
  },
  LogPage,
);

export const listLogChoices = defineFunction('admin_list_log_choices', {}, LogChoices);

export const readSecurityLog = defineFunction(
  'admin_read_security_log',
  {
    kinds: z.array(z.string()).nullish(),
    person: z.string().nullish(),
    first_day: day.nullish(),
    last_day: day.nullish(),
    before_id: z.number().nullish(),
  },
  SecurityLogPage,
);
