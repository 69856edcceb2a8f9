import { type Art, ellipse, ellipsePath, f, type Point, path, rounded } from './art.ts';
import { mix, type Ramp, ramp } from './colour.ts';
import { type Ground, shadow } from './grounds.ts';

export const METAL = {
  brass: ramp('#4f2c06', '#93611a', '#cf9a35', '#f2cf76', '#fff6cf'),
  silver: ramp('#4b5058', '#868d97', '#bcc3cb', '#e7ebef', '#ffffff'),
  iron: ramp('#141110', '#2c2725', '#4b4441', '#7b726d', '#c9c0b9'),
  ceramic: ramp('#8d7558', '#c4ae8d', '#eadcc3', '#fbf4e6', '#ffffff'),
  copper: ramp('#471507', '#8a3414', '#c4602e', '#eb9d67', '#ffe3c6'),
} satisfies Record<string, Ramp>;

export type Bowl = {
  cx: number;
  cy: number;
  rx: number;
  depth: number;
  pitch?: number;
  tones: Ramp;
  inside?: Ramp;
  band?: string;
  foot?: number;
};

/** A bowl in two halves, `back` under its filling and `lip` over it; `cx, cy` is the middle of the rim. */
export function bowl(art: Art, tone: Ground, b: Bowl): { back: string; lip: string; pitch: number } {
  const { cx, cy, rx, depth, tones, pitch = 0.42, foot = 0.5 } = b;
  const ry = rx * pitch;
  const base = cy + depth;
  const fx = rx * foot;
  const fy = fx * pitch;
  const wall = `M${f(cx - rx)} ${f(cy)}C${f(cx - rx * 0.98)} ${f(cy + depth * 0.62)} ${f(cx - fx * 1.35)} ${f(base - depth * 0.02)} ${f(cx - fx)} ${f(base)}A${f(fx)} ${f(fy)} 0 0 0 ${f(cx + fx)} ${f(base)}C${f(cx + fx * 1.35)} ${f(base - depth * 0.02)} ${f(cx + rx * 0.98)} ${f(cy + depth * 0.62)} ${f(cx + rx)} ${f(cy)}Z`;
  const sheen = art.linear(
    [
      [0, tones(0.5)],
      [0.08, tones(0.72)],
      [0.22, tones(0.98)],
      [0.34, tones(0.78)],
      [0.6, tones(0.46)],
      [0.86, tones(0.16)],
      [0.95, tones(0.3)],
      [1, tones(0.44)],
    ],
    [cx - rx, cy],
    [cx + rx, cy],
  );
  const fall = art.linear(
    [
      [0, tones(0), 0],
      [0.55, tones(0), 0.08],
      [1, tones(0), 0.6],
    ],
    [cx, cy],
    [cx, base + fy],
  );
  const inner = b.inside ?? tones;
  const hollow = art.linear(
    [
      [0, inner(0.2)],
      [0.5, inner(0.4)],
      [1, inner(0.8)],
    ],
    [cx - rx, cy - ry],
    [cx + rx, cy + ry * 0.4],
  );
  const rimFill = art.linear(
    [
      [0, tones(0.9)],
      [0.2, tones(1)],
      [0.55, tones(0.7)],
      [1, tones(0.4)],
    ],
    [cx - rx, cy],
    [cx + rx, cy],
  );
  const ring = `${ellipsePath(cx, cy, rx, ry)}${ellipsePath(cx, cy + 1, rx * 0.955, ry * 0.94)}`;
  const band = b.band
    ? [0.2, 0.27]
        .map((k) =>
          path(
            `M${f(cx - rx * (1 - k * 0.06))} ${f(cy + depth * k)}A${f(rx * (1 - k * 0.06))} ${f(ry)} 0 0 0 ${f(cx + rx * (1 - k * 0.06))} ${f(cy + depth * k)}`,
            `fill="none" stroke="${b.band}" stroke-width="${k < 0.25 ? 9 : 3}" opacity=".85"`,
          ),
        )
        .join('')
    : '';
  const streak = path(
    `M${f(cx - rx * 0.72)} ${f(cy + ry * 0.92 + depth * 0.1)}Q${f(cx - rx * 0.62)} ${f(cy + depth * 0.66)} ${f(cx - rx * 0.42)} ${f(cy + depth * 0.88)}`,
    `fill="none" stroke="#ffffff" stroke-width="${f(rx * 0.05)}" stroke-linecap="round" opacity=".4" ${art.blur(rx * 0.02)}`,
  );
  return {
    pitch,
    back:
      shadow(art, tone, cx + rx * 0.08, base + fy * 0.3, rx * 0.86, ry * 0.72) +
      path(wall, `fill="${sheen}"`) +
      `<g ${art.clip(wall)}>${band}${streak}</g>` +
      path(wall, `fill="${fall}"`) +
      ellipse(cx, cy, rx * 0.97, ry * 0.97, `fill="${hollow}"`),
    lip:
      path(ring, `fill="${rimFill}" fill-rule="evenodd"`) +
      path(
        ellipsePath(cx, cy, rx, ry),
        `fill="none" stroke="${mix(tones(1), '#ffffff', 0.4)}" stroke-width="1.6" opacity=".7"`,
      ),
  };
}

