import { data, Form, Link, useNavigation } from 'react-router';
import { stopMessagesOf } from '#app/features/account/unsubscribe.server.ts';
import { shopContext } from '#app/shop-context.ts';
import { Button } from '#app/ui/button.tsx';
import { purposeOfStopLink, stopWords } from '#domain/customers/consents.ts';
import type { Route } from './+types/unsubscribe.ts';

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? '';

export function loader({ request }: Route.LoaderArgs) {
  return { purpose: purposeOfStopLink(tokenOf(request)) };
}

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const shopName = matches[1].loaderData?.shop.name ?? 'Mithaas';
  const { title } = stopWords[loaderData?.purpose ?? 'festival-reminders'];
  return [{ title: `${title} · ${shopName}` }, { name: 'robots', content: 'noindex' }];
}

export function headers() {
  return { 'cache-control': 'private, no-store' };
}

/** The button of the page, and the one that mail programs show (RFC 8058). Opening the link alone stops nothing: scanners do that. */
export async function action({ request, context }: Route.ActionArgs) {
  if (request.method !== 'POST') throw data(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  const stopped = await stopMessagesOf(context.get(shopContext), tokenOf(request));
  return data({ stopped }, { status: stopped ? 200 : 400 });
}

export default function UnsubscribeRoute({ loaderData: { purpose }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <main className="lonely-page">
      {actionData?.stopped ? (
        <>
          <h1>{`${stopWords[actionData.stopped].title} are off`}</h1>
          <p role="status">
            {stopWords[actionData.stopped].done} You can turn them on again in your profile. Messages about your orders
            still arrive.
          </p>
        </>
      ) : actionData ? (
        <>
          <h1>This link doesn’t work</h1>
          <p role="alert">It may be incomplete. Open the link in the message again, or turn it off in your profile.</p>
          <p>
            <Link to="/profile">Go to profile</Link>
          </p>
        </>
      ) : (
        <>
          <h1>{`${stopWords[purpose].button}?`}</h1>
          <p>{stopWords[purpose].what} Emails about your orders still arrive.</p>
          <Form method="post">
            <Button type="submit" variant="primary" isBusy={isBusy}>
              {stopWords[purpose].button}
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
