import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import postgres from 'postgres';
import { createDemoPayments } from '../../server/demo/demo-payments.ts';
import { createTestPayments } from '../../server/demo/test-payments.ts';
import { type DenoFunctions, startDenoFunctions } from './deno.ts';
import { instanceKeys, saveKeys } from './instance-keys.ts';
import { startProxy } from './proxy.ts';
import { socketOf } from './rows.ts';
import { startShop } from './shop.ts';
import { startSmtpServer } from './smtp-server.ts';
import { startProjectDatabase } from './strict-database.ts';

export type HostedProject = { url: string; anonKey: string; functions: DenoFunctions; stop(): Promise<void> };

export const jobsSecret = 'secret-of-the-jobs-in-tests';

/**
 * A Supabase project as browsers and web nodes see one. An embedded shop is its Data API, Auth, Storage and realtime, with a
 * database as strict as a project's and in the roles of the platform's services; the functions run under Deno, with the environment that Supabase gives them; a gateway is the address of all. The payment
 * provider and the mailbox are outside, as in life.
 */
export async function startHostedProject(options: {
  dataDir: string;
  siteUrl: string;
  port: number;
}): Promise<HostedProject> {
  const { dataDir, siteUrl, port } = options;
  let functionsPort = 0;
  let testPayments: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  let provider = testPayments;
  const gateway = await startProxy((request) => {
    const path = request.url ?? '';
    if (path.startsWith('/simulated-provider/')) return (asked) => provider(withoutPrefix(asked));
    // Other machines are refused where the demo is.
    if (path.startsWith('/test-payments/') && /^localhost:/.test(request.headers.host ?? '')) return testPayments;
    const [, name] = /^\/functions\/v1\/(\w*)(?=\?|$)/.exec(path) ?? [];
    if (name && functions?.names.includes(name)) {
      request.url = path.slice('/functions/v1'.length);
      return [functionsPort];
    }
    return [port];
  });
  const database = await startProjectDatabase(dataDir);
  const project = await startShop({
    dataDir,
    env: {
      PORT: String(port),
      SITE_URL: siteUrl,
      API_EXTERNAL_URL: gateway.url,
      DATABASE_URL: database.address,
      FILES_DIR: join(dataDir, 'files'),
    },
  });
  await saveKeys(dataDir);
  const keys = instanceKeys(dataDir);
  const sql = postgres({ ...(await socketOf(dataDir)), max: 4, onnotice: () => {} });
  const payments = await createDemoPayments({
    sql,
    secret: keys.jwtSecret,
    apiUrl: gateway.url,
    webhook: (request) => fetch(request),
  });
  provider = payments.simulator.api;
  testPayments = createTestPayments({ simulator: payments.simulator, origins: [siteUrl] });
  const mail = await startSmtpServer({
    async onMail({ to: [to = ''], data }) {
      const subject = /^Subject: (.*)$/m.exec(data)?.[1] ?? '';
      const key = /^Message-ID: (.*)$/im.exec(data)?.[1] ?? data;
      await sql`insert into demo.caught_mail (key, to_address, subject, html, text)
        values (${key}, ${to}, ${subject}, '', ${data}) on conflict do nothing`;
    },
  });
  const derived = (what: string) => createHmac('sha256', keys.jwtSecret).update(what).digest('hex');
  const functions: DenoFunctions = await startDenoFunctions({
    SITE_URL: siteUrl,
    SUPABASE_URL: gateway.url,
    SUPABASE_ANON_KEY: keys.publishableKey,
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secretKey }),
    SUPABASE_SERVICE_ROLE_KEY: 'switched-off',
    RAZORPAY_KEY_ID: 'rzp_test_demo',
    RAZORPAY_KEY_SECRET: derived('test payments'),
    RAZORPAY_WEBHOOK_SECRET: derived('test payment webhooks'),
    SIMULATED_PROVIDER: `${gateway.url}/simulated-provider/`,
    MAIL_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'Mithaas <shop@example.com>',
    JOBS_SECRET: jobsSecret,
  });
  functionsPort = functions.port;
  return {
    url: gateway.url,
    anonKey: keys.publishableKey,
    functions,
    async stop() {
      await functions.stop();
      payments.simulator.stop();
      await mail.stop();
      await project.stop();
      await gateway.stop();
      await sql.end({ timeout: 5 });
      await database.stop();
    },
  };
}

function withoutPrefix(request: Request): Request {
  return new Request(request.url.replace('/simulated-provider/', '/'), request);
}
