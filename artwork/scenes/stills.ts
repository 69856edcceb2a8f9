import { Art, ellipse, f, type Point, path } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import { openBox } from '../kit/box.ts';
import * as choc from '../kit/chocolates.ts';
import { ramp } from '../kit/colour.ts';
import { paperCup } from '../kit/festive.ts';
import { almondSliver, pistachioSliver, rosePetal, strew } from '../kit/garnish.ts';
import { GROUNDS, ground } from '../kit/grounds.ts';
import { moongHeap, moongPaste } from '../kit/halwas.ts';
import * as laddus from '../kit/laddus.ts';
import { besanCrumb, motiPearl } from '../kit/laddus.ts';
import { crumbs } from '../kit/particles.ts';
import { bowl, METAL } from '../kit/vessels.ts';

/** The halwai's iron kadhai, just off the fire. */
export function story(): string {
  const art = new Art('story');
  const tone = GROUNDS.halwa;
  const iron = METAL.iron;
  const [cx, cy, rx] = [470, 560, 385];
  const pan = bowl(art, tone, { cx, cy, rx, depth: 260, pitch: 0.4, tones: iron, inside: iron, foot: 0.4 });
  const ring = (side: number) => {
    const x = cx + side * (rx + 26);
    const d = `M${f(x - side * 34)} ${f(cy - 26)}C${f(x + side * 60)} ${f(cy - 60)} ${f(x + side * 70)} ${f(cy + 56)} ${f(x - side * 30)} ${f(cy + 40)}`;
    return (
      path(d, `fill="none" stroke="${iron(0.05)}" stroke-width="30" stroke-linecap="round"`) +
      path(
        d,
        `fill="none" stroke="${iron(side < 0 ? 0.62 : 0.36)}" stroke-width="18" stroke-linecap="round" transform="translate(-3 -4)"`,
      ) +
      path(
        d,
        `fill="none" stroke="${iron(0.95)}" stroke-width="4" stroke-linecap="round" opacity=".6" transform="translate(-6 -8)"`,
      )
    );
  };
  const wood = art.linear(
    [
      [0, '#f0c68c'],
      [0.45, '#b97a3c'],
      [1, '#5f3414'],
    ],
    [0, -28],
    [0, 28],
  );
  const handle = `<g transform="translate(560 400) rotate(-52)"><g transform="translate(10 16)" opacity=".35" ${art.blur(10)}>${path('M-60 -30L420 -22Q452 0 420 22L-60 30Z', 'fill="#3a1604"')}</g><g ${art.relief('0.004 0.09', 6, 3)}>${path('M-120 -56C-40 -62 20 -34 60 -26L430 -20Q456 0 430 20L60 26C20 34 -40 62 -120 56C-150 30 -150 -30 -120 -56Z', `fill="${wood}"`)}</g>${path('M70 -14L420 -10', 'stroke="#fff0cf" stroke-width="6" stroke-linecap="round" opacity=".6"')}<circle cx="418" cy="0" r="8" fill="#3a1c08"/></g>`;
  const wisp = (x: number, y: number, s: number, o: number) =>
    path(
      `M${f(x)} ${f(y)}c${f(-60 * s)} ${f(-70 * s)} ${f(60 * s)} ${f(-120 * s)} ${f(8 * s)} ${f(-200 * s)}c${f(-40 * s)} ${f(-64 * s)} ${f(30 * s)} ${f(-100 * s)} ${f(10 * s)} ${f(-150 * s)}`,
      `fill="none" stroke="#fffaf0" stroke-width="${f(30 * s)}" stroke-linecap="round" opacity="${o}" ${art.blur(15 * s, true)}`,
    );
  const mound = { cx, cy: cy + 16, rx: 344, height: 190, pitch: 0.4 };
  return art.document(
    960,
    960,
    ground(art, tone) +
      ring(-1) +
      ring(1) +
      pan.back +
      pan.lip +
      moongHeap(art, mound) +
      handle +
      moongPaste(art, { cx: 488, cy: 500, rx: 118, height: 82, pitch: 0.4 }) +
      wisp(250, 420, 0.9, 0.42) +
      wisp(400, 360, 1, 0.36) +
      wisp(330, 380, 0.7, 0.3) +
      strew(art, [almondSliver, pistachioSliver], [190, 880], [90, 30], 5, [20, 28]),
  );
}

export function emptyCart(): string {
  const art = new Art('empty-cart');
  const tone = GROUNDS.ivory;
  const paper = ramp('#9a7440', '#cfa96b', '#f0d7a2', '#fbf0d2', '#fffdf4');
  const box = openBox(art, tone, {
    at: [480, 530],
    w: 400,
    d: 380,
    h: 130,
    outside: '#f2b233',
    inside: '#a91c5c',
    trim: '#8e1449',
  });
  const cups: Point[] = [
    [-256, -220],
    [0, -220],
    [256, -220],
    [-256, 30],
    [0, 30],
    [256, 30],
    [-256, 262],
    [0, 262],
    [256, 262],
  ];
  return art.document(
    960,
    960,
    ground(art, tone) +
      box.back +
      cups
        .map(([x, y]) => {
          const [px, py] = box.floor(x, y, 16);
          return (
            paperCup(art, [px, py], 112, box.pitch, paper) +
            ellipse(
              px,
              py + 4,
              80,
              80 * box.pitch,
              `fill="${art.radial(
                [
                  [0, '#fff7e2'],
                  [1, '#d9b676'],
                ],
                [px + 16, py + 12],
                100,
                box.pitch,
              )}"`,
            )
          );
        })
        .join('') +
      crumbs(art, { ...besanCrumb, size: [5, 12] }, box.floor(-256, 30, 16), [56, 40], 11) +
      crumbs(art, { ...motiPearl, size: [9, 13] }, box.floor(6, 34, 16), [52, 38], 7) +
      strew(art, [pistachioSliver], box.floor(256, -218, 16), [50, 34], 3, [20, 26]) +
      rosePetal(art, ...box.floor(250, 262, 20), 34, 40) +
      box.front +
      crumbs(art, { ...besanCrumb, size: [5, 11] }, [780, 880], [90, 26], 8),
  );
}

/** A box that customers fill themselves: every place another sweet, and one still to be chosen. */
export function ownBox(): string {
  const art = new Art('own-box');
  const tone = GROUNDS.gift;
  const box = openBox(art, tone, {
    at: [480, 530],
    w: 415,
    d: 400,
    h: 130,
    outside: '#f4e6cb',
    inside: '#8e1449',
    trim: '#d9a441',
  });
  const cup = ramp('#8a5a1c', '#c99a4c', '#f0d69c', '#fff1d2', '#ffffff');
  const rows: [number, ((art: Art, b: Ball) => string)[]][] = [
    [-238, [laddus.motichoorLaddu, choc.pistachioTruffle, laddus.nariyalLaddu]],
    [18, [choc.roseTruffle, laddus.besanLaddu, laddus.dryFruitLaddu]],
    [270, [laddus.boondiLaddu, laddus.tilLaddu]],
  ];
  const filled = rows.map(([y, row]) =>
    [0, 1, 2]
      .map((i) => {
        const x = (i - 1) * 266;
        const [cx, cy] = box.floor(x, y, 104);
        return paperCup(art, box.floor(x, y, 35), 128, box.pitch, cup) + (row[i]?.(art, { cx, cy, r: 116 }) ?? '');
      })
      .join(''),
  );
  return art.document(960, 960, ground(art, tone) + box.back + filled.join('') + box.front);
}
