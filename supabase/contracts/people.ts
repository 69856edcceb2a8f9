// Functions of schemas/02_people, and who is an administrator (schemas/01_foundations).
import { at, defineFunction, moment, nothing } from './contract.ts';
import { z } from './z.ts';

export const isAdministrator = defineFunction('is_administrator', { user_id: z.string() }, z.boolean());

export const isSessionActive = defineFunction(
  'is_session_active',
  { session_id: z.string(), user_id: z.string() },
  z.boolean(),
);
export const areSessionsActive = defineFunction(
  'are_sessions_active',
  { calls: z.array(isSessionActive.args) },
  z.array(z.boolean()),
);

export const mySessions = defineFunction(
  'my_sessions',
  {},
  z.array(
    z.object({
      id: z.string(),
      started_at: moment,
      last_used_at: moment.nullable(),
      user_agent: z.string().nullable(),
      is_current: z.boolean(),
    }),
  ),
);
/** False when the caller has no such session. */
export const endMySession = defineFunction('end_my_session', { session_id: z.string() }, z.boolean());
/** How many ended. */
export const endMySessions = defineFunction('end_my_sessions', {}, z.number());
export const sweepSignIns = defineFunction('sweep_sign_ins', { at }, nothing);

export const getUserInfo = defineFunction(
  'get_user_info',
  { user_id: z.string() },
  z.object({ name: z.string().nullable(), avatar_url: z.string().nullable() }),
);

/** Whether the caller agreed to festival reminders; `since` is null where they never chose. */
const ReminderChoice = z.object({ agreed: z.boolean(), since: moment.nullable() });
export const myGiftReminders = defineFunction('my_gift_reminders', {}, ReminderChoice);
export const chooseGiftReminders = defineFunction(
  'choose_gift_reminders',
  { agreed: z.boolean(), source: z.enum(['profile', 'order']).optional() },
  ReminderChoice,
);
/** False: this is no link of ours. */
export const stopGiftReminders = defineFunction('stop_gift_reminders', { token: z.string() }, z.boolean());

/** Into the security log: who took a file with personal data of customers. */
export const recordDownload = defineFunction(
  'record_download',
  { user_id: z.string(), what: z.enum(['customers', 'orders', 'documents']), user_agent: z.string().optional() },
  nothing,
);
