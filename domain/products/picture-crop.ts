/** Where a square frame looks at a picture: its centre in the picture's own pixels, and how far it is zoomCrop in. */
export type Crop = { x: number; y: number; zoom: number };
export type Size = { width: number; height: number };

export const maxZoom = 4;
export const minPixels = 480;

/** The whole of the picture's shorter side, in the middle. */
export function centredCrop({ width, height }: Size): Crop {
  return { x: width / 2, y: height / 2, zoom: 1 };
}

/** The side of the square in the picture's pixels. */
export function cropSide({ width, height }: Size, zoom: number): number {
  return Math.min(width, height) / zoom;
}

/** How far one may zoom in before there are fewer pixels than the largest but one width needs. */
export function zoomLimit({ width, height }: Size): number {
  return Math.max(1, Math.min(maxZoom, Math.min(width, height) / minPixels));
}

/** The same crop, brought back inside the picture. */
export function clampCrop(size: Size, { x, y, zoom }: Crop): Crop {
  const kept = Math.min(Math.max(zoom, 1), zoomLimit(size));
  const half = cropSide(size, kept) / 2;
  const between = (at: number, length: number) => Math.min(Math.max(at, half), length - half);
  return { x: between(x, size.width), y: between(y, size.height), zoom: kept };
}

/** Moves the picture under the frame by so many pixels of the screen, where the frame is `frame` pixels wide. */
export function dragCrop(size: Size, crop: Crop, by: { x: number; y: number }, frame: number): Crop {
  const scale = cropSide(size, crop.zoom) / frame;
  return clampCrop(size, { ...crop, x: crop.x - by.x * scale, y: crop.y - by.y * scale });
}

/** Zooms so that the point under the pointer (from the frame's centre, in screen pixels) stays where it is. */
export function zoomCrop(size: Size, crop: Crop, zoom: number, frame: number, point = { x: 0, y: 0 }): Crop {
  const next = Math.min(Math.max(zoom, 1), zoomLimit(size));
  const before = cropSide(size, crop.zoom) / frame;
  const after = cropSide(size, next) / frame;
  return clampCrop(size, {
    x: crop.x + point.x * (before - after),
    y: crop.y + point.y * (before - after),
    zoom: next,
  });
}

/** The square to cut out, in whole pixels inside the picture. */
export function sourceSquare(size: Size, crop: Crop): { x: number; y: number; side: number } {
  const inside = clampCrop(size, crop);
  const side = Math.max(1, Math.floor(cropSide(size, inside.zoom)));
  return {
    x: Math.min(Math.max(0, Math.round(inside.x - side / 2)), size.width - side),
    y: Math.min(Math.max(0, Math.round(inside.y - side / 2)), size.height - side),
    side,
  };
}

/** What the arrow keys, + and - do; null: the key is not for the frame. */
export function cropAfterKey(size: Size, crop: Crop, key: string): Crop | null {
  const step = cropSide(size, crop.zoom) / 20;
  const moves: Record<string, Crop> = {
    ArrowLeft: { ...crop, x: crop.x - step },
    ArrowRight: { ...crop, x: crop.x + step },
    ArrowUp: { ...crop, y: crop.y - step },
    ArrowDown: { ...crop, y: crop.y + step },
    '+': { ...crop, zoom: crop.zoom * 1.1 },
    '=': { ...crop, zoom: crop.zoom * 1.1 },
    '-': { ...crop, zoom: crop.zoom / 1.1 },
    Home: centredCrop(size),
  };
  const next = moves[key];
  return next ? clampCrop(size, next) : null;
}
