import type { Sql } from 'postgres';
import type { Mailer } from '../../adapters/mail/mail.ts';
import type { Messenger } from '../../adapters/messages/messenger.ts';
import type { PaymentProvider } from '../../adapters/payments/provider.ts';
import { problem } from '../../supabase/functions/_shared/problem.ts';
import { isDatabaseAway } from '../postgres/database-away.ts';
import { prepareCatchers } from './catchers.ts';
import { createDemoIdentity, DEMO_IDENTITY_PATH } from './demo-identity.ts';
import { createDemoPayments } from './demo-payments.ts';
import { createGrantStore, prepareGrants } from './grant-store.ts';
import { createMailCatcher, DEMO_MAIL_PATH } from './mail-catcher.ts';
import { createMessageCatcher } from './message-catcher.ts';
import { createTestPayments, TEST_PAYMENTS_PATH } from './test-payments.ts';

const paths = [DEMO_IDENTITY_PATH, TEST_PAYMENTS_PATH, DEMO_MAIL_PATH];

export function isDemoPath(pathname: string): boolean {
  return paths.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

export type DemoOptions = {
  sql: Sql;
  /** Where browsers reach the demo's own doors. */
  apiUrl: string;
  /** The addresses of the shop's own pages. */
  origins: string[];
  secret: string;
  identitySecret: string;
  webhook(request: Request): Promise<Response>;
};

export type Demo = {
  payments: PaymentProvider;
  mailer: Mailer;
  messenger: Messenger;
  serve(request: Request): Promise<Response>;
  stop(): void;
};

/** Everything that makes a shop to try: invented people who sign in, payments without money, mail that stays here. */
export async function openDemo({ sql, apiUrl, origins, secret, identitySecret, webhook }: DemoOptions): Promise<Demo> {
  await prepareGrants(sql);
  await prepareCatchers(sql);
  const messages = createMessageCatcher({ sql });
  const mail = createMailCatcher({ sql, messages });
  const { provider, simulator } = await createDemoPayments({ sql, secret, apiUrl, webhook });
  const doors: Record<string, (request: Request) => Promise<Response>> = {
    [DEMO_IDENTITY_PATH]: createDemoIdentity({
      apiUrl,
      clientSecret: identitySecret,
      grants: createGrantStore(sql),
      now: Date.now,
    }),
    [TEST_PAYMENTS_PATH]: createTestPayments({ simulator, origins }),
    [DEMO_MAIL_PATH]: mail.serve,
  };
  return {
    payments: provider,
    mailer: mail.mailer,
    messenger: messages.messenger,
    async serve(request) {
      const door = doors[`/${new URL(request.url).pathname.split('/')[1]}`];
      if (!door) return problem(404, 'not-found', 'There is nothing here.');
      return door(request).catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
        return problem(503, 'database-away', 'Something went wrong. Please try again.', { 'retry-after': '5' });
      });
    },
    stop: simulator.stop,
  };
}
