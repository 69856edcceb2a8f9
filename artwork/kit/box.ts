import { type Art, f, type Point, path, polygon } from './art.ts';
import { mix } from './colour.ts';
import type { Ground } from './grounds.ts';
import { project } from './solids.ts';

export type BoxLook = {
  at: Point;
  w: number;
  d: number;
  h: number;
  outside: string;
  inside: string;
  trim: string;
  pitch?: number;
};
export type OpenBox = {
  /** Shadow, floor and the walls behind the sweets. */
  back: string;
  /** The wall in front of them. */
  front: string;
  pitch: number;
  floor: (x: number, y: number, z: number) => Point;
  /** A partition across the box at depth y: paint it after the row behind it. */
  across: (y: number) => string;
  /** A partition from back to front at x. */
  along: (x: number) => string;
};

/** An open sweets box seen from above; `at` is the middle of its floor. */
export function openBox(art: Art, tone: Ground, look: BoxLook): OpenBox {
  const { at, w, d, h, outside, inside, trim, pitch = 0.74 } = look;
  const view = { yaw: 0, pitch };
  const p = (x: number, y: number, z: number): Point => project([x, y], z, at, view);
  const t = 10;
  const drop = [
    p(-w, d, 0),
    p(w, d, 0),
    p(w, -d, 0),
    p(w, -d, h),
    p(w * 1.16, -d * 0.7, 0),
    p(w * 1.16, d * 1.16, 0),
    p(-w * 0.85, d * 1.2, 0),
  ];
  const floorFill = art.radial(
    [
      [0, mix(inside, '#ffffff', 0.16)],
      [0.6, inside],
      [1, mix(inside, '#1a0208', 0.45)],
    ],
    p(w * 0.1, d * 0.1, 0),
    w * 1.3,
    pitch,
  );
  const backFill = art.linear(
    [
      [0, mix(inside, '#1a0208', 0.25)],
      [1, mix(inside, '#1a0208', 0.55)],
    ],
    p(0, -d, h),
    p(0, -d, 0),
  );
  const leftFill = art.linear(
    [
      [0, mix(inside, '#1a0208', 0.6)],
      [1, mix(inside, '#1a0208', 0.35)],
    ],
    p(-w, 0, 0),
    p(-w + 60, 0, 0),
  );
  const inner = [p(-w + t, -d + t, h), p(w - t, -d + t, h), p(w - t, d - t, h), p(-w + t, d - t, h)];
  const outer = [p(-w, -d, h), p(w, -d, h), p(w, d, h), p(-w, d, h)];
  const frontFill = art.linear(
    [
      [0, mix(outside, '#ffffff', 0.35)],
      [0.45, outside],
      [1, mix(outside, '#7a4a20', 0.4)],
    ],
    p(-w, d, h),
    p(w, d, 0),
  );
  const rim = `${polygon(outer)}${polygon([...inner].reverse())}`;
  const band = (z: number, width: number) =>
    path(
      `M${f(p(-w, d, z)[0])} ${f(p(-w, d, z)[1])}L${f(p(w, d, z)[0])} ${f(p(w, d, z)[1])}`,
      `stroke="${trim}" stroke-width="${width}"`,
    );
  let motif = '';
  const count = Math.floor((2 * w - 20) / 44);
  const first = -(count - 1) * 22;
  for (let i = 0; i < count; i++) {
    const x = first + i * 44;
    const [mx, my] = p(x, d, h * 0.46);
    motif += path(
      `M${f(mx)} ${f(my - 13)}Q${f(mx + 11)} ${f(my)} ${f(mx)} ${f(my + 13)}Q${f(mx - 11)} ${f(my)} ${f(mx)} ${f(my - 13)}Z`,
      `fill="${trim}" opacity=".85"`,
    );
    if (i < count - 1) motif += path(`M${f(mx + 22)} ${f(my - 5)}l5 5l-5 5l-5 -5Z`, `fill="${trim}" opacity=".7"`);
  }
  return {
    pitch,
    floor: p,
    across: (y) => {
      const k = 0.5;
      const fill = art.linear(
        [
          [0, mix(outside, '#ffffff', 0.1)],
          [1, mix(outside, '#7a4a20', 0.5)],
        ],
        p(-w, y, h * k),
        p(w, y, 0),
      );
      return (
        path(polygon([p(-w + t, y, h * k), p(w - t, y, h * k), p(w - t, y, 0), p(-w + t, y, 0)]), `fill="${fill}"`) +
        path(
          polygon([p(-w + t, y - 7, h * k), p(w - t, y - 7, h * k), p(w - t, y, h * k), p(-w + t, y, h * k)]),
          `fill="${mix(outside, '#ffffff', 0.45)}"`,
        )
      );
    },
    along: (x) =>
      path(
        polygon([
          p(x - 4, -d + t, h * 0.55),
          p(x + 4, -d + t, h * 0.55),
          p(x + 4, d - t, h * 0.55),
          p(x - 4, d - t, h * 0.55),
        ]),
        `fill="${mix(outside, '#ffffff', 0.25)}" stroke="${mix(outside, '#5a2c10', 0.5)}" stroke-opacity=".5"`,
      ),
    back:
      path(polygon(drop), `fill="${tone.shadow}" opacity=".55" ${art.blur(26)}`) +
      path(
        polygon([p(-w, d, 0), p(w, d, 0), p(w + 16, d + 20, 0), p(-w + 10, d + 20, 0)]),
        `fill="${tone.shadow}" opacity=".7" ${art.blur(7)}`,
      ) +
      path(polygon(outer), `fill="${mix(inside, '#1a0208', 0.4)}"`) +
      path(polygon([p(-w, -d, h), p(w, -d, h), p(w, -d, 0), p(-w, -d, 0)]), `fill="${backFill}"`) +
      path(polygon([p(-w, -d, 0), p(w, -d, 0), p(w, d, 0), p(-w, d, 0)]), `fill="${floorFill}"`) +
      path(
        polygon([p(-w, -d, h), p(-w + 46, -d, 0), p(-w + 46, d, 0), p(-w, d, h)]),
        `fill="${leftFill}" opacity=".55" ${art.blur(10)}`,
      ),
    front:
      path(rim, `fill="${mix(outside, '#ffffff', 0.3)}" fill-rule="evenodd"`) +
      path(polygon(inner), `fill="none" stroke="${mix(outside, '#5a2c10', 0.5)}" stroke-width="2" opacity=".6"`) +
      path(polygon(outer), `fill="none" stroke="#fffaf0" stroke-width="2" opacity=".8"`) +
      path(polygon([p(-w, d, h), p(w, d, h), p(w, d, 0), p(-w, d, 0)]), `fill="${frontFill}"`) +
      band(h * 0.84, 5) +
      band(h * 0.12, 5) +
      motif,
  };
}
