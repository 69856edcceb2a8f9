export type ClientNetwork = {
  name: string;
  /** On the public internet: neither this machine, nor a private network, nor a provider's own. */
  isPublic: boolean;
};

/**
 * The network whose addresses one client can choose freely, which rate limits and holds count as one: an IPv4 address
 * counts alone, of IPv6 the first 64 bits do. The same for every way to write an address, also with the port that some
 * proxies add. null: not an address.
 */
export function clientNetwork(address: string): ClientNetwork | null {
  const text = address.trim().toLowerCase();
  const four = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/.exec(text)?.[1];
  if (four) return four.split('.').every((byte) => Number(byte) < 256) ? ipv4Network(four) : null;
  const words = ipv6Words(text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, ''));
  if (!words) return null;
  const [first = 0, second = 0, third = 0, fourth = 0, fifth, sixth, seventh = 0, eighth = 0] = words;
  if (!first && !second && !third && !fourth && !fifth && sixth === 0xffff)
    return ipv4Network([seventh >> 8, seventh & 255, eighth >> 8, eighth & 255].join('.'));
  const name = [first, second, third, fourth].map((word) => word.toString(16)).join(':');
  // 2000::/3 is what the public internet uses.
  return { name: `${name}::/64`, isPublic: (first & 0xe000) === 0x2000 };
}

const notPublic =
  /^(0|10|127)\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const ipv4Network = (address: string): ClientNetwork => ({ name: address, isPublic: !notPublic.test(address) });

/** The URL parser decides what an IPv6 address is, and writes it in one way; only its :: is left to fill. */
function ipv6Words(text: string): number[] | null {
  const url = /^[0-9a-f:.]+$/.test(text) ? URL.parse(`http://[${text}]/`) : null;
  if (!url) return null;
  const [front = [], back = []] = url.hostname
    .slice(1, -1)
    .split('::')
    .map((half) =>
      half
        .split(':')
        .filter(Boolean)
        .map((word) => Number.parseInt(word, 16)),
    );
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}
