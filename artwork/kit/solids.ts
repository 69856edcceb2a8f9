import { type Art, ellipsePath, f, type Point, path, polygon, rounded, type Stop } from './art.ts';
import { mix, type Ramp } from './colour.ts';

export type View = { yaw: number; pitch: number };
export const VIEW: View = { yaw: 0, pitch: 0.62 };

/** Ground plane (x right, y to the viewer) and height to the screen, seen from above without vanishing point. */
export function project([x, y]: Point, z: number, at: Point, view: View = VIEW): Point {
  const c = Math.cos(view.yaw);
  const s = Math.sin(view.yaw);
  return [at[0] + x * c - y * s, at[1] + (x * s + y * c) * view.pitch - z * Math.sqrt(1 - view.pitch * view.pitch)];
}

export const square = (w: number, d = w): Point[] => [
  [-w, -d],
  [w, -d],
  [w, d],
  [-w, d],
];
export const rhombus = (w: number, d: number): Point[] => [
  [0, -d],
  [w, 0],
  [0, d],
  [-w, 0],
];

function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: Point[]) => {
    const out: Point[] = [];
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = [out.at(-2) ?? p, out.at(-1) ?? p];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export type Slab = { from: number; to: number; tones: Ramp };
export type Block = {
  plan: Point[];
  height: number;
  at: Point;
  tones: Ramp;
  view?: View;
  round?: number;
  /** Layers seen on the sides, as shares of the height from below. */
  slabs?: Slab[];
  /** Filter attribute for the sides and the top (see Art.relief). */
  grain?: string;
  topGrain?: string;
  topTones?: Ramp;
  /** Painted on the top, clipped to it. */
  onTop?: string;
  /** Painted on the sides, clipped to them. */
  onSides?: string;
  /** Strength of the light caught by the upper edges. */
  edge?: number;
};

export type BlockShape = { svg: string; top: Point[]; outline: Point[]; place: (x: number, y: number) => Point };

/** A cut piece with soft edges: barfi, katli, halwa cube, slab. */
export function block(art: Art, b: Block): BlockShape {
  const view = b.view ?? VIEW;
  const round = b.round ?? 10;
  const low = b.plan.map((p) => project(p, 0, b.at, view));
  const top = b.plan.map((p) => project(p, b.height, b.at, view));
  const outline = hull([...low, ...top]);
  const clip = art.clip(rounded(outline, round));
  const topTones = b.topTones ?? b.tones;
  const n = b.plan.length;
  let sides = '';
  let seams = '';
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    const [tl, tr, ll, lr] = [top[i], top[j], low[i], low[j]];
    if (!tl || !tr || !ll || !lr || tr[0] >= tl[0]) continue;
    const slope = (tl[1] - tr[1]) / (tl[0] - tr[0]);
    const t = 0.5 + slope * 0.34;
    for (const slab of b.slabs ?? [{ from: 0, to: 1, tones: b.tones }]) {
      const at = (p: Point, q: Point, k: number): Point => [p[0] + (q[0] - p[0]) * k, p[1] + (q[1] - p[1]) * k];
      const face = [at(ll, tl, slab.from), at(ll, tl, slab.to), at(lr, tr, slab.to), at(lr, tr, slab.from)];
      const stops: Stop[] = [
        [0, slab.tones(t + 0.1)],
        [0.55, slab.tones(t)],
        [1, slab.tones(t * 0.62)],
      ];
      const middle = (tl[0] + tr[0]) / 2;
      const fill = art.linear(stops, [middle, Math.min(tl[1], tr[1])], [middle + 20, Math.max(ll[1], lr[1])]);
      sides += path(polygon(face), `fill="${fill}" stroke="${fill}" stroke-width="1.5"`);
    }
    seams += path(
      `M${f(tl[0])} ${f(tl[1])}L${f(ll[0])} ${f(ll[1])}`,
      `stroke="${b.tones(0.9)}" stroke-width="${f(round * 0.5)}" opacity=".35" ${art.blur(round * 0.22 + 0.5)}`,
    );
  }
  const xs = top.map((p) => p[0]);
  const ys = top.map((p) => p[1]);
  const topFill = art.linear(
    [
      [0, topTones(0.96)],
      [0.45, topTones(0.82)],
      [1, topTones(0.66)],
    ],
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  );
  const lid = rounded(top, round);
  const edge = b.edge ?? 0.7;
  const lip =
    path(
      lid,
      `fill="none" stroke="${topTones(0.3)}" stroke-width="${f(round * 0.9)}" opacity=".28" ${art.blur(round * 0.4)}`,
    ) +
    path(
      lid,
      `fill="none" stroke="${mix(topTones(1), '#ffffff', 0.35)}" stroke-width="${f(round * 0.32 + 0.6)}" opacity="${edge}" ${art.blur(round * 0.09 + 0.3)}`,
    );
  const contact = path(
    rounded(low, round),
    `fill="#2a0f06" opacity=".5" transform="translate(${f(round * 0.5 + 3)} ${f(round * 0.5 + 4)})" ${art.blur(round * 0.3 + 3)}`,
  );
  const svg =
    contact +
    `<g ${clip}><g ${b.grain ?? ''}>${sides}${b.onSides ?? ''}</g>${seams}` +
    `<g ${b.topGrain ?? b.grain ?? ''}>${path(lid, `fill="${topFill}"`)}</g>` +
    `<g ${art.clip(lid)}>${b.onTop ?? ''}</g>${lip}</g>`;
  return { svg, top, outline, place: (x, y) => project([x, y], b.height, b.at, view) };
}

