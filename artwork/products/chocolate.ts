import { type Art, ellipse, f, lifted, type Point, path, turned } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import * as make from '../kit/chocolates.ts';
import { ramp } from '../kit/colour.ts';
import { pistachioSliver, rosePetal, strew, varak } from '../kit/garnish.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import { crumbs } from '../kit/particles.ts';
import { block, project, square, type View } from '../kit/solids.ts';
import type { Drawings } from './types.ts';

const tone = GROUNDS.chocolate;
const sit = (art: Art, b: Ball, draw: (art: Art, b: Ball) => string) =>
  shadow(art, tone, b.cx + 8, b.cy + b.r * 0.84, b.r * 0.86, b.r * 0.27) + draw(art, b);

const SUGAR = ramp('#c9923c', '#e8bd6a', '#f6dda0', '#fff3d2', '#ffffff');

/** Candied peel, one end in dark chocolate. */
export function peel(art: Art, at: Point, length: number, turn: number): string {
  const { rnd } = art;
  const w = length * 0.13;
  const tones = ramp('#8f3000', '#d05c04', '#f58a12', '#ffb440', '#ffe09a');
  const bend = length * 0.07;
  const stick = (from: number, to: number, half: number) => {
    const y = (k: number) => -bend * Math.sin(((k + 1) / 2) * Math.PI);
    const m = (from + to) / 2;
    return `M${f(from * length)} ${f(y(from) - half)}Q${f(m * length)} ${f(2 * y(m) - (y(from) + y(to)) / 2 - half)} ${f(to * length)} ${f(y(to) - half)}Q${f(to * length + half * 1.1)} ${f(y(to))} ${f(to * length)} ${f(y(to) + half)}Q${f(m * length)} ${f(2 * y(m) - (y(from) + y(to)) / 2 + half)} ${f(from * length)} ${f(y(from) + half)}Q${f(from * length - half * 0.9)} ${f(y(from))} ${f(from * length)} ${f(y(from) - half)}Z`;
  };
  const fruit = art.linear(
    [
      [0, tones(0.95)],
      [0.45, tones(0.66)],
      [1, tones(0.2)],
    ],
    [0, -w - bend],
    [0, w],
  );
  const dip = art.linear(
    [
      [0, make.dark(0.86)],
      [0.3, make.dark(0.5)],
      [1, make.dark(0.08)],
    ],
    [0, -w * 1.15 - bend],
    [0, w],
  );
  let sugar = '';
  for (let i = 0; i < 70; i++) {
    const u = rnd.range(-0.98, 0.1);
    const v = rnd.range(-0.9, 0.85);
    const s = rnd.range(2.2, 5);
    sugar += `<rect x="${f(u * length)}" y="${f(v * w - bend * Math.sin(((u + 1) / 2) * Math.PI))}" width="${f(s)}" height="${f(s)}" fill="${SUGAR(0.9 - v * 0.3)}" opacity=".85" transform="rotate(${f(rnd.range(-20, 20))} ${f(u * length)} 0)"/>`;
  }
  const body = `<g ${art.relief(0.05, 5, 3)}>${path(stick(-1, 0.2, w), `fill="${fruit}"`)}</g>${sugar}<g>${path(stick(-0.02, 1, w * 1.18), `fill="${dip}"`)}</g>${path(`M${f(length * 0.08)} ${f(-w * 0.72 - bend)}Q${f(length * 0.5)} ${f(-w * 0.72 - bend * 1.1)} ${f(length * 0.9)} ${f(-w * 0.45 - bend * 0.35)}`, `fill="none" stroke="#ffe9d2" stroke-width="${f(w * 0.2)}" stroke-linecap="round" opacity=".75" ${art.blur(w * 0.05)}`)}`;
  return (
    turned(
      at[0] + 14,
      at[1] + 20,
      turn,
      path(stick(-1, 1, w * 1.1), `fill="${tone.shadow}" opacity=".55" ${art.blur(11)}`),
    ) + turned(at[0], at[1], turn, body)
  );
}

function orangeSlice(art: Art, cx: number, cy: number, r: number): string {
  let cells = '';
  for (let i = 0; i < 9; i++) {
    const a = (i / 9) * Math.PI * 2 + 0.2;
    const at = (k: number, t: number) => `${f(cx + Math.cos(a + t) * r * k)} ${f(cy + Math.sin(a + t) * r * k)}`;
    cells += path(
      `M${at(0.12, 0)}Q${at(0.5, -0.42)} ${at(0.8, -0.28)}Q${at(0.88, 0)} ${at(0.8, 0.28)}Q${at(0.5, 0.42)} ${at(0.12, 0)}Z`,
      `fill="${art.radial(
        [
          [0, '#ffc65a'],
          [1, '#f0790c'],
        ],
        [cx - r * 0.2, cy - r * 0.2],
        r,
      )}"`,
    );
  }
  return (
    ellipse(cx + 14, cy + 18, r, r, `fill="${tone.shadow}" opacity=".5" ${art.blur(14)}`) +
    ellipse(cx, cy, r, r, 'fill="#e8720c"') +
    ellipse(cx - 1, cy - 2, r * 0.94, r * 0.94, 'fill="#ffe7bd"') +
    `<g ${art.relief(0.04, 5, 3)}>${cells}</g>` +
    ellipse(cx - r * 0.35, cy - r * 0.45, r * 0.3, r * 0.12, `fill="#fffbe8" opacity=".5" ${art.blur(r * 0.06)}`)
  );
}

