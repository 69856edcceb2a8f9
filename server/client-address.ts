const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address that rate limits count: what the last trusted proxy saw, or the socket's own. */
export function clientAddress(headers: Headers, socketAddress: string | undefined, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded || socketAddress || 'unknown';
}

/** True for a browser on this very machine: a local name in the address bar, a local socket, and nothing in between. */
export function isFromThisMachine(request: Request, socketAddress: string | undefined): boolean {
  if (!/^(127\.|::1$|::ffff:127\.)/.test(socketAddress ?? '')) return false;
  const host = request.headers.get('host') ?? '';
  const name = /^(\[[^\]]*\]|[^:[\]]*)(:\d+)?$/.exec(host)?.[1];
  return (
    loopbackNames.has((name ?? '').toLowerCase()) && forwardingHeaders.every((header) => !request.headers.has(header))
  );
}
