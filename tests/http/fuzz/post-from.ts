import { Agent, request } from 'node:http';
import type { Post } from '../../support/buyers.ts';

/** Posts from a loopback address, which limits per address treat as a client of its own. */
export function postFrom(localAddress: string, baseUrl: string): Post {
  const agent = new Agent({ keepAlive: true, localAddress });
  return function post(path, body, headers) {
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, baseUrl), { method: 'POST', headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      sent.setTimeout(45_000, () => sent.destroy(new Error(`no answer to ${path} within 45 s`)));
      // As browsers do: an idle connection that the shop closed in this very moment is no failure.
      sent.on('error', (error: NodeJS.ErrnoException) =>
        sent.reusedSocket && error.code === 'ECONNRESET' ? resolve(post(path, body, headers)) : reject(error),
      );
      sent.end(body);
    });
  };
}
