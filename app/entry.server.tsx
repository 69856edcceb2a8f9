import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { type EntryContext, type RouterContextProvider, ServerRouter, StaticRouter } from 'react-router';
import { shopContext } from './shop-context.ts';
import { KeptMarkup } from './ui/kept-markup.ts';
import { laterPartsAreRead } from './ui/later.tsx';
import { nameRequest } from './ui/request-note.tsx';
import { ScriptMark } from './ui/script-mark.ts';

export { nameRequest, shopContext };

/**
 * Renders the whole page to a string, which is faster than streaming, and hands it to the host, which hashes our inline
 * scripts.
 * The loaders' data, which React Router would stream, is appended at the end; so loaders return no promises.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  host: RouterContextProvider,
): Promise<Response> {
  await laterPartsAreRead();
  const { serverHandoffStream, ...rest } = context;
  const mark = crypto.randomUUID();
  const kept: Buffer[] = [];
  let failure: unknown = new Error('a part of the page could not be rendered');
  const keep = (key: string, part: ReactElement) => {
    try {
      return `${mark}-${kept.push(markupOf(key, part)) - 1};`;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const html = renderToString(
    <ScriptMark value={mark}>
      <KeptMarkup value={keep}>
        <ServerRouter context={rest as EntryContext} url={request.url} nonce={mark} />
      </KeptMarkup>
    </ScriptMark>,
  );
  // React would leave the part out and have the browser try again; half a page is none.
  if (html.includes('<!--$!-->')) throw failure;
  const data = serverHandoffStream ? await textOf(serverHandoffStream as ReadableStream<Uint8Array>) : '';
  const script = (text: string) =>
    `<script nonce="${mark}">window.__reactRouterContext.streamController.${text};</script>`;
  const scripts = script(`enqueue(${scriptSafe(data)})`) + script('close()');
  headers.set('content-type', 'text/html; charset=utf-8');
  const end = html.lastIndexOf('</body>');
  const whole = `<!DOCTYPE html>${html.slice(0, end)}${scripts}${html.slice(end)}`;
  host.get(shopContext).deliver({ html: whole, mark, kept });
  return new Response(null, { status, headers });
}

const mostBytes = 8 * 1024 * 1024;
let keptBytes = 0;
// The oldest first: what is used moves to the end.
const keptMarkup = new Map<string, Buffer>();

/** About 2 KB for each card of a product as it is; what was not shown for the longest goes. */
function markupOf(key: string, part: ReactElement): Buffer {
  // Links ask the router around them for nothing but where the shop begins.
  const render = () => Buffer.from(renderToString(<StaticRouter location="/">{part}</StaticRouter>));
  if (import.meta.env.DEV) return render();
  const known = keptMarkup.get(key);
  const markup = known ?? render();
  if (known) keptMarkup.delete(key);
  else keptBytes += key.length + markup.length;
  keptMarkup.set(key, markup);
  for (const [oldest, { length }] of keptMarkup) {
    if (keptBytes <= mostBytes) break;
    keptMarkup.delete(oldest);
    keptBytes -= oldest.length + length;
  }
  return markup;
}

/** As `new Response(stream).text()`, in a third of the time. */
async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Into the host's own log, without what people typed into the address. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted) return;
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  context.get(shopContext).log({
    level: 'error',
    event: 'page-failed',
    path: new URL(request.url).pathname,
    error: { name, message, ...(stack ? { stack } : {}) },
  });
}

/** A JSON string that cannot end the script it stands in, nor be read as another line. */
function scriptSafe(text: string): string {
  const escapes: Record<string, string> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  };
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? '');
}
