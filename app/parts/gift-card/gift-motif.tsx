import type { ReactNode } from 'react';
import type { GiftMotif as Motif } from '#domain/gifts/gift.ts';
import { around, Diya, ink, Laddu, Leaf, Marigold } from './motif-shapes.tsx';

const drawings: Record<Motif, () => ReactNode> = {
  diwali: Diwali,
  rakhi: Rakhi,
  wedding: Wedding,
  holi: Holi,
  sweets: Sweets,
};

/** The picture on the card, drawn; it fills the width and is cut at the sides where there is less height. */
export function GiftMotif({ of, className }: { of: Motif; className?: string | undefined }) {
  const Drawing = drawings[of];
  return (
    <svg className={className} viewBox="0 0 210 120" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <Drawing />
    </svg>
  );
}

const ground = (colour: string) => <rect width="210" height="120" fill={colour} />;

function Diwali() {
  return (
    <>
      {ground('#fdf0dc')}
      <path d="M0 8Q26 34 52 8T105 8T158 8T210 8" fill="none" stroke={ink.cocoa} strokeWidth="0.8" />
      {[13, 26, 39, 66, 79, 92, 119, 132, 145, 171, 184, 197].map((x) => (
        <circle key={x} cx={x} cy={x % 53 === 26 ? 22 : 18} r="2.6" fill={x % 2 ? ink.rani : ink.marigold} />
      ))}
      <g transform="translate(105 112)">
        {around(24, 40).map(({ x, y, turn }) => (
          <ellipse
            key={turn}
            cx={x}
            cy={y / 3}
            rx="5"
            ry="1.8"
            fill={turn % 30 === 0 ? ink.rani : ink.saffron}
            opacity="0.5"
          />
        ))}
        {around(16, 62).map(({ x, y, turn }) => (
          <circle key={turn} cx={x} cy={y / 3} r="1.4" fill={ink.deep} opacity="0.5" />
        ))}
      </g>
      <Diya x={54} y={88} size={13} />
      <Diya x={156} y={88} size={13} />
      <Diya x={105} y={96} size={21} />
    </>
  );
}

function Rakhi() {
  return (
    <>
      {ground('#fbe7ee')}
      <path d="M-4 74C30 46 60 72 105 60S180 46 214 68" fill="none" stroke={ink.rani} strokeWidth="4" />
      <path
        d="M-4 74C30 46 60 72 105 60S180 46 214 68"
        fill="none"
        stroke={ink.marigold}
        strokeWidth="1.4"
        strokeDasharray="5 4"
      />
      {[34, 52, 158, 176].map((x, place) => (
        <circle key={x} cx={x} cy={[63.5, 63.5, 57, 57.5][place]} r="4.6" fill={ink.marigold} stroke={ink.deep} />
      ))}
      <g transform="translate(105 60)">
        {around(16, 36).map(({ x, y, turn }) => (
          <g key={turn} transform={`translate(${x} ${y}) rotate(${turn})`}>
            <path d="M0 -9C4 -4 4 2 0 5C-4 2 -4 -4 0 -9Z" fill={turn % 45 === 0 ? ink.saffron : ink.rani} />
          </g>
        ))}
        <circle r="31" fill={ink.marigold} />
        <circle r="27" fill={ink.deep} />
        {around(12, 21).map(({ x, y, turn }) => (
          <circle key={turn} cx={x} cy={y} r="3" fill={ink.flame} />
        ))}
        <Marigold x={0} y={0} size={14} />
      </g>
    </>
  );
}

function Wedding() {
  const strings = [14, 44, 75, 105, 135, 166, 196];
  return (
    <>
      {ground('#fff6e3')}
      <rect width="210" height="7" fill={ink.deep} />
      <path d="M0 7H210" stroke={ink.marigold} strokeWidth="1.6" strokeDasharray="0.1 4" strokeLinecap="round" />
      {strings.map((x, place) => {
        const flowers = [4, 3, 2, 3, 2, 3, 4][place] ?? 2;
        return (
          <g key={x}>
            <path d={`M${x} 7V${14 + flowers * 19}`} stroke={ink.leaf} strokeWidth="1" />
            {[18, 37, 56, 75].slice(0, flowers).map((y) => (
              <Marigold key={y} x={x} y={y} size={9} colour={y % 2 ? ink.marigold : ink.saffron} />
            ))}
            <Leaf x={x - 5} y={10 + flowers * 19} size={9} />
            <Leaf x={x + 5} y={10 + flowers * 19} size={9} />
          </g>
        );
      })}
      {[29, 60, 90, 120, 150, 181].map((x) => (
        <Leaf key={x} x={x} y={8} size={11} />
      ))}
    </>
  );
}

