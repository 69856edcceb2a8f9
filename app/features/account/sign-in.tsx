import { useEffect, useState } from 'react';
import type { PublicConfig } from '#app/shop-context.ts';
import { mayHaveSession, type SignedIn, signIn, signOut, watchSession } from './session.ts';
import styles from './sign-in.module.css';

/** Login for visitors; name, picture and a way out for everybody else. The server renders the visitor's view. */
export function SignIn({ config }: { config: PublicConfig }) {
  const [who, setWho] = useState<SignedIn | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    if (!mayHaveSession()) return;
    let stop: (() => void) | undefined;
    let gone = false;
    void watchSession(config, setWho).then((unsubscribe) => {
      stop = unsubscribe;
      if (gone) unsubscribe();
    });
    return () => {
      gone = true;
      stop?.();
    };
  }, [config]);

  async function start() {
    setBusy(true);
    const result = await signIn(config).catch(() => ({
      ok: false as const,
      message: 'Something went wrong. Please try again.',
    }));
    if (!result.ok) {
      setProblem(result.message);
      setBusy(false);
    }
  }

  if (who) {
    return (
      <div className={styles.account}>
        <span className={styles.avatar} aria-hidden="true">
          {who.avatarUrl ? <img src={who.avatarUrl} alt="" width={36} height={36} /> : initials(who.name)}
        </span>
        <span className={styles.name}>{who.name}</span>
        <button type="button" className={styles.quiet} onClick={() => signOut(config).then(() => setWho(null))}>
          Logout
        </button>
      </div>
    );
  }
  return (
    <div className={styles.account}>
      {problem && <p role="alert">{problem}</p>}
      <button type="button" className={styles.login} disabled={busy} onClick={start}>
        Login
      </button>
    </div>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
