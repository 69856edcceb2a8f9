import { type Art, ellipse, f, lifted, type Point, path, turned } from '../kit/art.ts';
import { ramp } from '../kit/colour.ts';
import { almondSliver, pistachioSliver, saffronStrand, strew } from '../kit/garnish.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import { crumbs, type Layer } from '../kit/particles.ts';
import * as make from '../kit/snacks.ts';
import { drum, type View } from '../kit/solids.ts';
import { bowl, METAL } from '../kit/vessels.ts';
import type { Drawings } from './types.ts';

const tone = GROUNDS.takeaway;
const ice = ramp('#a05c0a', '#dd9730', '#f6c564', '#fee19c', '#fff6d6');
const chenna = ramp('#a87a2c', '#d9b25e', '#f3dc9c', '#fdf3cf', '#fffdf2');

/** The surface of a liquid in a bowl: darker where it meets the wall, one long gleam. */
function pool(art: Art, cx: number, cy: number, rx: number, ry: number, light: string, deep: string): string {
  return (
    ellipse(
      cx,
      cy,
      rx,
      ry,
      `fill="${art.radial(
        [
          [0, light],
          [0.7, light],
          [1, deep],
        ],
        [cx - rx * 0.1, cy - ry * 0.1],
        rx * 1.05,
        ry / rx,
      )}"`,
    ) +
    path(
      `M${f(cx - rx * 0.86)} ${f(cy + ry * 0.16)}A${f(rx * 0.88)} ${f(ry * 0.86)} 0 0 0 ${f(cx - rx * 0.2)} ${f(cy + ry * 0.85)}`,
      `fill="none" stroke="#fffbe9" stroke-width="${f(ry * 0.05)}" stroke-linecap="round" opacity=".75" ${art.blur(2)}`,
    )
  );
}

/** A kulfi fresh from its mould, tip up, stick down. */
function kulfi(art: Art, at: Point, s: number, turn: number): string {
  const { rnd } = art;
  const half = (k: number) => s * (0.2 + 0.2 * k);
  const body = `M${f(-half(0.06))} ${f(-s * 0.92)}C${f(-s * 0.16)} ${f(-s * 1.12)} ${f(s * 0.16)} ${f(-s * 1.12)} ${f(half(0.06))} ${f(-s * 0.92)}L${f(half(1))} ${f(s * 0.5)}C${f(half(1.05))} ${f(s * 0.68)} ${f(-half(1.05))} ${f(s * 0.68)} ${f(-half(1))} ${f(s * 0.5)}Z`;
  const form = art.linear(
    [
      [0, ice(0.66)],
      [0.2, ice(0.96)],
      [0.5, ice(0.7)],
      [0.86, ice(0.3)],
      [1, ice(0.45)],
    ],
    [-s * 0.4, 0],
    [s * 0.4, s * 0.1],
  );
  const fall = art.linear(
    [
      [0, ice(0), 0],
      [0.7, ice(0), 0],
      [1, ice(0), 0.45],
    ],
    [0, -s],
    [0, s * 0.62],
  );
  let bits = '';
  for (let i = 0; i < 46; i++) {
    const k = rnd.next();
    const w = half(k) * 0.86;
    const [x, y] = [rnd.range(-w, w), s * (-0.88 + k * 1.36)];
    bits +=
      i % 3 === 0
        ? pistachioSliver(art, x, y, s * rnd.range(0.025, 0.045), rnd.range(0, 180))
        : i % 3 === 1
          ? saffronStrand(art, x, y, s * rnd.range(0.03, 0.05), rnd.range(0, 180))
          : almondSliver(art, x, y, s * rnd.range(0.02, 0.034), rnd.range(0, 180));
  }
  const flutes = [-0.55, -0.1, 0.35, 0.72]
    .map(
      (k) =>
        path(
          `M${f(half(0.1) * k)} ${f(-s * 0.9)}L${f(half(1) * k)} ${f(s * 0.5)}`,
          `stroke="${ice(0.12)}" stroke-width="${f(s * 0.02)}" opacity=".28" ${art.blur(s * 0.012)}`,
        ) +
        path(
          `M${f(half(0.1) * k - s * 0.02)} ${f(-s * 0.9)}L${f(half(1) * k - s * 0.03)} ${f(s * 0.5)}`,
          `stroke="#fffdf4" stroke-width="${f(s * 0.02)}" opacity=".5" ${art.blur(s * 0.01)}`,
        ),
    )
    .join('');
  const drip = (x: number, l: number) =>
    path(
      `M${f(x - s * 0.045)} ${f(s * 0.56)}C${f(x - s * 0.05)} ${f(s * (0.62 + l))} ${f(x + s * 0.05)} ${f(s * (0.62 + l))} ${f(x + s * 0.045)} ${f(s * 0.56)}Z`,
      `fill="${ice(0.5)}"`,
    ) + ellipse(x - s * 0.012, s * (0.56 + l * 0.6), s * 0.01, s * 0.024, 'fill="#fffdf4" opacity=".9"');
  const wood = art.linear(
    [
      [0, '#f2d5a0'],
      [0.5, '#d8ab68'],
      [1, '#8f6028'],
    ],
    [-s * 0.06, 0],
    [s * 0.06, 0],
  );
  const stick = `<rect x="${f(-s * 0.055)}" y="${f(s * 0.5)}" width="${f(s * 0.11)}" height="${f(s * 0.56)}" rx="${f(s * 0.05)}" fill="${wood}"/>`;
  const gleam = path(
    `M${f(-half(0.1) * 0.62)} ${f(-s * 0.82)}L${f(-half(0.9) * 0.7)} ${f(s * 0.34)}`,
    `stroke="#ffffff" stroke-width="${f(s * 0.045)}" stroke-linecap="round" opacity=".7" ${art.blur(s * 0.016)}`,
  );
  return (
    turned(
      at[0] + s * 0.1,
      at[1] + s * 0.09,
      turn,
      path(body, `fill="${tone.shadow}" opacity=".55" ${art.blur(s * 0.04)}`) +
        `<rect x="${f(-s * 0.055)}" y="${f(s * 0.5)}" width="${f(s * 0.11)}" height="${f(s * 0.56)}" fill="${tone.shadow}" opacity=".45" ${art.blur(s * 0.02)}/>`,
    ) +
    turned(
      at[0],
      at[1],
      turn,
      `${stick}${drip(-s * 0.16, 0.14)}${drip(s * 0.12, 0.08)}<g ${art.relief(0.05, 4, 3)}>${path(body, `fill="${form}"`)}</g><g ${art.clip(body)}>${flutes}${bits}${path(body, `fill="${fall}"`)}</g>${gleam}`,
    )
  );
}