function Holi() {
  const clouds = [
    { x: 44, y: 46, r: 34, colour: ink.rani },
    { x: 92, y: 34, r: 30, colour: ink.marigold },
    { x: 128, y: 58, r: 36, colour: '#4b8fbf' },
    { x: 172, y: 42, r: 32, colour: ink.leaf },
    { x: 82, y: 66, r: 24, colour: ink.saffron },
  ];
  return (
    <>
      {ground('#fffaf2')}
      {clouds.map(({ x, y, r, colour }) => (
        <g key={x} fill={colour} transform={`translate(${x} ${y})`}>
          <circle r={r * 0.62} opacity="0.55" />
          {around(9, r * 0.6).map((puff) => (
            <circle
              key={puff.turn}
              cx={puff.x}
              cy={puff.y}
              r={puff.turn % 80 === 0 ? r * 0.42 : r * 0.3}
              opacity="0.4"
            />
          ))}
          {around(13, r * 1.12).map((speck) => (
            <circle key={speck.turn} cx={speck.x} cy={speck.y} r={speck.turn % 3 < 1 ? 1.8 : 1} opacity="0.7" />
          ))}
        </g>
      ))}
      {[
        [50, ink.rani],
        [105, ink.marigold],
        [160, ink.leaf],
      ].map(([x, colour]) => (
        <g key={x} transform={`translate(${x} 104)`}>
          <path d="M-19 -5C-12 -20 12 -20 19 -5Z" fill={`${colour}`} />
          <path d="M-23 -5H23C21 8 13 14 0 14S-21 8 -23 -5Z" fill={ink.cocoa} />
          <path d="M-21 0H21" stroke={ink.marigold} strokeWidth="1.2" strokeDasharray="0.1 4" strokeLinecap="round" />
        </g>
      ))}
    </>
  );
}

function Sweets() {
  return (
    <>
      {ground('#f7ead6')}
      <Marigold x={16} y={18} size={12} />
      <Marigold x={194} y={18} size={12} />
      <Leaf x={30} y={8} size={11} />
      <Leaf x={180} y={8} size={11} />
      <rect x="35" y="32" width="140" height="76" rx="7" fill={ink.deep} />
      <rect x="41" y="38" width="128" height="64" rx="4" fill="#fff6e3" />
      <path d="M84 38V102M126 38V102M41 70H169" stroke={ink.marigold} strokeWidth="1.2" />
      <Laddu x={62} y={54} size={14} />
      <Laddu x={148} y={86} size={14} />
      {[
        [105, 54, ink.cocoa],
        [62, 86, '#efe0b8'],
      ].map(([x, y, colour]) => (
        <g key={`${x}`} transform={`translate(${x} ${y}) rotate(45)`}>
          <rect x="-10" y="-10" width="20" height="20" rx="2" fill={`${colour}`} />
          <rect x="-6" y="-6" width="12" height="12" rx="1" fill={ink.silver} opacity="0.8" />
        </g>
      ))}
      <Marigold x={148} y={54} size={12} colour={ink.rani} />
      <g transform="translate(105 86)">
        <ellipse rx="13" ry="9" fill={ink.saffron} />
        <path d="M-8 -3C-3 2 3 2 8 -3" fill="none" stroke={ink.leaf} strokeWidth="2.4" strokeLinecap="round" />
        <path d="M-5 3C-2 5 2 5 5 3" fill="none" stroke="#fff" strokeWidth="1.4" strokeLinecap="round" opacity="0.7" />
      </g>
    </>
  );
}
