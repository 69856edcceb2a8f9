import type { Random } from './random.ts';

export type Normal = [x: number, y: number, z: number];

const LIGHT: Normal = [-0.62, -0.6, 0.505];

const smoothstep = (low: number, high: number, v: number) => {
  const t = Math.min(1, Math.max(0, (v - low) / (high - low)));
  return t * t * (3 - 2 * t);
};

/** How light a surface is, 0 to 1, by its screen normal (y down, z to the viewer): wrapped, never black. */
export function lightness([x, y, z]: Normal): number {
  const d = x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2];
  const wrapped = Math.max(0, (d + 0.34) / 1.34);
  const occluded = 1 - 0.4 * smoothstep(0.35, 1, y);
  const bounce = 0.09 * smoothstep(0.45, 0.95, x * 0.8 + y * 0.45);
  return Math.min(1, (0.08 + 0.9 * wrapped ** 1.2) * occluded + bounce);
}

export type SurfacePoint = {
  x: number;
  y: number;
  normal: Normal;
  depth: number;
  /** 1 facing the viewer, towards 0 at the rim. */
  facing: number;
  /** Direction of the foreshortening, in degrees. */
  turn: number;
};

export type Ellipsoid = {
  cx: number;
  cy: number;
  a: number;
  b: number;
  c: number;
  /** 0 looks at the side, 1 straight down. */
  pitch?: number;
  /** Lowest height kept, as a share of c: -1 a whole ball, 0 a heap. */
  floor?: number;
  /** Unevenness of the surface, as a share of its size. */
  bump?: number;
};

/** Points spread evenly over the visible side of an ellipsoid, farthest first. */
export function surface(rnd: Random, count: number, body: Ellipsoid): SurfacePoint[] {
  const { cx, cy, a, b, c, pitch = 0, floor = -1, bump = 0 } = body;
  const sin = pitch;
  const cos = Math.sqrt(1 - pitch * pitch);
  const total = Math.round(count * 2);
  const points: SurfacePoint[] = [];
  for (let i = 0; i < total; i++) {
    const sz = 1 - (2 * (i + rnd.next())) / total;
    const angle = i * 2.399963 + rnd.range(-0.5, 0.5);
    const ring = Math.sqrt(Math.max(0, 1 - sz * sz));
    const sx = Math.cos(angle) * ring;
    const sy = Math.sin(angle) * ring;
    if (sz < floor) continue;
    const nLength = Math.hypot(sx / a, sy / b, sz / c);
    const [NX, NY, NZ] = [sx / a / nLength, sy / b / nLength, sz / c / nLength];
    const normal: Normal = [NX, NY * sin - NZ * cos, NY * cos + NZ * sin];
    if (normal[2] < 0.02) continue;
    const k = 1 + bump * rnd.range(-1, 1);
    points.push({
      x: cx + a * sx * k,
      y: cy + b * sy * sin * k - c * sz * cos * k,
      normal,
      depth: b * sy * cos + c * sz * sin,
      facing: normal[2],
      turn: (Math.atan2(normal[1], normal[0]) * 180) / Math.PI,
    });
  }
  return points.sort((p, q) => p.depth - q.depth);
}