export type Drum = {
  at: Point;
  rx: number;
  height: number;
  tones: Ramp;
  pitch?: number;
  grain?: string;
  onTop?: string;
  rim?: number;
};

/** A round piece: peda, sohan halwa disc, rasmalai. `at` is the centre of its foot. */
export function drum(art: Art, d: Drum): string {
  const pitch = d.pitch ?? VIEW.pitch;
  const ry = d.rx * pitch;
  const h = d.height * Math.sqrt(1 - pitch * pitch);
  const [cx, cy] = d.at;
  const ty = cy - h;
  const rim = d.rim ?? 0.93;
  const side = `M${f(cx - d.rx)} ${f(ty)}C${f(cx - d.rx * 1.03)} ${f(ty + h * 0.4)} ${f(cx - d.rx * 1.02)} ${f(cy - h * 0.3)} ${f(cx - d.rx * 0.97)} ${f(cy)}A${f(d.rx * 0.97)} ${f(ry * 0.97)} 0 0 0 ${f(cx + d.rx * 0.97)} ${f(cy)}C${f(cx + d.rx * 1.02)} ${f(cy - h * 0.3)} ${f(cx + d.rx * 1.03)} ${f(ty + h * 0.4)} ${f(cx + d.rx)} ${f(ty)}A${f(d.rx)} ${f(ry)} 0 0 0 ${f(cx - d.rx)} ${f(ty)}Z`;
  const sideFill = art.linear(
    [
      [0, d.tones(0.62)],
      [0.22, d.tones(0.78)],
      [0.55, d.tones(0.45)],
      [0.9, d.tones(0.16)],
      [1, d.tones(0.26)],
    ],
    [cx - d.rx, cy],
    [cx + d.rx, cy],
  );
  const foot = art.linear(
    [
      [0, d.tones(0), 0],
      [1, d.tones(0), 0.5],
    ],
    [cx, ty + ry * 0.6],
    [cx, cy + ry],
  );
  const topFill = art.radial(
    [
      [0, d.tones(0.98)],
      [0.5, d.tones(0.84)],
      [1, d.tones(0.58)],
    ],
    [cx - d.rx * 0.45, ty - ry * 0.5],
    d.rx * 1.7,
    pitch,
  );
  const lid = ellipsePath(cx, ty, d.rx, ry);
  return (
    `<g ${d.grain ?? ''}>${path(side, `fill="${sideFill}"`)}${path(side, `fill="${foot}"`)}${path(lid, `fill="${topFill}"`)}</g>` +
    path(
      lid,
      `fill="none" stroke="${mix(d.tones(1), '#ffffff', 0.3)}" stroke-width="${f(d.rx * 0.018)}" opacity=".55" ${art.blur(d.rx * 0.008)}`,
    ) +
    path(
      ellipsePath(cx, ty + ry * 0.02, d.rx * rim, ry * rim),
      `fill="none" stroke="${d.tones(0.2)}" stroke-width="${f(d.rx * 0.03)}" opacity=".18" ${art.blur(d.rx * 0.02)}`,
    ) +
    `<g ${art.clip(lid)}>${d.onTop ?? ''}</g>`
  );
}
