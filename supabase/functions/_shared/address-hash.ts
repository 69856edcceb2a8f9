import { createHmac } from 'node:crypto';
import { clientNetwork } from '../../../domain/client-network.ts';

/**
 * A keyed hash of where a request comes from: equal for equal networks, and no personal data without the key. null for an
 * address that is not on the public internet: that is an undeclared proxy (TRUST_PROXY) or this machine, and
 * would be the same for everybody.
 */
export function addressHash(address: string | null, secret: string): string | null {
  const network = address === null ? null : clientNetwork(address);
  if (!network?.isPublic) return null;
  return createHmac('sha256', secret).update(`client address ${network.name}`).digest('base64url');
}
