import styles from './lamp.module.css';

/** An oil lamp that is lit when the page appears, flickers, and then burns still. */
export function Lamp() {
  return (
    <svg className={styles.lamp} viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <radialGradient id="lamp-glow">
        <stop stopColor="#ffc75f" stopOpacity="0.75" />
        <stop offset="1" stopColor="#ffc75f" stopOpacity="0" />
      </radialGradient>
      <circle className={styles.glow} cx="35" cy="18" r="26" fill="url(#lamp-glow)" />
      <g className={styles.flame}>
        <path
          d="M35 5c4.600 6.200 6.400 9.700 6.400 13.400A6.200 6.200 0 0 1 35 25a6.200 6.200 0 0 1-6.400-6.600C28.600 14.700 30.400 11.200 35 5Z"
          fill="#f2a41f"
        />
        <path
          d="M35 12.500c2.400 3.500 3.300 5.300 3.300 7.200A3.250 3.250 0 0 1 35 23a3.250 3.250 0 0 1-3.300-3.300c0-1.900.900-3.700 3.300-7.200Z"
          fill="#fff0bf"
        />
      </g>
      <path
        d="M3.500 27.500c9.500 2.200 21 1.600 29-2.500 2.500-1.300 5.600-.700 7.500 1.300l3 3.200c-2.500 7.500-10 13-19.500 13S6 36.500 3.500 27.500Z"
        fill="#b5612c"
      />
      <path
        d="M3.500 27.500c9.500 2.200 21 1.600 29-2.500 2.500-1.300 5.600-.700 7.500 1.300l.900 1c-9 5-25.500 5.800-36.400 3.200-.4-1-.7-2-1-3Z"
        fill="#e59a55"
      />
      <g fill="#ffe3b0">
        <circle cx="13" cy="35" r="1.200" />
        <circle cx="19" cy="36.500" r="1.200" />
        <circle cx="25.500" cy="36.500" r="1.200" />
        <circle cx="32" cy="35" r="1.200" />
      </g>
    </svg>
  );
}
