import styles from './avatar.module.css';

/** The picture of the social account, else the initials; decorative, the name stands beside it. */
export function Avatar({ name, url, size = 36 }: { name: string; url: string | null; size?: number }) {
  return (
    <span
      className={styles.avatar}
      style={{ width: size, height: size, fontSize: size * 0.4 }}
      data-initials={url ? undefined : initialsOf(name)}
      aria-hidden="true"
    >
      {url && <img src={url} alt="" width={size} height={size} referrerPolicy="no-referrer" />}
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
