// At its end a ZIP file has a list of what is in it, and after that where the list begins; all numbers are little-endian.
const END = { bytes: 22, sign: 0x06054b50, count: 10, listBytes: 12, listAt: 16 };
const ENTRY = { bytes: 46, sign: 0x02014b50, name: 28, extra: 30, comment: 32, at: 42 };

/** One ZIP file with what is in several, in their order. They are our own: without a comment, and below 4 GB together. */
export async function joinZips(zips: Blob[]): Promise<Blob> {
  const contents: Blob[] = [];
  const lists: Uint8Array<ArrayBuffer>[] = [];
  let [length, count] = [0, 0];
  for (const zip of zips) {
    const end = new DataView(await zip.slice(-END.bytes).arrayBuffer());
    if (end.byteLength < END.bytes || end.getUint32(0, true) !== END.sign) throw new Error('this is no ZIP file');
    const listAt = end.getUint32(END.listAt, true);
    const list = await zip.slice(listAt, listAt + end.getUint32(END.listBytes, true)).arrayBuffer();
    movedBy(length, new DataView(list));
    contents.push(zip.slice(0, listAt));
    lists.push(new Uint8Array(list));
    length += listAt;
    count += end.getUint16(END.count, true);
  }
  const end = new DataView(new ArrayBuffer(END.bytes));
  end.setUint32(0, END.sign, true);
  for (const field of [END.count - 2, END.count]) end.setUint16(field, count, true);
  end.setUint32(
    END.listBytes,
    lists.reduce((sum, list) => sum + list.byteLength, 0),
    true,
  );
  end.setUint32(END.listAt, length, true);
  return new Blob([...contents, ...lists, end], { type: 'application/zip' });
}

/** Each entry of the list says where its file begins. */
function movedBy(bytes: number, list: DataView): void {
  for (let at = 0; at < list.byteLength; ) {
    if (list.getUint32(at, true) !== ENTRY.sign) throw new Error('this is no ZIP file');
    list.setUint32(at + ENTRY.at, list.getUint32(at + ENTRY.at, true) + bytes, true);
    const more = [ENTRY.name, ENTRY.extra, ENTRY.comment].map((field) => list.getUint16(at + field, true));
    at += more.reduce((sum, one) => sum + one, ENTRY.bytes);
  }
}
