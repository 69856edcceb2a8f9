import { type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '#app/ui/button.tsx';
import { Dialog, DialogActions, DialogBody } from '#app/ui/dialog.tsx';
import {
  type Crop,
  centredCrop,
  cropAfterKey,
  dragCrop,
  sourceSquare,
  zoomCrop,
  zoomLimit,
} from '#domain/products/picture-crop.ts';
import styles from './picture-cropper.module.css';

type Props = { bitmap: ImageBitmap; onUse(crop: Crop): unknown; onClose(): void };
type Point = { x: number; y: number };

const frame = 480; // pixels of the canvas; on the screen it is as wide as there is room

/** Chooses the square of a picture: dragCrop and pinched, by wheel, by slider, or with the arrow keys, + and -. */
export function PictureCropper({ bitmap, onUse, onClose }: Props) {
  const [crop, setCrop] = useState(() => centredCrop(bitmap));
  const [isBusy, setBusy] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const id = useId();

  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (!pen) return;
    const { x, y, side } = sourceSquare(bitmap, crop);
    pen.imageSmoothingQuality = 'high';
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, frame, frame);
    pen.drawImage(bitmap, x, y, side, side, 0, 0, frame, frame);
  }, [bitmap, crop]);

  // React listens to the wheel passively, and the page behind would scroll along.
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    function onWheel(event: WheelEvent) {
      event.preventDefault();
      const point = fromCentre(event, event.currentTarget as HTMLElement);
      setCrop((now) => zoomCrop(bitmap, now, now.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1), frame, point));
    }
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [bitmap]);

  function onPointerMove(event: PointerEvent<HTMLCanvasElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = fromCentre(event, event.currentTarget);
    const other = [...pointers.current].find(([pointer]) => pointer !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    if (other) {
      const grown = distance(now, other) / Math.max(1, distance(before, other));
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      setCrop((at) => zoomCrop(bitmap, at, at.zoom * grown, frame, middle));
    } else setCrop((at) => dragCrop(bitmap, at, { x: now.x - before.x, y: now.y - before.y }, frame));
  }
  const release = (event: PointerEvent) => pointers.current.delete(event.pointerId);

  async function use() {
    if (isBusy) return;
    setBusy(true);
    await onUse(crop);
    setBusy(false);
  }

  const most = zoomLimit(bitmap);
  return (
    <Dialog open onClose={onClose} labelledBy={`${id}-title`} describedBy={`${id}-help`} isLocked={isBusy}>
      <DialogBody className={styles.body}>
        <h2 id={`${id}-title`}>Crop photo</h2>
        <p id={`${id}-help`}>Drag to move, pinch or scroll to zoom. On the keyboard, use the arrow keys, + and −.</p>
        <canvas
          ref={canvas}
          width={frame}
          height={frame}
          tabIndex={0}
          role="img"
          aria-label="The part customers will see"
          className={styles.frame}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            pointers.current.set(event.pointerId, fromCentre(event, event.currentTarget));
          }}
          onPointerMove={onPointerMove}
          onPointerUp={release}
          onPointerCancel={release}
          onKeyDown={(event) => {
            const next = cropAfterKey(bitmap, crop, event.key);
            if (!next) return;
            event.preventDefault();
            setCrop(next);
          }}
        />
        <label className={styles.zoom}>
          Zoom
          <input
            type="range"
            min={1}
            max={most}
            step={0.01}
            value={crop.zoom}
            disabled={most <= 1}
            onChange={(event) => setCrop(zoomCrop(bitmap, crop, Number(event.target.value), frame))}
          />
        </label>
        <DialogActions>
          <Button variant="primary" isBusy={isBusy} onClick={use}>
            Use picture
          </Button>
          <Button onClick={onClose} disabled={isBusy}>
            Go back
          </Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  );
}

/** Where the pointer is, from the middle of the frame, in the frame's own pixels. */
function fromCentre({ clientX, clientY }: { clientX: number; clientY: number }, element: HTMLElement): Point {
  const box = element.getBoundingClientRect();
  const scale = frame / box.width;
  return { x: (clientX - box.left - box.width / 2) * scale, y: (clientY - box.top - box.height / 2) * scale };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