export const takeaway: Drawings = {
  samosa: (art) => {
    const chutney = bowl(art, tone, {
      cx: 215,
      cy: 760,
      rx: 130,
      depth: 84,
      pitch: 0.5,
      tones: METAL.silver,
      foot: 0.66,
    });
    const flake: Layer = {
      kind: 'crumb',
      tones: ramp('#8a4a10', '#c98430', '#f0bd6a', '#fbe0a4', '#fff6da'),
      size: [4, 9],
      cover: 1,
    };
    return (
      shadow(art, tone, 640, 590, 270, 80) +
      make.samosa(art, [630, 390], 285) +
      shadow(art, tone, 470, 786, 320, 90) +
      make.samosa(art, [448, 528], 345) +
      chutney.back +
      pool(art, 215, 764, 118, 56, '#6fa62f', '#2f5f17') +
      chutney.lip +
      make.herbs(art, [215, 760], [40, 14], 2, [30, 36]) +
      make.greenChilli(art, 790, 826, 96, -16) +
      crumbs(art, flake, [640, 866], [120, 24], 12)
    );
  },
  jalebi: (art) =>
    shadow(art, tone, 660, 330, 230, 190, 0.8) +
    make.jalebi(art, [650, 310], 238, 0.86, 0.9) +
    shadow(art, tone, 300, 430, 240, 200, 0.8) +
    make.jalebi(art, [290, 410], 244, 0.86, 2.4) +
    shadow(art, tone, 540, 660, 300, 240, 0.9) +
    make.jalebi(art, [530, 640], 300, 0.84, 4.1) +
    ellipse(820, 800, 46, 20, 'fill="#f58a0c" opacity=".85"') +
    ellipse(806, 794, 14, 5, 'fill="#fffbe6" opacity=".9"') +
    ellipse(190, 740, 30, 13, 'fill="#f58a0c" opacity=".85"') +
    ellipse(182, 736, 9, 3, 'fill="#fffbe6" opacity=".9"'),
  'gulab-jamun': (art) => {
    const dish = bowl(art, tone, {
      cx: 478,
      cy: 520,
      rx: 408,
      depth: 290,
      pitch: 0.52,
      tones: METAL.ceramic,
      band: '#b3541e',
      foot: 0.5,
    });
    const inside = art.clip(`M0 0H960V520H886A408 212 0 0 1 70 520H0Z`);
    const piece = (x: number, y: number, r: number) =>
      ellipse(x + 12, y + r * 0.62, r * 1.04, r * 0.5, `fill="#4a1500" opacity=".55" ${art.blur(12)}`) +
      make.gulabJamun(art, { cx: x, cy: y, r });
    const jamuns = piece(360, 372, 148) + piece(628, 388, 146) + piece(258, 508, 150) + piece(528, 524, 162);
    return (
      dish.back +
      pool(art, 478, 528, 388, 196, '#d8760f', '#7a2e04') +
      dish.lip +
      `<g ${inside}>${jamuns}</g>` +
      strew(art, [pistachioSliver], [528, 430], [90, 36], 7, [22, 30]) +
      strew(art, [pistachioSliver], [270, 420], [70, 30], 4, [20, 27]) +
      strew(art, [saffronStrand], [500, 440], [100, 40], 5, [24, 32]) +
      strew(art, [pistachioSliver, almondSliver], [720, 560], [80, 46], 5, [17, 23])
    );
  },
  rasmalai: (art) => {
    const dish = bowl(art, tone, {
      cx: 478,
      cy: 470,
      rx: 415,
      depth: 330,
      pitch: 0.56,
      tones: METAL.ceramic,
      band: '#3f6b34',
      foot: 0.6,
    });
    const disc = (x: number, y: number, rx: number) =>
      ellipse(x + 10, y + 14, rx * 1.05, rx * 0.62, `fill="#b87410" opacity=".55" ${art.blur(12)}`) +
      drum(art, { at: [x, y], rx, height: rx * 0.34, tones: chenna, pitch: 0.6, grain: art.relief(0.035, 6, 4) }) +
      ellipse(x, y - rx * 0.27, rx * 0.4, rx * 0.22, `fill="#e0b04a" opacity=".35" ${art.blur(rx * 0.09)}`) +
      strew(art, [pistachioSliver, almondSliver, pistachioSliver], [x, y - rx * 0.27], [rx * 0.5, rx * 0.26], 11, [
        rx * 0.11,
        rx * 0.15,
      ]) +
      strew(art, [saffronStrand], [x, y - rx * 0.27], [rx * 0.6, rx * 0.3], 6, [rx * 0.12, rx * 0.16]);
    return lifted(
      32,
      dish.back +
        pool(art, 478, 478, 394, 214, '#fbd56e', '#dd9a26') +
        dish.lip +
        strew(art, [saffronStrand, pistachioSliver], [650, 596], [140, 54], 7, [18, 26]) +
        strew(art, [saffronStrand, pistachioSliver], [250, 376], [90, 36], 5, [18, 26]) +
        disc(614, 424, 176) +
        disc(350, 536, 194),
    );
  },
  'kesar-kulfi': (art) =>
    kulfi(art, [640, 450], 375, 24) +
    kulfi(art, [370, 478], 405, -14) +
    strew(art, [pistachioSliver, almondSliver], [760, 840], [120, 40], 6, [22, 30]),
  dhokla: (art) => {
    const view: View = { yaw: 0.62, pitch: 0.58 };
    const piece = (x: number, y: number, w: number) => {
      const d = make.dhokla(art, [x, y], w, w * 1.0, view);
      const [tx, ty] = d.top;
      return lifted(
        45,
        shadow(art, tone, x + 22, y + 8, w * 1.36, w * 0.74) +
          d.svg +
          strew(art, [make.mustardSeed], [tx, ty], [w * 0.9, w * 0.5], 24, [w * 0.032, w * 0.045]) +
          crumbs(
            art,
            { kind: 'flake', tones: ramp('#c9b98a', '#efe6c8', '#fffaf0', '#ffffff'), size: [5, 8], cover: 1 },
            [tx, ty],
            [w * 0.7, w * 0.36],
            12,
          ) +
          make.herbs(art, [tx, ty], [w * 0.42, w * 0.2], 4, [w * 0.14, w * 0.19]),
      );
    };
    return (
      piece(672, 470, 155) + piece(284, 530, 160) + piece(520, 738, 200) + make.greenChilli(art, 208, 806, 104, -24)
    );
  },
};
