import { expect, test } from 'vitest';
import { centredCrop, clampCrop, cropAfterKey, dragCrop, sourceSquare, zoomCrop, zoomLimit } from './picture-crop.ts';

const wide = { width: 1600, height: 1000 };

test('begins with the largest square in the middle', () => {
  expect(sourceSquare(wide, centredCrop(wide))).toEqual({ x: 300, y: 0, side: 1000 });
});

test('dragging moves the picture with the finger, and never out of the frame', () => {
  const crop = dragCrop(wide, centredCrop(wide), { x: 100, y: 50 }, 250);
  expect(sourceSquare(wide, crop)).toEqual({ x: 0, y: 0, side: 1000 });
  const other = dragCrop(wide, centredCrop(wide), { x: -25, y: 0 }, 250);
  expect(sourceSquare(wide, other)).toEqual({ x: 400, y: 0, side: 1000 });
});

test('zooming keeps what is under the pointer where it is', () => {
  const crop = zoomCrop(wide, centredCrop(wide), 2, 250, { x: 50, y: -25 });
  const { x, y, side } = sourceSquare(wide, crop);
  expect(side).toBe(500);
  // The point lay at the centre plus 50 and -25 screen pixels, each 4 picture pixels.
  expect((1000 - x) / side).toBeCloseTo(0.5 + 50 / 250);
  expect((400 - y) / side).toBeCloseTo(0.5 - 25 / 250);
});

test('one zooms in no further than there are pixels for', () => {
  expect(zoomLimit(wide)).toBeCloseTo(1000 / 480);
  expect(zoomLimit({ width: 6000, height: 6000 })).toBe(4);
  expect(zoomLimit({ width: 480, height: 900 })).toBe(1);
  expect(zoomCrop(wide, centredCrop(wide), 9, 250).zoom).toBeCloseTo(1000 / 480);
  expect(zoomCrop(wide, centredCrop(wide), 0.1, 250).zoom).toBe(1);
});

test('the keyboard moves, zooms and starts over', () => {
  const start = centredCrop(wide);
  expect(cropAfterKey(wide, start, 'ArrowLeft')?.x).toBe(750);
  expect(cropAfterKey(wide, start, 'ArrowUp')).toEqual(start); // no room
  expect(cropAfterKey(wide, start, '+')?.zoom).toBeCloseTo(1.1);
  expect(cropAfterKey(wide, { x: 500, y: 500, zoom: 1.5 }, 'Home')).toEqual(start);
  expect(cropAfterKey(wide, start, 'a')).toBeNull();
});

test('whatever is done, the square lies inside the picture', () => {
  for (let n = 0; n < 500; n += 1) {
    const size = { width: 480 + ((n * 37) % 3000), height: 480 + ((n * 91) % 3000) };
    const crop = clampCrop(size, { x: (n * 577) % 5000, y: -((n * 313) % 900), zoom: (n % 60) / 10 });
    const { x, y, side } = sourceSquare(size, crop);
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + side).toBeLessThanOrEqual(size.width);
    expect(y + side).toBeLessThanOrEqual(size.height);
    expect(side).toBeGreaterThanOrEqual(479);
  }
});
