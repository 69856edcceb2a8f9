import { useEffect, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { readNotified, setNotified } from './notify-backend.ts';
import styles from './notify-toggle.module.css';
import { BellIcon } from './product-icons.tsx';

/** For what is out of stock: asks to be told when it is back. The state is read when the toggle appears. */
export default function NotifyToggle({ productId, productName }: { productId: number; productName: string }) {
  const session = useSession();
  const { state, who, config, token } = session;
  const userId = who?.id;
  const [isSubscribed, setSubscribed] = useState(false);
  const [isBusy, setBusy] = useState(false);

  useEffect(() => {
    if (!userId) {
      setSubscribed(false);
      return;
    }
    let gone = false;
    void readNotified({ config, token }, productId).then((now) => {
      if (!gone && now !== null) setSubscribed(now);
    });
    return () => {
      gone = true;
    };
  }, [userId, config, token, productId]);

  async function toggle() {
    setBusy(true);
    const now = await setNotified(session, { id: productId, name: productName }, !isSubscribed);
    setBusy(false);
    if (now !== null) setSubscribed(now);
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
      Notify me when it’s back
      <span className={styles.track} aria-hidden="true" />
    </button>
  );
}
