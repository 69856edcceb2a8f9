import { type Art, f, type Point } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import { type BoxLook, type OpenBox, openBox } from '../kit/box.ts';
import { ramp } from '../kit/colour.ts';
import { kulhad } from '../kit/drinks.ts';
import { paperCup } from '../kit/festive.ts';
import { type Ground, shadow } from '../kit/grounds.ts';

export type Piece = (art: Art, b: Ball) => string;

const CUP = ramp('#8a5a1c', '#c99a4c', '#f0d69c', '#fff1d2', '#ffffff');
const BOX: BoxLook = { at: [480, 530], w: 415, d: 400, h: 130, outside: '#f4e6cb', inside: '#8e1449', trim: '#d9a441' };

/** A whole drawing of 960 pixels, smaller or larger, its middle at a point. */
export const sized = (body: string, [x, y]: Point, scale: number) =>
  `<g transform="translate(${f(x - 480 * scale)} ${f(y - 480 * scale)}) scale(${Math.round(scale * 1000) / 1000})">${body}</g>`;

/** A ball on the ground. */
export const sit = (art: Art, tone: Ground, b: Ball, piece: Piece) =>
  shadow(art, tone, b.cx + 8, b.cy + b.r * 0.84, b.r * 0.86, b.r * 0.27) + piece(art, b);

/** The shop's box, open and filled, and behind it a cup of tea that tells how large it is. */
export function boxOf(art: Art, tone: Ground, fill: (box: OpenBox) => string, look: Partial<BoxLook> = {}): string {
  const box = openBox(art, tone, { ...BOX, ...look });
  const filled = box.back + fill(box) + box.front;
  return kulhad(art, tone, 752, 168, 146) + sized(filled, [420, 560], 0.84);
}

/** Nine in paper cups. */
export const nineInCups =
  (tone: Ground, piece: Piece, look: Partial<BoxLook> = {}) =>
  (art: Art) =>
    boxOf(
      art,
      tone,
      (box) =>
        [-238, 18, 270]
          .map((y) =>
            [-266, 0, 266]
              .map((x) => {
                const r = 114;
                const [cx, cy] = box.floor(x, y, r * 0.9);
                return paperCup(art, box.floor(x, y, r * 0.3), r * 1.1, box.pitch, CUP) + piece(art, { cx, cy, r });
              })
              .join(''),
          )
          .join(''),
      look,
    );

/** What the shop sends, beside a cup of tea. */
export const besideCup =
  (tone: Ground, draw: (art: Art) => string, scale = 0.62) =>
  (art: Art) =>
    kulhad(art, tone, 745, 330, 118) + sized(draw(art), [410, 570], scale);

/** The same sweet from close by. */
export const closer =
  (draw: (art: Art) => string, at: Point, scale = 1.8) =>
  (art: Art) =>
    sized(draw(art), [480 + (480 - at[0]) * scale, 480 + (480 - at[1]) * scale], scale);
