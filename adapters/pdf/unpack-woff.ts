import { unzlibSync } from 'fflate';

/** The font inside a WOFF file, as OpenType: the same tables, unpacked. */
export function unpackWoff(file: Uint8Array): Uint8Array {
  const source = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (source.getUint32(0) !== 0x774f4646) throw new Error('this is not a WOFF file');
  const tableCount = source.getUint16(12);
  const tables = Array.from({ length: tableCount }, (_, index) => {
    const entry = 44 + index * 20;
    const [offset, packed, length] = [4, 8, 12].map((at) => source.getUint32(entry + at)) as [number, number, number];
    const bytes = file.subarray(offset, offset + packed);
    return {
      tag: source.getUint32(entry),
      checksum: source.getUint32(entry + 16),
      bytes: packed < length ? unzlibSync(bytes, { out: new Uint8Array(length) }) : bytes,
    };
  });

  const padded = (length: number) => (length + 3) & ~3;
  const heads = 12 + tableCount * 16;
  const font = new Uint8Array(tables.reduce((size, { bytes }) => size + padded(bytes.length), heads));
  const target = new DataView(font.buffer);
  const searched = 2 ** Math.floor(Math.log2(tableCount));
  target.setUint32(0, source.getUint32(4));
  target.setUint16(4, tableCount);
  target.setUint16(6, searched * 16);
  target.setUint16(8, Math.log2(searched));
  target.setUint16(10, (tableCount - searched) * 16);
  let at = heads;
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    const entry = 12 + index * 16;
    for (const [place, value] of [tag, checksum, at, bytes.length].entries())
      target.setUint32(entry + place * 4, value);
    font.set(bytes, at);
    at += padded(bytes.length);
  }
  return font;
}