/** Peanut brittle, dipped at the right. */
export function chikki(art: Art, at: Point, w: number, d: number, h: number, view: View): string {
  const { rnd } = art;
  const jaggery = ramp('#4a1602', '#8f3d06', '#cf7312', '#f3a634', '#ffe09a');
  const nut = ramp('#7a3d0c', '#b8742a', '#e0a85c', '#f6d398', '#fff3d4');
  const piece = block(art, {
    plan: square(w, d),
    height: h,
    at,
    view,
    tones: jaggery,
    round: 16,
    grain: art.relief(0.03, 9, 3),
    edge: 0.8,
  });
  let nuts = '';
  const bean = (x: number, y: number, l: number, turn: number, veil: number) =>
    ellipse(x + l * 0.16, y + l * 0.24, l, l * 0.7, `fill="#5a1e02" opacity=".5"`) +
    turned(
      x,
      y,
      turn,
      `<g opacity="${veil}">${ellipse(
        0,
        0,
        l,
        l * 0.7,
        `fill="${art.radial(
          [
            [0, nut(0.95)],
            [0.6, nut(0.6)],
            [1, nut(0.15)],
          ],
          [-l * 0.3, -l * 0.3],
          l * 1.4,
        )}"`,
      )}${path(`M${f(-l * 0.8)} 0Q0 ${f(l * 0.16)} ${f(l * 0.8)} 0`, `fill="none" stroke="${nut(0.15)}" stroke-width="${f(l * 0.06)}" opacity=".6"`)}</g>`,
    );
  const rows: { y: number; svg: string }[] = [];
  for (let u = -0.88; u < 0.36; u += 0.155)
    for (let v = -0.84; v < 0.9; v += 0.26) {
      const [x, y] = piece.place((u + rnd.range(-0.05, 0.05)) * w, (v + rnd.range(-0.07, 0.07)) * d);
      rows.push({ y, svg: bean(x, y, w * rnd.range(0.07, 0.09), rnd.range(0, 180), 1) });
    }
  nuts += rows
    .sort((a, b) => a.y - b.y)
    .map((r) => r.svg)
    .join('');
  for (let u = -0.88; u < 0.4; u += 0.17) {
    const [x, y] = project([(u + rnd.range(-0.05, 0.05)) * w, d], h * rnd.range(0.25, 0.7), at, view);
    nuts += bean(x, y, w * rnd.range(0.035, 0.058), rnd.range(0, 180), 0.6);
  }
  const c = Math.cos(view.yaw);
  const s = Math.sin(view.yaw);
  const off: Point = [at[0] + w * 0.7 * c, at[1] + w * 0.7 * s * view.pitch];
  const dip = block(art, {
    plan: square(w * 0.36, d * 1.04),
    height: h * 1.12,
    at: off,
    view,
    tones: make.dark,
    topTones: (t) => make.dark(t * 0.62),
    round: 20,
    grain: art.relief(0.02, 8, 2),
    edge: 0.55,
    onTop: make.gleam(art, off[0] - 40, off[1] - h - 40, w * 0.16, d * 0.1, -40, 0.45),
  });
  const [dx, dy] = dip.place(0, 0);
  const sheen = `<g ${art.wet(0.02, 18, 0.9, 50)}>${ellipse(...piece.place(-w * 0.35, -d * 0.1), w * 0.6, d * 0.5, 'fill="#fff" opacity=".7"')}</g>`;
  return piece.svg + nuts + sheen + dip.svg + strew(art, [make.salt], [dx, dy], [w * 0.26, d * 0.52], 22, [7, 13]);
}

export const chocolate: Drawings = {
  'dark-chocolate-almond-bark': (art) => {
    const view = { yaw: 0.12, pitch: 0.68 };
    const a: Point[] = [
      [-210, -150],
      [-40, -190],
      [190, -140],
      [240, 60],
      [60, 160],
      [-190, 110],
    ];
    const b: Point[] = [
      [-330, -150],
      [-120, -210],
      [130, -170],
      [330, -90],
      [260, 120],
      [40, 215],
      [-230, 175],
      [-360, 30],
    ];
    const back = make.shard(art, { plan: a, at: [600, 350], height: 76, view }, make.dark);
    const front = make.shard(art, { plan: b, at: [458, 640], height: 92, view }, make.dark);
    return (
      shadow(art, tone, 620, 372, 250, 150) +
      back.svg +
      make.barkGarnish(
        art,
        back,
        [
          [-110, -90],
          [50, -110],
          [170, -60],
          [110, 10],
          [-80, -10],
        ],
        58,
      ) +
      shadow(art, tone, 480, 668, 360, 190) +
      front.svg +
      make.barkGarnish(
        art,
        front,
        [
          [-210, -70],
          [-70, -120],
          [70, -70],
          [-270, 50],
          [-110, 20],
          [210, -20],
          [40, 60],
          [-120, 130],
          [130, 120],
        ],
        72,
      ) +
      strew(art, [make.salt], front.place(0, 0), [270, 110], 18, [6, 11])
    );
  },
  'rose-pistachio-truffles': (art) =>
    sit(art, { cx: 655, cy: 330, r: 205 }, make.pistachioTruffle) +
    sit(art, { cx: 285, cy: 400, r: 212 }, make.pistachioTruffle) +
    sit(art, { cx: 545, cy: 620, r: 245 }, make.roseTruffle) +
    rosePetal(art, 210, 780, 62, 100) +
    rosePetal(art, 842, 800, 54, 30) +
    strew(art, [pistachioSliver], [250, 850], [110, 40], 5, [20, 28]),
  'kaju-chocolate-katli': (art) => {
    const view = { yaw: 0, pitch: 0.62 };
    const piece = (x: number, y: number, w: number) => {
      const k = make.chocoKatli(art, [x, y], w, w * 0.92, w * 0.4, view);
      const leaf: Point[] = [
        [-0.34, 0],
        [-0.05, -0.36],
        [0.32, -0.1],
        [0.2, 0.24],
        [-0.1, 0.36],
      ];
      return (
        shadow(art, tone, x + 10, y + 12, w * 0.95, w * 0.52) +
        k.svg +
        varak(
          art,
          leaf.map(([u, v]) => k.place(u * w, v * w)),
          w * 0.05,
        )
      );
    };
    return piece(690, 370, 230) + piece(280, 440, 235) + piece(530, 690, 325);
  },
  'filter-coffee-truffles': (art) =>
    sit(art, { cx: 660, cy: 335, r: 200 }, make.cocoaTruffle) +
    sit(
      art,
      { cx: 290, cy: 400, r: 212 },
      (a, b) =>
        make.smoothTruffle(a, b, make.dark) + make.coffeeBean(a, b.cx + b.r * 0.05, b.cy - b.r * 0.62, b.r * 0.2, -25),
    ) +
    sit(art, { cx: 550, cy: 615, r: 250 }, make.cocoaTruffle) +
    strew(art, [make.coffeeBean], [220, 740], [130, 90], 6, [34, 42]) +
    strew(art, [make.coffeeBean], [830, 800], [70, 60], 3, [34, 40]),
  'sea-salt-peanut-chikki': (art) => {
    const view = { yaw: -0.32, pitch: 0.66 };
    return (
      shadow(art, tone, 640, 330, 250, 150) +
      chikki(art, [600, 330], 235, 140, 60, view) +
      shadow(art, tone, 490, 660, 380, 190) +
      chikki(art, [462, 650], 345, 205, 80, view)
    );
  },
  'saffron-white-chocolate': (art) => {
    const view = { yaw: -0.42, pitch: 0.66 };
    return (
      shadow(art, tone, 640, 350, 270, 160) +
      make.whiteSlab(art, [620, 350], 235, 170, 76, view) +
      shadow(art, tone, 480, 660, 370, 220) +
      make.whiteSlab(art, [446, 650], 325, 225, 92, view)
    );
  },
  'orange-peel-chocolate': (art) =>
    orangeSlice(art, 250, 300, 170) +
    peel(art, [640, 290], 270, -28) +
    peel(art, [380, 560], 300, 12) +
    peel(art, [600, 500], 300, -36) +
    peel(art, [500, 730], 340, -14),
  'chocolate-barfi': (art) => {
    const view: View = { yaw: 0.6, pitch: 0.6 };
    const piece = (x: number, y: number, w: number) =>
      shadow(art, tone, x + 24, y + 6, w * 1.4, w * 0.8) + make.chocoBarfi(art, [x, y], w, w * 1.05, view);
    return lifted(
      45,
      piece(675, 470, 150) +
        piece(290, 530, 158) +
        piece(520, 720, 195) +
        crumbs(art, { kind: 'crumb', tones: make.milk, size: [5, 10], cover: 1 }, [250, 830], [120, 40], 9),
    );
  },
};
