import { expect, test } from 'vitest';
import { readBody, readBytes } from './read-body.ts';

const posted = (body: BodyInit) =>
  new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
const inPieces = (...pieces: (string | Error)[]) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift();
      if (piece instanceof Error) controller.error(piece);
      else if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });

test('a body up to the limit is read, and can be read again', async () => {
  const read = await readBody(posted(inPieces('{"a"', ':1}')), 7);
  if (!read.ok) throw new Error('it was refused');
  expect(new TextDecoder().decode(read.bytes)).toBe('{"a":1}');
  expect(await read.request.json()).toEqual({ a: 1 });
});

test('a body that tells its length is read whole, and a longer one not at all', async () => {
  const tells = (length: number) =>
    new Request('http://localhost/', {
      method: 'POST',
      headers: { 'content-length': `${length}` },
      body: '{"a":1}',
    });
  expect(await readBytes(tells(7), 7)).toEqual({ ok: true, bytes: new TextEncoder().encode('{"a":1}') });
  const longer = tells(8);
  const read = await readBytes(longer, 7);
  expect(read.ok ? 200 : read.response.status).toBe(413);
  expect(longer.bodyUsed).toBe(false);
});

test.each([
  ['one byte more than the limit', inPieces('{"a"', ':12}'), 413],
  ['who hangs up in the middle', inPieces('{"a"', new Error('aborted')), 400],
])('%s is refused, and no failure of ours', async (_what, body, status) => {
  const read = await readBody(posted(body), 7);
  expect(read.ok ? 200 : read.response.status).toBe(status);
});
