import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, gzipSync } from 'node:zlib';
import { z } from 'zod';

/**
 * A backup is one gzip file of records. A record is a line of JSON, its head, then its body in pieces, each a line with
 * its length and that many bytes, up to a piece of length 0. The last member of the gzip file is the SHA-256 of every
 * byte of the file before it, so that a file that was cut off or changed is known before anything of it is used.
 */
export const RecordHead = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('shop'),
    format: z.literal(1),
    madeAt: z.iso.datetime(),
    /** The migrations that were applied. */
    migrations: z.array(z.string()),
    /** Whether it has the demo's own tables, which no migration creates. */
    demo: z.boolean(),
  }),
  z.object({ kind: z.literal('keys'), keys: z.unknown() }),
  z.object({ kind: z.literal('file'), path: z.string(), modifiedMs: z.number() }),
  /** The body is the output of COPY … TO STDOUT. */
  z.object({ kind: z.literal('table'), schema: z.string(), name: z.string(), columns: z.array(z.string()) }),
  z.object({
    kind: z.literal('sequences'),
    values: z.array(z.object({ schema: z.string(), name: z.string(), last: z.string(), called: z.boolean() })),
  }),
  z.object({ kind: z.literal('end'), tables: z.number(), rows: z.number(), files: z.number() }),
]);
export type RecordHead = z.infer<typeof RecordHead>;
export type BackupRecord = { head: RecordHead; body: AsyncIterable<Buffer> };

const PIECE_BYTES = 64 * 1024;
const tailOf = (sha256: string): Buffer => {
  const tail = gzipSync(`sha256 ${sha256}\n`, { level: 0 });
  tail[9] = 255; // operating system: unknown
  return tail;
};
const TAIL_BYTES = tailOf('0'.repeat(64)).length;

/** One record as bytes. */
export async function* encoded(
  head: RecordHead,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = [],
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  for await (const piece of inLargerPieces(body)) {
    yield Buffer.from(`${piece.length}\n`);
    yield piece;
  }
  yield Buffer.from('0\n');
}

/** COPY returns single rows; larger pieces are cheaper to compress. */
async function* inLargerPieces(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const bytes of body) {
    if (bytes.length === 0) continue;
    waiting.push(bytes);
    size += bytes.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** Writes a new file that only its owner may read. It gets its name once it is complete and synced to disk. */
export async function writeBackupFile(file: string, records: AsyncIterable<Uint8Array>): Promise<{ bytes: number }> {
  const unfinished = `${file}.unfinished`;
  if (existsSync(file)) throw new Error(`${file} is there already: choose another name.`);
  const hash = createHash('sha256');
  const remove = () => rmSync(unfinished, { force: true });
  rmSync(unfinished, { force: true });
  process.once('exit', remove);
  try {
    // Opened first: a stream that opens the file itself may do so after it was removed.
    const opened = await open(unfinished, 'wx', 0o600);
    await pipeline(
      Readable.from(records),
      createGzip(),
      async function* withTail(packed: AsyncIterable<Buffer>) {
        for await (const bytes of packed) {
          hash.update(bytes);
          yield bytes;
        }
        yield tailOf(hash.digest('hex'));
      },
      opened.createWriteStream({ flush: true }),
    );
    if (existsSync(file)) throw new Error(`${file} is there already: choose another name.`);
    renameSync(unfinished, file);
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('exit', remove);
  }
  return { bytes: statSync(file).size };
}

/** Whether the file matches its checksum. */
export async function isWhole(file: string): Promise<boolean> {
  const { size } = statSync(file);
  if (size <= TAIL_BYTES) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { end: size - TAIL_BYTES - 1 }), hash);
  const handle = await open(file);
  try {
    const tail = Buffer.alloc(TAIL_BYTES);
    await handle.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES);
    return tail.equals(tailOf(hash.digest('hex')));
  } finally {
    await handle.close();
  }
}

/** The records in order; unread bodies are skipped. */
export async function* readRecords(file: string): AsyncGenerator<BackupRecord> {
  const packed = createReadStream(file, { end: statSync(file).size - TAIL_BYTES - 1 });
  const bytes = byteReader(packed.pipe(createGunzip()));
  packed.once('error', (error) => bytes.destroy(error));
  try {
    for (let line = await bytes.line(); line !== null; line = await bytes.line()) {
      const body = bodyOf(bytes);
      yield { head: RecordHead.parse(JSON.parse(line)), body };
      for await (const _rest of body);
    }
  } finally {
    packed.destroy();
    bytes.destroy();
  }
}

async function* bodyOf(bytes: ReturnType<typeof byteReader>): AsyncGenerator<Buffer> {
  for (;;) {
    const length = Number((await bytes.line()) ?? Number.NaN);
    if (length === 0) return;
    if (!Number.isSafeInteger(length) || length < 0) throw new Error('the backup ends in the middle of a record');
    yield await bytes.take(length);
  }
}

function byteReader(source: Readable) {
  const pieces = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  async function more(): Promise<boolean> {
    const next = await pieces.next();
    if (next.done) return false;
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
    return true;
  }
  function cut(length: number): Buffer {
    const bytes = held.subarray(0, length);
    held = held.subarray(length);
    return bytes;
  }
  return {
    async line(): Promise<string | null> {
      let end = held.indexOf(0x0a);
      while (end < 0) {
        if (!(await more())) return null;
        end = held.indexOf(0x0a);
      }
      return cut(end + 1)
        .subarray(0, -1)
        .toString();
    },
    async take(length: number): Promise<Buffer> {
      while (held.length < length) if (!(await more())) throw new Error('the backup ends in the middle of a record');
      return cut(length);
    },
    destroy: (error?: Error) => source.destroy(error),
  };
}
