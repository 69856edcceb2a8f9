import { useEffect, useState } from 'react';
import { callFunction } from '#app/backend/client.ts';
import { useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import styles from './notify-toggle.module.css';
import { BellIcon } from './product-icons.tsx';

/** For what is out of stock: asks to be told when it is back. The state is read when the toggle appears. */
export default function NotifyToggle({ productId, productName }: { productId: number; productName: string }) {
  const { config, state, token } = useSession();
  const [isSubscribed, setSubscribed] = useState(false);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    if (state !== 'signed-in') {
      setSubscribed(false);
      return;
    }
    let gone = false;
    void (async () => {
      const access = await token();
      if (!access.ok) return;
      const answer = await callFunction(config, `notify?product_id=${productId}`, {
        method: 'GET',
        token: access.token,
      });
      if (!gone && answer.ok) setSubscribed(saysSubscribed(answer.data));
    })();
    return () => {
      gone = true;
    };
  }, [config, state, token, productId]);

  async function toggle() {
    if (state !== 'signed-in') return toast('warning', 'Please log in to manage notifications.');
    setBusy(true);
    const access = await token();
    const answer =
      access.ok &&
      (await callFunction(config, 'notify', {
        method: isSubscribed ? 'DELETE' : 'POST',
        token: access.token,
        body: { product_id: productId },
      }));
    setBusy(false);
    if (!answer) return toast('error', 'Could not authenticate your session. Please log in again.');
    if (!answer.ok) return toast('error', 'There was an issue managing your notification.');
    const now = saysSubscribed(answer.data);
    setSubscribed(now);
    if (now) toast('success', `We'll notify you when ${productName} is back in stock!`);
    else toast('info', `You will no longer be notified about ${productName}.`);
  }

  return (
    <button
      type="button"
      role="switch"
      className={styles.toggle}
      aria-checked={isSubscribed}
      aria-busy={isBusy}
      disabled={state === 'checking'}
      onClick={() => !isBusy && void toggle()}
    >
      <BellIcon />
      Notify me when it is back
      <span className={styles.track} aria-hidden="true" />
    </button>
  );
}

function saysSubscribed(data: unknown): boolean {
  return (data as { subscribed?: unknown } | null)?.subscribed === true;
}
