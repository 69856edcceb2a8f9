import { type ComponentType, lazy, memo, Suspense } from 'react';
import { keptBy } from './kept-markup.ts';

// By how it is loaded: in development a part that is read again takes the place of what could not be read.
const readOnServer = new Map<string, Promise<unknown>>();

/** The server renders nothing before all later parts are there. */
export function laterPartsAreRead(): Promise<unknown> {
  return Promise.all(readOnServer.values());
}

/**
 * A part that nobody sees without scrolling. The server renders it with the page; the browser leaves that markup alone
 * and takes it over when the code has come, a moment after what is seen first. Its styles must come with the page.
 *
 * With a name the server keeps its markup for the same props (`KeptMarkup`).
 */
export function later<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  keptAs?: string,
): ComponentType<Props> {
  // The page goes on without a part whose code cannot be had.
  let Part: ComponentType<Props> = lazy(() => load().catch(() => ({ default: () => null })));
  if (import.meta.env.SSR) {
    const read = load().then(({ default: Read }) => (Part = keptAs ? keptBy(keptAs, Read) : Read));
    readOnServer.set(load.toString(), read);
    read.catch(() => {}); // told to whoever asks for a page
  }
  // Markup that is not taken over yet would be dropped for new props; the same ones do not get that far.
  return memo((props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  ));
}
