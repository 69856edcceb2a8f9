export const fireworksMilliseconds = 3000;

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

export type Sky = { width: number; height: number };

/** Draws every burst, frame by frame; also where there is no page, in a worker. */
export function drawFireworks(pen: Pen, { width, height }: Sky): void {
  pen.lineCap = 'round';
  // Reach follows the smaller side, so that a burst is round and whole on a phone too.
  const reach = Math.min(width, height, 900) * 0.3;
  const sparks = bursts.flatMap((burst, index) => sparksOf(burst, colours[index % colours.length] ?? '', reach));
  let start: number | undefined;
  function draw(now: number) {
    start ??= now;
    const elapsed = now - start;
    pen.clearRect(0, 0, width, height);
    for (const spark of sparks) drawSpark(pen, spark, elapsed, width, height);
    if (elapsed < fireworksMilliseconds) requestAnimationFrame(draw);
  }
  requestAnimationFrame(draw);
}

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
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

function drawSpark(pen: Pen, spark: Spark, elapsed: number, width: number, height: number): void {
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
