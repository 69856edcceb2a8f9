/** Colours of the card, as printed: paper is white whatever the screen. */
export const ink = {
  saffron: '#e8892b',
  marigold: '#f2b233',
  rani: '#a81f5c',
  leaf: '#5e8c4a',
  cocoa: '#7a4a2e',
  deep: '#8a1549',
  flame: '#fff1c2',
  silver: '#d9d4cc',
};

/** Points on a circle, the first at the top. */
export function around(count: number, radius: number): { x: number; y: number; turn: number }[] {
  return Array.from({ length: count }, (_, place) => {
    const turn = (360 / count) * place;
    const angle = ((turn - 90) * Math.PI) / 180;
    return { x: round(Math.cos(angle) * radius), y: round(Math.sin(angle) * radius), turn };
  });
}

const round = (value: number) => Math.round(value * 100) / 100;

type Placed = { x: number; y: number; size: number };

/** A marigold from above: three rings of petals. */
export function Marigold({ x, y, size, colour = ink.saffron }: Placed & { colour?: string }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 10})`}>
      {around(12, 7.2).map((petal) => (
        <circle key={petal.turn} cx={petal.x} cy={petal.y} r="2.8" fill={colour} />
      ))}
      {around(9, 4.4).map((petal) => (
        <circle key={petal.turn} cx={petal.x} cy={petal.y} r="2.4" fill={ink.marigold} />
      ))}
      <circle r="3.4" fill={colour} />
      <circle r="1.4" fill={ink.cocoa} opacity="0.55" />
    </g>
  );
}

/** A mango leaf that hangs. */
export function Leaf({ x, y, size }: Placed) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 10})`}>
      <path d="M0 0C4 3 4.4 9 0 17C-4.4 9 -4 3 0 0Z" fill={ink.leaf} />
      <path d="M0 1V15" stroke="#fff" strokeOpacity="0.5" strokeWidth="0.5" />
    </g>
  );
}

/** A clay lamp with its flame. */
export function Diya({ x, y, size }: Placed) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 10})`}>
      <circle cy="-9" r="9" fill={ink.marigold} opacity="0.18" />
      <path d="M0 -16C3.4 -11.4 4 -9 4 -7.4A4 4 0 0 1 -4 -7.4C-4 -9 -3.4 -11.4 0 -16Z" fill={ink.saffron} />
      <path d="M0 -11.6C1.8 -9.2 2 -8 2 -7A2 2 0 0 1 -2 -7C-2 -8 -1.8 -9.2 0 -11.6Z" fill={ink.flame} />
      <path d="M-11 -4.4C-7 -2.6 7 -2.6 11 -4.4C10.4 2.6 6 6 0 6C-6 6 -10.4 2.6 -11 -4.4Z" fill={ink.cocoa} />
      <ellipse cy="-4.2" rx="11" ry="1.8" fill="#a3683f" />
      <path d="M-7.6 1.2H7.6" stroke={ink.marigold} strokeWidth="1" strokeDasharray="0.1 2.2" strokeLinecap="round" />
    </g>
  );
}

/** A laddu, lit from the left. */
export function Laddu({ x, y, size }: Placed) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 10})`}>
      <circle r="9" fill={ink.marigold} />
      <path d="M-9 0A9 9 0 0 0 8 4A11 11 0 0 1 -9 0Z" fill={ink.saffron} opacity="0.75" />
      {around(7, 5).map((grain) => (
        <circle key={grain.turn} cx={grain.x} cy={grain.y} r="0.9" fill="#fff" opacity="0.4" />
      ))}
      <path d="M-1 -5L2.2 -3.4L0.6 -1.4Z" fill={ink.leaf} />
    </g>
  );
}
