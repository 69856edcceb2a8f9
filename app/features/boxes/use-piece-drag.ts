import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react';

/** What is dragged: a sweet from the tray, or the piece in a place. */
export type Dragged = { productId: number; from: number | null };
export type Dragging = Dragged & { over: number | null };

/** Nearer is a press with an unsteady finger. */
const beginsAtPx = 8;

export type PieceDrag = {
  dragging: Dragging | null;
  /** Follows the pointer. */
  ghost: React.RefObject<HTMLDivElement | null>;
  start(event: PointerEvent, what: Dragged): void;
  /** True once after a drag: the press at its end is none. */
  wasDragged(): boolean;
};

/** Drags pieces by pointer: mouse, pen or finger. `onDrop` gets the place, or null outside the box. */
export function usePieceDrag(onDrop: (what: Dragged, to: number | null) => void): PieceDrag {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const begun = useRef<{ what: Dragged; id: number; x: number; y: number; isMoving: boolean } | null>(null);
  const last = useRef({ x: 0, y: 0 });
  const dragged = useRef(false);

  const follow = () => {
    const { x, y } = last.current;
    if (ghost.current) ghost.current.style.transform = `translate(${x}px, ${y}px)`;
  };
  // The ghost is drawn with the state, after the pointer has moved.
  useEffect(() => {
    if (dragging) follow();
  });

  const move = useEffectEvent((event: globalThis.PointerEvent) => {
    const drag = begun.current;
    if (!drag || event.pointerId !== drag.id) return;
    last.current = { x: event.clientX, y: event.clientY };
    if (!drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < beginsAtPx) return;
    drag.isMoving = true;
    event.preventDefault();
    follow();
    const over = placeAt(event.clientX, event.clientY);
    setDragging((before) => (before && before.over === over ? before : { ...drag.what, over }));
  });
  const end = useEffectEvent((event: globalThis.PointerEvent) => {
    const drag = begun.current;
    if (!drag || event.pointerId !== drag.id) return;
    begun.current = null;
    setDragging(null);
    if (!drag.isMoving || event.type === 'pointercancel') return;
    dragged.current = true;
    setTimeout(() => {
      dragged.current = false;
    });
    onDrop(drag.what, placeAt(event.clientX, event.clientY));
  });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('pointermove', move, { signal, passive: false });
    window.addEventListener('pointerup', end, { signal });
    window.addEventListener('pointercancel', end, { signal });
    return () => stop.abort();
  }, []);

  return {
    dragging,
    ghost,
    start(event, what) {
      if (event.button !== 0 || !event.isPrimary) return;
      begun.current = { what, id: event.pointerId, x: event.clientX, y: event.clientY, isMoving: false };
    },
    wasDragged: () => dragged.current,
  };
}

function placeAt(x: number, y: number): number | null {
  const place = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-place]')?.dataset.place;
  return place === undefined ? null : Number(place);
}
