import { drawFireworks, type Sky } from './draw-fireworks.ts';

self.addEventListener('message', ({ data }: MessageEvent<{ canvas: OffscreenCanvas; sky: Sky }>) => {
  const pen = data.canvas.getContext('2d');
  if (!pen) return;
  drawFireworks(pen, data.sky);
  self.postMessage('begun');
});
