const encoder = new TextEncoder();

/** HMAC-SHA256 in lower-case hex, as the provider writes its signatures. */
export type Signer = {
  sign(text: string): Promise<string>;
  /** Compared in constant time. */
  isSigned(text: string, signature: string): Promise<boolean>;
};

export function createSigner(secret: string): Signer {
  const key = crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  return {
    async sign(text) {
      return hex(await crypto.subtle.sign('HMAC', await key, encoder.encode(text)));
    },
    async isSigned(text, signature) {
      if (!/^[0-9a-f]{64}$/.test(signature)) return false;
      return crypto.subtle.verify('HMAC', await key, bytesOf(signature), encoder.encode(text));
    },
  };
}

/** What the browser's handler receives is signed over this. */
export function paymentText(orderId: string, paymentId: string): string {
  return `${orderId}|${paymentId}`;
}

export async function sha256(text: string): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bytesOf(signature: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
