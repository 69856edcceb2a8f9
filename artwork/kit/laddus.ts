import { type Art, blob, ellipse, type Point, path } from './art.ts';
import { type Ball, ball } from './ball.ts';
import { ramp } from './colour.ts';
import { almondSliver, cashew, pistachioSliver, raisin, rosePetal, strew, varak } from './garnish.ts';
import type { Layer } from './particles.ts';

export type Laddu = (art: Art, b: Ball) => string;

export const besan = ramp('#6a2a04', '#a9560b', '#d98a20', '#f3b84a', '#ffe6a4');
export const orange = ramp('#7c1c00', '#c44203', '#f07a0c', '#ffab2e', '#ffe08a');
export const yellow = ramp('#85460a', '#c97f0a', '#f2b013', '#ffd84a', '#fff3b0');
export const coconut = ramp('#98804f', '#cbb892', '#ece1cb', '#fcf7ec', '#ffffff');
export const sesame = ramp('#7a5222', '#b78c4c', '#e3c588', '#f8e8bf', '#fffaea');
export const jaggery = ramp('#3b1503', '#6e2c07', '#a44d10', '#cf7d2c', '#f0b566');
export const date = ramp('#260a04', '#4d1a0a', '#7a3114', '#a8562a', '#dc9a63');
export const rava = ramp('#9a6c33', '#d0a662', '#f2d9a2', '#fdf1cf', '#fffef5');
export const wheat = ramp('#42200a', '#7b4415', '#ae6e2a', '#d3a056', '#f3d79c');
export const gum = ramp('#8a4a10', '#c98427', '#efbc5a', '#fde4a4', '#fffbe9');
export const green = ramp('#33470f', '#5d7a22', '#94b045', '#c3d67a', '#f0f6c4');
export const almondSkin = ramp('#3a1405', '#7a3c16', '#b8733a', '#e3ac70', '#fbe0b8');
export const cream = ramp('#9a7440', '#cfa96b', '#f0d7a2', '#fbf0d2', '#fffdf4');

export const besanCrumb: Layer = { kind: 'crumb', tones: besan, size: [4, 9], cover: 0.5, vary: 0.1 };
export const boondiPearl: Layer = { kind: 'pearl', tones: yellow, size: [15, 19], cover: 1, vary: 0.07, gloss: 0.6 };
export const motiPearl: Layer = { kind: 'pearl', tones: orange, size: [8, 11], cover: 1, vary: 0.07, gloss: 0.6 };
export const sesameSeed: Layer = { kind: 'seed', tones: sesame, size: [7, 9], cover: 1, vary: 0.1 };
export const coconutFlake: Layer = { kind: 'flake', tones: coconut, size: [5, 9], cover: 1, vary: 0.08 };
export const ravaCrumb: Layer = { kind: 'crumb', tones: rava, size: [3, 6], cover: 1, vary: 0.08 };
export const wheatCrumb: Layer = { kind: 'crumb', tones: wheat, size: [4, 10], cover: 1, vary: 0.1 };
export const nutBit: Layer = { kind: 'chunk', tones: cream, size: [7, 14], cover: 1, vary: 0.1 };

const crown = (b: Ball): Point => [b.cx - b.r * 0.06, b.cy - b.r * 0.52];

export const besanLaddu: Laddu = (art, b) =>
  ball(art, b, {
    tones: besan,
    grain: [0.07, 5],
    wobble: 0.016,
    shine: 0.26,
    layers: [
      { kind: 'crumb', tones: besan, size: [4, 8], cover: 0.34, vary: 0.07, bump: 0.012 },
      { kind: 'crumb', tones: besan, size: [9, 17], cover: 0.16, vary: 0.07, bump: 0.01 },
    ],
  }) +
  strew(art, [pistachioSliver, pistachioSliver, almondSliver], crown(b), [b.r * 0.34, b.r * 0.2], 11, [
    b.r * 0.1,
    b.r * 0.14,
  ]);

export const motichoorLaddu: Laddu = (art, b) => {
  const [x, y] = crown(b);
  const leaf: Point[] = [
    [x - b.r * 0.3, y - b.r * 0.02],
    [x - b.r * 0.08, y - b.r * 0.2],
    [x + b.r * 0.22, y - b.r * 0.15],
    [x + b.r * 0.34, y + b.r * 0.06],
    [x + b.r * 0.08, y + b.r * 0.2],
    [x - b.r * 0.2, y + b.r * 0.16],
  ];
  return (
    ball(art, b, {
      tones: orange,
      grain: [0.05, 3],
      shine: 0.2,
      layers: [
        { kind: 'pearl', tones: orange, size: [10, 14], cover: 1.15, vary: 0.06, bump: 0.018, gloss: 0.7 },
        { kind: 'pearl', tones: green, size: [9, 12], cover: 0.02, vary: 0.06, bump: 0.018, gloss: 0.5 },
      ],
    }) +
    varak(art, leaf, b.r * 0.05) +
    strew(art, [pistachioSliver], [x, y], [b.r * 0.22, b.r * 0.12], 5, [b.r * 0.1, b.r * 0.13])
  );
};

export const nariyalLaddu: Laddu = (art, b) =>
  ball(art, b, {
    tones: coconut,
    grain: [0.06, 4],
    shine: 0.3,
    layers: [
      { kind: 'flake', tones: coconut, size: [7, 12], cover: 1.3, vary: 0.07, bump: 0.03 },
      { kind: 'strand', tones: coconut, size: [9, 15], cover: 0.5, vary: 0.06, bump: 0.035 },
    ],
  }) + strew(art, [rosePetal, pistachioSliver], crown(b), [b.r * 0.18, b.r * 0.12], 4, [b.r * 0.1, b.r * 0.15]);

