import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 in lower-case hex, as the provider writes its signatures. */
export type Signer = {
  sign(text: string): string;
  /** Compared in constant time. */
  isSigned(text: string, signature: string): boolean;
};

const encoder = new TextEncoder();

// Not WebCrypto: it moves these few microseconds of work to another thread and back.
export function createSigner(secret: string): Signer {
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  return {
    sign,
    isSigned: (text, signature) =>
      /^[0-9a-f]{64}$/.test(signature) && timingSafeEqual(encoder.encode(sign(text)), encoder.encode(signature)),
  };
}

/** What the browser's handler receives is signed over this. */
export function paymentText(orderId: string, paymentId: string): string {
  return `${orderId}|${paymentId}`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
