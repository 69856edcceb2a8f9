import { createHmac } from 'node:crypto';

/**
 * A keyed hash of where a request comes from: equal for equal networks, and no personal data without the key. null for an
 * address that is not on the public internet: that is a proxy nobody told us of (TRUST_PROXY), or this very machine, and
 * would be the same for everybody.
 */
export function addressHash(address: string | null, secret: string): string | null {
  const network = address === null ? null : publicNetwork(address.trim().toLowerCase());
  return network && createHmac('sha256', secret).update(`client address ${network}`).digest('base64url');
}

const notPublic =
  /^(0|10|127)\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;

/** An IPv4 address, or the first 64 bits of an IPv6 one: whoever has one of those has all 2^64 behind it. */
function publicNetwork(address: string): string | null {
  const four = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/.exec(address)?.[1];
  if (four) return notPublic.test(four) ? null : four;
  const halves = address.split('%', 1).join('').split('::');
  if (halves.length > 2 || !/^[0-9a-f:]+$/.test(address.split('%', 1).join(''))) return null;
  const [front = [], back = []] = halves.map((half) => half.split(':').filter(Boolean));
  const left = 8 - front.length - back.length;
  if (halves.length === 2 ? left < 1 : left !== 0) return null;
  const words = [...front, ...Array<string>(left).fill('0'), ...back].map((word) => Number.parseInt(word, 16));
  // 2000::/3 is what the public internet uses.
  return ((words[0] ?? 0) & 0xe000) === 0x2000
    ? words
        .slice(0, 4)
        .map((word) => word.toString(16))
        .join(':')
    : null;
}
