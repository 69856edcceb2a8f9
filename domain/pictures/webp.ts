type Size = { width: number; height: number };

// A still picture, its transparency and its colours. Nothing here needs animations, or what cameras and editors write into
// files (places, names, scripts for readers that take the file for something else).
const stillChunks = ['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L'];
const animationFlag = 0x02;

/**
 * Width and height of a still WebP picture, or null when the bytes are not exactly one: more behind its end, parts that are not
 * needed, or a frame of another size than the picture says.
 */
export function webpSize(bytes: Uint8Array): Size | null {
  const chunks = riffChunks(bytes);
  if (!chunks || chunks.some(({ tag }) => !stillChunks.includes(tag))) return null;
  const frames = chunks.filter(({ tag }) => tag === 'VP8 ' || tag === 'VP8L');
  const [frame] = frames;
  const size = frame && (frame.tag === 'VP8 ' ? lossySize(frame.data) : losslessSize(frame.data));
  if (frames.length !== 1 || !size) return null;
  const [first, ...others] = chunks;
  if (others.some(({ tag }) => tag === 'VP8X')) return null;
  if (first?.tag !== 'VP8X') return chunks.length === 1 ? size : null;
  const canvas = canvasSize(first.data);
  return canvas && canvas.width === size.width && canvas.height === size.height ? canvas : null;
}

/** The parts of a WebP file, when they fill it from the first byte to the last. */
function riffChunks(bytes: Uint8Array): { tag: string; data: DataView }[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.length < 30 || tag(0) !== 'RIFF' || tag(8) !== 'WEBP' || view.getUint32(4, true) + 8 !== bytes.length)
    return null;
  const chunks = [];
  let at = 12;
  while (at + 8 <= bytes.length) {
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length;
    if (end > bytes.length) return null;
    chunks.push({ tag: tag(at), data: new DataView(bytes.buffer, bytes.byteOffset + at + 8, length) });
    at = end + (length % 2);
  }
  return at === bytes.length ? chunks : null;
}

function lossySize(data: DataView): Size | null {
  if (data.byteLength < 10 || data.getUint8(3) !== 0x9d || data.getUint8(4) !== 0x01 || data.getUint8(5) !== 0x2a)
    return null;
  return { width: data.getUint16(6, true) & 0x3fff, height: data.getUint16(8, true) & 0x3fff };
}

function losslessSize(data: DataView): Size | null {
  if (data.byteLength < 5 || data.getUint8(0) !== 0x2f) return null;
  const bits = data.getUint32(1, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function canvasSize(data: DataView): Size | null {
  if (data.byteLength !== 10 || data.getUint8(0) & animationFlag) return null;
  return { width: (data.getUint32(4, true) & 0xffffff) + 1, height: (data.getUint32(6, true) >>> 8) + 1 };
}
