export const fireworksMilliseconds = 3000;

const fadeMilliseconds = 500;
const sparkMilliseconds = 1100;
const sparksPerBurst = 44;
const colours = ['#e8892b', '#f2b233', '#d6377f', '#5e8c4a', '#c8553d'];
// When each burst opens, and where: parts of the width and of the height. High up, away from what is being read.
const bursts = [
  { at: 0, x: 0.22, y: 0.26 },
  { at: 300, x: 0.76, y: 0.2 },
  { at: 650, x: 0.5, y: 0.34 },
  { at: 1000, x: 0.86, y: 0.42 },
  { at: 1250, x: 0.14, y: 0.4 },
  { at: 1550, x: 0.62, y: 0.16 },
  { at: 1800, x: 0.36, y: 0.24 },
];

/** Draws over the page, in nobody's way, and takes its canvas away after three seconds or when stopped. */
export function launchFireworks(parent: HTMLElement): () => void {
  const canvas = document.createElement('canvas');
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
  const pen = canvas.getContext('2d');
  if (!pen) return () => {};
  const density = Math.min(window.devicePixelRatio || 1, 2);
  const width = window.innerWidth;
  const height = window.innerHeight;
  canvas.width = width * density;
  canvas.height = height * density;
  pen.scale(density, density);
  pen.lineCap = 'round';
  parent.append(canvas);

  // Reach follows the smaller side, so that a burst is round and whole on a phone too.
  const reach = Math.min(width, height, 900) * 0.3;
  const sparks = bursts.flatMap((burst, index) => sparksOf(burst, colours[index % colours.length] ?? '', reach));
  let start: number | undefined;
  let frame = requestAnimationFrame(draw);

  function draw(now: number) {
    start ??= now;
    const elapsed = now - start;
    if (elapsed >= fireworksMilliseconds) return canvas.remove();
    canvas.style.opacity = String(Math.min(1, (fireworksMilliseconds - elapsed) / fadeMilliseconds));
    pen?.clearRect(0, 0, width, height);
    for (const spark of sparks) if (pen) drawSpark(pen, spark, elapsed, width, height);
    frame = requestAnimationFrame(draw);
  }

  return () => {
    cancelAnimationFrame(frame);
    canvas.remove();
  };
}

type Spark = { at: number; x: number; y: number; angle: number; reach: number; colour: string; thickness: number };

function sparksOf(burst: { at: number; x: number; y: number }, colour: string, reach: number): Spark[] {
  return Array.from({ length: sparksPerBurst }, (_, index) => ({
    ...burst,
    colour: index % 4 === 0 ? '#f2b233' : colour,
    angle: ((index + Math.random() * 0.6) / sparksPerBurst) * Math.PI * 2,
    reach: reach * (index % 2 === 0 ? 1 : 0.62) * (0.85 + Math.random() * 0.3),
    thickness: 1.5 + Math.random() * 1.5,
  }));
}

function drawSpark(pen: CanvasRenderingContext2D, spark: Spark, elapsed: number, width: number, height: number): void {
  const life = (elapsed - spark.at) / sparkMilliseconds;
  if (life < 0 || life > 1) return;
  const place = (part: number) => {
    const out = 1 - (1 - part) ** 3;
    return {
      x: spark.x * width + Math.cos(spark.angle) * spark.reach * out,
      y: spark.y * height + Math.sin(spark.angle) * spark.reach * out + spark.reach * 0.35 * part * part,
    };
  };
  const tail = place(Math.max(0, life - 0.09));
  const head = place(life);
  pen.globalAlpha = (1 - life) ** 1.3;
  pen.strokeStyle = spark.colour;
  pen.lineWidth = spark.thickness;
  pen.beginPath();
  pen.moveTo(tail.x, tail.y);
  pen.lineTo(head.x, head.y);
  pen.stroke();
}