/** A flat round plate or thali with a raised rim. */
export function thali(art: Art, tone: Ground, cx: number, cy: number, rx: number, tones: Ramp, pitch = 0.6): string {
  const ry = rx * pitch;
  const lift = rx * 0.06;
  const sweep = (k: number) =>
    art.linear(
      [
        [0, tones(0.98 * k)],
        [0.3, tones(0.72 * k)],
        [0.5, tones(0.9 * k)],
        [0.75, tones(0.5 * k)],
        [1, tones(0.7 * k)],
      ],
      [cx - rx, cy - ry],
      [cx + rx * 0.8, cy + ry],
    );
  let beads = '';
  for (let i = 0; i < 72; i++) {
    const a = (i / 72) * Math.PI * 2;
    beads += ellipse(
      cx + Math.cos(a) * rx * 0.955,
      cy + Math.sin(a) * ry * 0.955,
      rx * 0.016,
      rx * 0.013,
      `fill="${tones(0.75 - 0.25 * Math.cos(a - 0.78))}"`,
    );
  }
  return (
    shadow(art, tone, cx + rx * 0.03, cy + lift * 1.6, rx * 0.98, ry * 0.98) +
    ellipse(cx, cy + lift, rx * 0.985, ry * 0.985, `fill="${tones(0.22)}"`) +
    ellipse(cx, cy, rx, ry, `fill="${sweep(0.94)}"`) +
    beads +
    ellipse(cx, cy + lift * 0.3, rx * 0.91, ry * 0.9, `fill="${tones(0.28)}"`) +
    ellipse(cx, cy + lift * 0.75, rx * 0.895, ry * 0.88, `fill="${sweep(0.88)}"`) +
    path(ellipsePath(cx, cy, rx, ry), `fill="none" stroke="${tones(1)}" stroke-width="2.5" opacity=".85"`) +
    path(
      ellipsePath(cx, cy + lift * 0.75, rx * 0.62, ry * 0.6),
      `fill="none" stroke="${tones(0.4)}" stroke-width="2" opacity=".35"`,
    )
  );
}

/** A cut piece of banana leaf, its rib running along the long way. */
export function bananaLeaf(art: Art, tone: Ground, at: Point, w: number, h: number, turn: number): string {
  const { rnd } = art;
  const tones = ramp('#123d12', '#27661f', '#4a9431', '#86bf50', '#cfe88f');
  const edge: Point[] = [
    [-w, -h * 0.86],
    [-w * 0.3, -h],
    [w * 0.5, -h * 0.98],
    [w, -h * 0.84],
    [w * 1.02, h * 0.8],
    [w * 0.4, h],
    [-w * 0.4, h * 0.97],
    [-w * 0.98, h * 0.86],
  ];
  const d = rounded(edge, w * 0.12);
  const fill = art.linear(
    [
      [0, tones(0.85)],
      [0.48, tones(0.6)],
      [0.5, tones(0.42)],
      [1, tones(0.5)],
    ],
    [-w * 0.2, -h],
    [w * 0.2, h],
  );
  let veins = '';
  for (let x = -w * 1.1; x < w * 1.1; x += w * 0.05) {
    const c = tones(rnd.range(0.25, 0.85));
    veins += path(
      `M${f(x)} 0Q${f(x + h * 0.1)} ${f(-h * 0.5)} ${f(x + h * 0.34)} ${f(-h * 1.05)}M${f(x)} 0Q${f(x + h * 0.1)} ${f(h * 0.5)} ${f(x + h * 0.34)} ${f(h * 1.05)}`,
      `fill="none" stroke="${c}" stroke-width="${f(rnd.range(1, 4))}" opacity=".4"`,
    );
  }
  const rib =
    path(
      `M${f(-w * 1.1)} 0L${f(w * 1.1)} ${f(h * 0.02)}`,
      `stroke="${tones(0.2)}" stroke-width="${f(h * 0.07)}" opacity=".5"`,
    ) +
    path(
      `M${f(-w * 1.1)} ${f(-h * 0.012)}L${f(w * 1.1)} ${f(h * 0.008)}`,
      `stroke="${tones(0.95)}" stroke-width="${f(h * 0.045)}"`,
    );
  const body = `<g ${art.clip(d)}>${path(d, `fill="${fill}"`)}${veins}${rib}${ellipse(-w * 0.45, -h * 0.5, w * 0.45, h * 0.3, `fill="#f3ffd0" opacity=".35" ${art.blur(w * 0.1)}`)}</g>`;
  const place = (dx: number, inner: string) =>
    `<g transform="translate(${f(at[0] + dx)} ${f(at[1] + dx)}) rotate(${turn})">${inner}</g>`;
  return place(16, path(d, `fill="${tone.shadow}" opacity=".5" ${art.blur(14)}`)) + place(0, body);
}
