import { code128Bars } from '#domain/barcode/code-128.ts';

/** With the quiet zone of ten modules that scanners need on both sides. */
const quiet = 10;
const height = 40;

export function Barcode({ text, className }: { text: string; className?: string | undefined }) {
  const { bars, width } = code128Bars(text);
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width + 2 * quiet} ${height}`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={`Barcode ${text}`}
    >
      <path fill="#000" d={bars.map((bar) => `M${bar.at + quiet} 0h${bar.width}v${height}h${-bar.width}z`).join('')} />
    </svg>
  );
}
