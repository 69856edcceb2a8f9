import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import { type ReactNode, useContext } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import type { Route } from './+types/root.ts';
import { markStoredSession } from './backend/stored-session.ts';
import { speculationRules } from './speculation-rules.ts';
import { useHydrated } from './ui/after-hydration.ts';
import { DocumentContext } from './ui/document.ts';
import { LonelyPage } from './ui/lonely-page.tsx';
import { markPageLoad } from './ui/mark-page-load.ts';
import { PendingBar } from './ui/pending-bar.tsx';
import { RequestNote } from './ui/request-note.tsx';

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-IN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fbf5ea" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1d1512" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <InlineScript text={markStoredSession} />
        <InlineScript text={markPageLoad} />
        <Meta />
        <Stylesheets />
        {import.meta.env.SSR && <ModulesLater />}
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
        <InlineScript type="speculationrules" text={speculationRules} />
      </body>
    </html>
  );
}

/**
 * The page carries its stylesheets, so that it is painted with the first response. As files they come after hydration, for
 * the pages that are reached from it.
 */
function Stylesheets() {
  const { nonce, styles = '' } = useContext(DocumentContext);
  const hydrated = useHydrated();
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: files of the build; the browser leaves what the server sent */}
      <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: styles }} />
      {(hydrated || import.meta.env.DEV) && <Links />}
    </>
  );
}

/** React Router preloads the same files without a priority; the first of two hints counts. */
function ModulesLater() {
  const { modules = [] } = useContext(DocumentContext);
  return modules.map((href) => <link key={href} rel="modulepreload" href={href} fetchPriority="low" />);
}

/** A constant of ours; the nonce lets the host allow it by its hash. */
function InlineScript({ text, type }: { text: string; type?: string }) {
  const { nonce } = useContext(DocumentContext);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
  return <script nonce={nonce} type={type} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: text }} />;
}

export default function App() {
  return (
    <>
      <PendingBar />
      <Outlet />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const title = missing ? 'We can’t find that page' : 'Something went wrong. Please try again.';
  return (
    <>
      <title>{title}</title>
      <LonelyPage title={title}>{!missing && <RequestNote />}</LonelyPage>
    </>
  );
}
