// Sends generated requests in a few lanes at once, each one a property of its own: what fails is shrunk by fast-check to
// the smallest request that still fails, and can be repeated by its seed and path.
import fc, { type Arbitrary } from 'fast-check';
import type { BadCase } from '../bad-input-cases.ts';
import { describeRequest, type RawAnswer, type RawRequest } from '../raw-request.ts';
import type { Crowd } from './crowd.ts';

export const laneCount = 8;
const longestMs = 2000;

/** `rateLimited`: refused with 429, not counted in `refused`. */
export type Tally = {
  sent: number;
  done: number;
  redirected: number;
  refused: number;
  rateLimited: number;
  slowestMs: number;
};
export const newTally = (): Tally => ({
  sent: 0,
  done: 0,
  redirected: 0,
  refused: 0,
  rateLimited: 0,
  slowestMs: 0,
});

export async function runLanes(
  crowd: Crowd,
  arbitrary: Arbitrary<BadCase>,
  { requests, seed, tally }: { requests: number; seed: number; tally: Tally },
): Promise<void> {
  const lanes = Array.from({ length: laneCount }, (_, lane) => {
    const numRuns = Math.floor(requests / laneCount) + (lane < requests % laneCount ? 1 : 0);
    const property = fc.asyncProperty(arbitrary, (request) => check(crowd, lane, request, tally));
    return fc.assert(property, { seed: seed * laneCount + lane, numRuns });
  });
  const failed = (await Promise.allSettled(lanes)).flatMap((lane) => (lane.status === 'rejected' ? [lane.reason] : []));
  if (failed.length === 0) return;
  const said = failed.map((error: Error) => `${error.message}\n${error.cause ?? ''}`).join('\n\n');
  // At once: a long run tells the rest at its end.
  console.error(said);
  throw new Error(said);
}

async function check(crowd: Crowd, lane: number, asked: BadCase, tally: Tally): Promise<void> {
  const { request, answer } = await crowd.send(lane, asked);
  tally.sent += 1;
  tally.slowestMs = Math.max(tally.slowestMs, answer.waitedMs);
  if (answer.status === 429) tally.rateLimited += 1;
  else if (answer.status >= 400) tally.refused += 1;
  else if (answer.status >= 300) tally.redirected += 1;
  else tally.done += 1;
  const problem = problemOf(request, answer);
  if (problem) throw new Error(`as ${asked.as ?? 'visitor'}: ${describeRequest(request)} → ${problem}`);
  if (isSlow(answer) && (await isCostly(crowd, lane, asked)))
    throw new Error(
      `as ${asked.as ?? 'visitor'}: ${describeRequest(request)} → took ${Math.round(answer.waitedMs)} ms, and again`,
    );
}

const simple: BadCase = { target: '/rest/v1/Products?select=Id&limit=1' };

/** A machine that is busy with something else is slow with everything; a costly question also where the shop is quick. */
async function isCostly(crowd: Crowd, lane: number, asked: BadCase): Promise<boolean> {
  let timesSlow = 0;
  for (let tries = 0; tries < 10; tries += 1) {
    const before = await crowd.send(lane, simple);
    const again = await crowd.send(lane, asked);
    if (!isSlow(again.answer)) return false;
    const after = await crowd.send(lane, simple);
    const isQuick = Math.max(before.answer.waitedMs, after.answer.waitedMs) < longestMs / 10;
    if (isQuick) timesSlow += 1;
    if (timesSlow === 2) return true;
  }
  return false;
}

/** Too long, or so long that the database broke it off. A long file may take its time once it has begun to come. */
const isSlow = ({ waitedMs, body }: RawAnswer) => waitedMs > longestMs || body.includes('"57014"');

function problemOf({ method }: RawRequest, { status, headers, body }: RawAnswer): string | null {
  const said = `${status} ${body.slice(0, 300)}`;
  if (status === 0 || status >= 500) return said;
  if (status < 400 || method === 'HEAD' || method === 'OPTIONS') return null;
  const isPage = headers.get('content-type')?.startsWith('text/html') && !body.includes('server_error');
  return isPage || isJson(body) ? null : `no clear refusal: ${said}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