export const tilLaddu: Laddu = (art, b) =>
  ball(art, b, {
    tones: jaggery,
    grain: [0.04, 3],
    shine: 0.25,
    layers: [
      { kind: 'seed', tones: sesame, size: [11, 14], cover: 2.1, vary: 0.1, bump: 0.02 },
      { kind: 'chunk', tones: jaggery, size: [9, 15], cover: 0.16, vary: 0.08, bump: 0.012, gloss: 1 },
    ],
  });

export const dryFruitLaddu: Laddu = (art, b) =>
  ball(art, b, {
    tones: date,
    grain: [0.03, 6],
    wobble: 0.02,
    shine: 0.2,
    layers: [
      { kind: 'crumb', tones: date, size: [14, 26], cover: 0.7, vary: 0.08, bump: 0.01 },
      { kind: 'chunk', tones: cream, size: [22, 40], cover: 0.42, vary: 0.06, bump: 0.014 },
      { kind: 'chunk', tones: green, size: [18, 32], cover: 0.26, vary: 0.06, bump: 0.014 },
      { kind: 'chunk', tones: almondSkin, size: [20, 34], cover: 0.22, vary: 0.06, bump: 0.014, gloss: 0.5 },
      { kind: 'seed', tones: cream, size: [7, 9], cover: 0.08, vary: 0.1, bump: 0.016 },
    ],
  });

export const ravaLaddu: Laddu = (art, b) => {
  const [x, y] = crown(b);
  return (
    ball(art, b, {
      tones: rava,
      grain: [0.12, 3],
      shine: 0.3,
      layers: [
        { kind: 'crumb', tones: rava, size: [4, 7], cover: 0.32, vary: 0.07, bump: 0.01 },
        { kind: 'crumb', tones: coconut, size: [4, 7], cover: 0.08, vary: 0.05, bump: 0.01 },
      ],
    }) +
    raisin(art, x - b.r * 0.36, y + b.r * 0.12, b.r * 0.1, 20) +
    raisin(art, b.cx + b.r * 0.56, b.cy + b.r * 0.12, b.r * 0.09, 70) +
    raisin(art, b.cx - b.r * 0.22, b.cy + b.r * 0.62, b.r * 0.08, -15) +
    strew(art, [pistachioSliver, almondSliver], [x, y + b.r * 0.02], [b.r * 0.42, b.r * 0.2], 9, [
      b.r * 0.09,
      b.r * 0.12,
    ]) +
    cashew(art, x, y + b.r * 0.05, b.r * 0.24, -14)
  );
};

export const gondLaddu: Laddu = (art, b) =>
  ball(art, b, {
    tones: wheat,
    grain: [0.06, 6],
    wobble: 0.022,
    shine: 0.2,
    layers: [
      { kind: 'crumb', tones: wheat, size: [6, 12], cover: 0.7, vary: 0.1, bump: 0.014 },
      { kind: 'pearl', tones: gum, size: [9, 17], cover: 0.13, vary: 0.08, bump: 0.016, gloss: 1 },
      { kind: 'chunk', tones: cream, size: [15, 27], cover: 0.3, vary: 0.06, bump: 0.014 },
      {
        kind: 'chunk',
        tones: ramp('#2a0f05', '#5a260c', '#8f4a1c', '#c07a3c', '#eab97e'),
        size: [12, 20],
        cover: 0.1,
        vary: 0.06,
        bump: 0.014,
      },
    ],
  }) + strew(art, [almondSliver], crown(b), [b.r * 0.3, b.r * 0.17], 6, [b.r * 0.11, b.r * 0.15]);

function clove(art: Art, x: number, y: number, l: number): string {
  return (
    ellipse(x + l * 0.2, y + l * 0.3, l, l * 0.9, `fill="#4a2503" opacity=".5" ${art.blur(l * 0.2)}`) +
    path(blob(art.rnd, x, y, l, l * 0.92, 0.18, 8), 'fill="#3a1608"') +
    ellipse(x - l * 0.15, y - l * 0.2, l * 0.5, l * 0.45, 'fill="#7a3c1c"') +
    ellipse(x - l * 0.28, y - l * 0.32, l * 0.16, l * 0.12, 'fill="#f0c090" opacity=".8"')
  );
}

export const boondiLaddu: Laddu = (art, b) =>
  ball(art, b, {
    tones: yellow,
    grain: [0.05, 3],
    wobble: 0.02,
    shine: 0.18,
    layers: [
      { kind: 'pearl', tones: yellow, size: [22, 29], cover: 1.25, vary: 0.06, bump: 0.03, gloss: 0.9 },
      {
        kind: 'pearl',
        tones: ramp('#7c2a00', '#c65e06', '#f5951c', '#ffc252', '#ffeaa8'),
        size: [21, 27],
        cover: 0.16,
        vary: 0.05,
        bump: 0.03,
        gloss: 0.9,
      },
    ],
  }) +
  strew(art, [pistachioSliver, pistachioSliver, almondSliver], crown(b), [b.r * 0.36, b.r * 0.2], 8, [
    b.r * 0.1,
    b.r * 0.13,
  ]) +
  clove(art, b.cx + b.r * 0.12, b.cy - b.r * 0.3, b.r * 0.05) +
  raisin(art, b.cx - b.r * 0.62, b.cy + b.r * 0.22, b.r * 0.09, 30) +
  raisin(art, b.cx + b.r * 0.26, b.cy + b.r * 0.5, b.r * 0.09, -40);
