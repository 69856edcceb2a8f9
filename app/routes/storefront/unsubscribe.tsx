import { data, Form, Link, useNavigation } from 'react-router';
import { stopReminders } from '#app/features/account/unsubscribe.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/unsubscribe.ts';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  return [{ title: `Gift reminders · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

/** The button of the page, and the one that mail programs show (RFC 8058). Opening the link alone stops nothing: scanners do that. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') throw data(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  const token = new URL(request.url).searchParams.get('token') ?? '';
  const isStopped = await stopReminders(context.get(shopContext), token);
  return data({ isStopped }, { status: isStopped ? 200 : 400 });
}

export default function UnsubscribeRoute({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <main className="lonely-page">
      {actionData?.isStopped ? (
        <>
          <h1>Gift reminders are off</h1>
          <p role="status">
            We won’t remind you before festivals any more. You can turn reminders on again in your profile.
          </p>
        </>
      ) : actionData ? (
        <>
          <h1>This link doesn’t work</h1>
          <p role="alert">
            It may be incomplete. Open the link in the email again, or turn reminders off in your profile.
          </p>
          <p>
            <Link to="/profile">Go to profile</Link>
          </p>
        </>
      ) : (
        <>
          <h1>Stop gift reminders?</h1>
          <p>You won’t get your gift list before festivals any more. Emails about your orders still arrive.</p>
          <Form method="post">
            <Button type="submit" variant="primary" isBusy={isBusy}>
              Stop gift reminders
            </Button>
          </Form>
        </>
      )}
      <p>
        <Link to="/">Back to the shop</Link>
      </p>
    </main>
  );
}
