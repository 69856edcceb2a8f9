// Functions of schemas/02_people, and who is an administrator (schemas/01_foundations).
import { consentPurposes, consentSources } from '../../domain/customers/consents.ts';
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

const purpose = z.enum(consentPurposes);
const source = z.enum(consentSources);
/** One for each purpose, in the order in which they are shown; `since` and `source` are null where the caller never chose. */
const Consents = z.array(
  z.object({
    purpose,
    agreed: z.boolean(),
    since: moment.nullable(),
    source: source.nullable(),
    /** The last twenty, newest first. */
    history: z.array(z.object({ agreed: z.boolean(), at: moment, source })),
  }),
);
export const myConsents = defineFunction('my_consents', {}, Consents);
export const chooseConsent = defineFunction(
  'choose_consent',
  { purpose, agreed: z.boolean(), source: z.enum(['profile', 'order', 'checkout']).optional() },
  Consents,
);
/** What the link stopped; null: it is no link of ours. */
export const stopMessages = defineFunction('stop_messages', { token: z.string() }, purpose.nullable());

/** Into the security log: who took a file with personal data of customers. */
export const recordDownload = defineFunction(
  'record_download',
  {
    user_id: z.string(),
    what: z.enum(['customers', 'orders', 'documents', 'own-data']),
    user_agent: z.string().optional(),
  },
  nothing,
);
