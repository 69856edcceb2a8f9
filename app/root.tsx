import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import type { Route } from './+types/root.ts';
import { RequestNote } from './ui/request-note.tsx';

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-IN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#fbf5ea" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#1d1512" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const words = missing ? 'This page is not here' : 'Something went wrong. Please try again.';
  return (
    <main className="lonely-page">
      <title>{words}</title>
      <h1>{words}</h1>
      <p>
        <a href="/">Back to the shop</a>
      </p>
      {!missing && <RequestNote />}
    </main>
  );
}
