import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { securityHeaderLines } from '../host/security-headers.ts';

export type UpgradeCheck = { ok: true } | { ok: false; status: number; code: string; message: string };

const path = '/realtime/v1/websocket';
const protocolVersion = '2.0.0';

/** Checks address, origin, key and version. Browsers send the page's origin, which must be ours; other programs send none. */
export function checkUpgrade(
  request: IncomingMessage,
  rules: { isApiKey(key: string): boolean; allowedOrigins(): string[] },
): UpgradeCheck {
  const target = request.url ?? '';
  const url = URL.canParse(target, 'http://localhost') ? new URL(target, 'http://localhost') : null;
  if (url?.pathname !== path) return refused(404, 'not-found', 'there is no websocket here');
  const { origin } = request.headers;
  if (origin !== undefined && !rules.allowedOrigins().includes(origin)) {
    return refused(403, 'origin-not-allowed', 'pages of this origin may not connect');
  }
  const key = url.searchParams.get('apikey');
  if (!key || !rules.isApiKey(key)) return refused(401, 'invalid-api-key', 'the apikey is missing or wrong');
  if ((url.searchParams.get('vsn') ?? protocolVersion) !== protocolVersion) {
    return refused(400, 'unsupported-version', `only protocol version ${protocolVersion} is spoken here`);
  }
  return { ok: true };
}

export function refused(status: number, code: string, message: string): UpgradeCheck & { ok: false } {
  return { ok: false, status, code, message };
}

export function refuseUpgrade(socket: Duplex, { status, code, message }: UpgradeCheck & { ok: false }): void {
  const body = JSON.stringify({ error: { code, message } });
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Connection: close',
      ...securityHeaderLines(),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
