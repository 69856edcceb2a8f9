import { callFunction } from '#app/backend/client.ts';
import type { Session } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';

export type NotifyProduct = { id: number; name: string };

/** Whether the customer is to be told when it is back; null when that is not known. */
export async function readNotified(
  { config, token }: Pick<Session, 'config' | 'token'>,
  productId: number,
): Promise<boolean | null> {
  const access = await token();
  if (!access.ok) return null;
  const result = await callFunction(config, `notify?product_id=${productId}`, { method: 'GET', token: access.token });
  return result.ok ? saysSubscribed(result.data) : null;
}

/** Changes it, and tells the customer what came of it. The state it has now; null when it is what it was. */
export async function setNotified(
  session: Session,
  { id, name }: NotifyProduct,
  wanted: boolean,
): Promise<boolean | null> {
  if (session.state !== 'signed-in') {
    toast('warning', 'Please log in to manage notifications.', {
      label: 'Log in',
      run: () => void session.signIn(),
    });
    return null;
  }
  const access = await session.token();
  if (!access.ok) {
    toast('error', 'Could not authenticate your session. Please log in again.');
    return null;
  }
  const result = await callFunction(session.config, 'notify', {
    method: wanted ? 'POST' : 'DELETE',
    token: access.token,
    body: { product_id: id },
  });
  if (!result.ok) {
    toast('error', 'There was an issue managing your notification.');
    return null;
  }
  const isSubscribed = saysSubscribed(result.data);
  if (isSubscribed) toast('success', `We'll notify you when ${name} is back in stock!`);
  else toast('info', `You will no longer be notified about ${name}.`);
  return isSubscribed;
}

function saysSubscribed(data: unknown): boolean {
  return (data as { subscribed?: unknown } | null)?.subscribed === true;
}
