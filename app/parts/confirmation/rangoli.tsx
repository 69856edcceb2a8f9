import type { CSSProperties } from 'react';
import styles from './rangoli.module.css';

const outer = 'M0 0C-26-34-20-74 0-96 20-74 26-34 0 0Z';
const inner = 'M0 0C-14-20-11-42 0-54 11-42 14-20 0 0Z';
const eight = Array.from({ length: 8 }, (_, index) => index);

export type RangoliProps = {
  /** An outline that waits, one that has opened in all its colours, or one that stands still. */
  mood: 'waiting' | 'blooming' | 'still';
};

/** A flower as drawn on the doorstep when something good is expected. */
export function Rangoli({ mood }: RangoliProps) {
  const petal = (path: string, index: number, turn: number) => (
    <g key={index} transform={`rotate(${index * 45 + turn})`}>
      <path d={path} style={{ '--turn': index } as CSSProperties} />
    </g>
  );
  return (
    <svg className={styles.rangoli} data-mood={mood} viewBox="-120 -120 240 240" aria-hidden="true">
      <g className={styles.dots}>
        {eight.map((index) => (
          <circle key={index} cx="0" cy="-108" r="4" transform={`rotate(${index * 45 + 22.5})`} />
        ))}
      </g>
      <g className={styles.outer}>{eight.map((index) => petal(outer, index, 0))}</g>
      <g className={styles.inner}>{eight.map((index) => petal(inner, index, 22.5))}</g>
      <circle className={styles.heart} r="15" />
    </svg>
  );
}
