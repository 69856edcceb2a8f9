import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSource } from './security-headers.ts';

/** The built stylesheets by their address, and the source by which the policy of a page allows the text. */
export type Stylesheets = ReadonlyMap<string, { text: string; source: string }>;

export function readStylesheets(clientDir: string): Stylesheets {
  return new Map(
    globSync('assets/*.css', { cwd: clientDir }).map((file) => {
      const text = readFileSync(join(clientDir, file), 'utf8').trim();
      if (/<\/style/i.test(text)) throw new Error(`${file} cannot stand in a page`);
      return [`/${file}`, { text, source: hashSource(text) }];
    }),
  );
}

const modules = '<script type="module" async="">';

/**
 * Whoever opens the page in the background sees no paint and need not wait for one, nor a browser that tells of none. What
 * the first modules share runs before them, one by one, so that a finger is answered in between.
 *
 * Buttons of the served page that are pressed before React has taken them over (its own mark on an element tells) are
 * pressed again when it has, each once and in their order. React never sees the first press: it drops what it cannot handle
 * yet, and what it can would be done twice. The wait after each lets React draw what it changed.
 *
 * A full page load shows the pending bar (app/ui/pending-bar.tsx) from the tap on, and so do presses that wait. A page that
 * the browser prerenders starts its modules when it is shown: until then it is a picture, and does nothing.
 *
 * The last line has the page laid out here, apart from the frame that paints it: one task less that keeps a finger waiting.
 */
const startAfterPaint = `(() => {
  const served = new WeakSet(document.querySelectorAll('button[type=button]'));
  const isTaken = (button) => Object.keys(button).some((key) => key.startsWith('__reactProps'));
  const { dataset } = document.documentElement;
  const show = () => { dataset.pending = ''; };
  const hide = () => { delete dataset.pending; };
  let pressed = [];
  let frame;
  const pressAgain = async () => {
    cancelAnimationFrame(frame);
    const waiting = pressed;
    pressed = [];
    for (const button of waiting) {
      if (isTaken(button)) await button.click();
      else if (button.isConnected) pressed.push(button);
    }
    if (pressed.length) {
      frame = requestAnimationFrame(pressAgain);
      show();
    } else hide();
  };
  addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (served.has(button) && !isTaken(button)) {
      event.stopImmediatePropagation();
      pressed.push(button);
    }
    if (event.isTrusted && pressed.length) pressAgain();
  }, true);
  addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    const isLeft = link && !event.defaultPrevented && link.origin === location.origin && !link.target && !link.download;
    const isOther = isLeft && link.href.split('#')[0] !== location.href.split('#')[0];
    if (isOther && !event.button && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) show();
  });
  addEventListener('pageshow', () => hide());
  const start = async () => {
    const links = document.querySelectorAll('link[rel=after-paint]');
    for (const link of links) link.rel = 'modulepreload';
    const script = document.createElement('script');
    script.type = 'module';
    script.textContent = document.querySelector('script[type=after-paint]').textContent;
    for (const link of links) {
      if (script.textContent.includes(link.getAttribute('href'))) continue;
      await import(link.href).catch(() => {});
      await new Promise((goOn) => setTimeout(goOn));
    }
    document.head.append(script);
  };
  if (document.prerendering) return addEventListener('prerenderingchange', start, { once: true });
  if (document.hidden || !PerformanceObserver.supportedEntryTypes?.includes('paint')) return start();
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    start();
  }).observe({ type: 'paint', buffered: true });
  document.body.offsetHeight;
})()`;
const startSource = hashSource(startAfterPaint);

export type PaintedFirst = { html: string; scriptSources: string[]; styleSources: string[] };

/**
 * The page made for the first paint: its styles stand in it, so that nothing has to be fetched before, and its modules
 * are fetched after, so that they do not take the network from the pictures and letters that are seen.
 *
 * The links to the stylesheets stay, switched off: React takes them over, and whoever loads a part later (React Router by
 * the address with `#`, Vite by the one without) finds that its styles are here already.
 */
export function paintFirst(html: string, stylesheets: Stylesheets): PaintedFirst {
  const styleSources: string[] = [];
  const end = html.indexOf('</head>');
  const head = html
    .slice(0, end)
    .replace(/<link rel="stylesheet" href="([^"#]+)(#?)"\/>/g, (link, address: string, hash: string) => {
      const stylesheet = stylesheets.get(address);
      if (!stylesheet) return link;
      styleSources.push(stylesheet.source);
      const off = (href: string) => `<link rel="stylesheet" href="${href}" disabled=""/>`;
      return `<style>${stylesheet.text}</style>${off(address)}${hash && off(address + hash)}`;
    })
    .replaceAll('<link rel="modulepreload" ', '<link rel="after-paint" ');
  const begin = html.lastIndexOf(modules);
  if (begin < end) return { html: head + html.slice(end), scriptSources: [], styleSources };
  const after = html.indexOf('</script>', begin) + '</script>'.length;
  const waiting = `<script type="after-paint">${html.slice(begin + modules.length, after)}`;
  const body = `${html.slice(end, begin)}${waiting}<script>${startAfterPaint}</script>${html.slice(after)}`;
  return { html: head + body, scriptSources: [startSource], styleSources };
}
