import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** The smallest encoding that a browser accepts, from its `Accept-Encoding`. */
export function encodingFor(accepted = ''): Encoding {
  if (acceptsBrotli.test(accepted)) return 'br';
  return acceptsGzip.test(accepted) ? 'gzip' : 'identity';
}

const acceptsBrotli = acceptPattern('br');
const acceptsGzip = acceptPattern('gzip');

/** The name as a whole item of the list, unless its weight is zero. */
function acceptPattern(name: string): RegExp {
  return new RegExp(`(^|,)\\s*${name}\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, 'i');
}

/** A page that is cached is compressed well, though not as small as can be: the first visitor waits for it. */
export async function compressed(bytes: Buffer, encoding: Encoding, use: 'cached' | 'once'): Promise<Buffer> {
  if (encoding === 'identity') return bytes;
  const quality = use === 'cached' ? 6 : 2;
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: quality });
  // A window as wide as a page is long: the usual one of 4 MB costs more than the compression.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: 18,
  };
  return promisify(brotliCompress)(bytes, { params });
}
