import { drawFireworks, fireworksMilliseconds, type Sky } from './draw-fireworks.ts';

const fadeMilliseconds = 500;

/** Draws over the page without catching presses; the canvas is removed after three seconds or when stopped. */
export function launchFireworks(parent: HTMLElement): () => void {
  const sky: Sky = { width: window.innerWidth, height: window.innerHeight };
  const canvas = document.createElement('canvas');
  // One pixel of the canvas for one of CSS: a dense phone screen would take three to nine times the drawing for soft sparks.
  canvas.width = sky.width;
  canvas.height = sky.height;
  canvas.setAttribute('aria-hidden', 'true');
  canvas.dataset.fireworks = '';
  Object.assign(canvas.style, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
    zIndex: '15',
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = draw(canvas, sky, () => {
    parent.append(canvas);
    canvas.animate(
      { opacity: [1, 0] },
      { delay: fireworksMilliseconds - fadeMilliseconds, duration: fadeMilliseconds },
    );
    timer = setTimeout(stop, fireworksMilliseconds);
  });

  function stop() {
    clearTimeout(timer);
    rest();
    canvas.remove();
  }
  return stop;
}

/** In a worker where there are any, so that a slow phone goes on reacting; answers how to end it. */
function draw(canvas: HTMLCanvasElement, sky: Sky, begun: () => void): () => void {
  if ('transferControlToOffscreen' in canvas && 'Worker' in window) {
    const worker = new Worker(new URL('./fireworks-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = begun;
    const offscreen = canvas.transferControlToOffscreen();
    worker.postMessage({ canvas: offscreen, sky }, [offscreen]);
    return () => worker.terminate();
  }
  const pen = canvas.getContext('2d');
  if (pen) {
    drawFireworks(pen, sky);
    begun();
  }
  return () => {};
}
