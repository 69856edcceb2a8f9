import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { demoAccounts } from './demo-accounts.ts';

const css = `
:root { color-scheme: light dark; --paper: #fbf5ea; --card: #fffdf8; --ink: #33201a; --soft: #6f5a4e; --line: #e3d3bd; --accent: #a81f5c; }
@media (prefers-color-scheme: dark) { :root { --paper: #1d1512; --card: #281d19; --ink: #f6eadb; --soft: #c3ad9c; --line: #46352d; --accent: #f07cab; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 24px 16px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { width: min(100%, 420px); background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 32px 24px; }
h1 { margin: 0 0 4px; font: 600 28px/1.2 Georgia, serif; }
p { margin: 0 0 24px; color: var(--soft); }
form { display: grid; gap: 12px; }
button { font: inherit; min-height: 52px; padding: 8px 16px; border-radius: 12px; border: 1px solid var(--line); background: none; color: inherit;
  text-align: left; cursor: pointer; display: flex; justify-content: space-between; align-items: center; gap: 12px; }
button:hover { border-color: var(--accent); }
button small { color: var(--soft); }
.go { background: var(--accent); border-color: var(--accent); color: var(--card); justify-content: center; font-weight: 600; }
hr { border: 0; border-top: 1px solid var(--line); margin: 24px 0; }
label { display: grid; gap: 4px; font-size: 14px; color: var(--soft); }
input { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 10px 12px; min-height: 48px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { color: var(--accent); margin: 0 0 12px; font-weight: 600; }
`;
const styleHash = createHash('sha256').update(css).digest('base64');

export type SignInPage = {
  status: number;
  callback: string;
  state: string;
  error: string | undefined;
};

export function signInPage({ status, callback, state, error }: SignInPage): Response {
  const hidden = html`<input type="hidden" name="redirect_uri" value="${callback}"><input type="hidden" name="state" value="${state}">`;
  const body = html`<!doctype html>
<html lang="en-IN">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>Demo sign-in</title>
  <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  <style>${raw(css)}</style>
</head>
<body>
  <main>
    <h1>Demo sign-in</h1>
    <p>Choose a made-up account to try the shop. In a live shop, people log in with Google.</p>
    <form method="post">
      ${hidden}
      ${demoAccounts.map(
        (account) =>
          html`<button name="account" value="${account.id}"><span>Continue as ${account.name}</span><small>${account.role}</small></button>`,
      )}
    </form>
    <hr>
    <form method="post">
      ${hidden}
      ${error ? html`<p role="alert">${error}</p>` : ''}
      <label>Name <input name="name" autocomplete="name" required maxlength="80"></label>
      <label>Email <input name="email" type="email" autocomplete="email" required maxlength="200"></label>
      <button class="go">Continue as someone else</button>
    </form>
  </main>
</body>
</html>`;
  return new Response(String(body), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // No form-action: Chromium holds it against the redirects back to the shop too, and it cannot name [::1].
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}
