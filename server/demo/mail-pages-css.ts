/** The shop's paper and ink (app/ui/tokens.css), for pages that stand outside its build. */
export const mailPagesCss = `
:root { color-scheme: light dark; --paper: #fbf5ea; --card: #fffdf8; --ink: #33201a; --soft: #6f5a4e; --line: #e6d8c4; --accent: #a81f5c; --saffron: #e8892b; }
@media (prefers-color-scheme: dark) { :root { --paper: #1d1512; --card: #2b1f1a; --ink: #f6eadb; --soft: #c3ad9c; --line: #443229; --accent: #f07cab; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 32px clamp(16px, 4vw, 48px) 64px; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 1200px; margin: 0 auto; }
h1 { margin: 0 0 16px; font: 400 clamp(28px, 4vw, 40px)/1.2 Georgia, serif; }
h2 { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; margin: 0 0 12px; font: 400 20px/1.3 Georgia, serif; }
h2 a { font: 14px/1.5 system-ui, sans-serif; }
a { color: inherit; text-underline-offset: 3px; }
a:hover { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.notice { margin: 0 0 28px; padding: 12px 16px; border-left: 4px solid var(--saffron); background: var(--card); color: var(--soft); }
.notice strong { color: var(--ink); }
.back { margin: 0 0 20px; }
.empty { color: var(--soft); }
section { margin: 0 0 32px; }
.messages { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 320px), 1fr)); gap: 12px; margin: 0; padding: 0; list-style: none; }
.messages li { display: flex; flex-direction: column; gap: 2px; padding: 14px 20px; background: var(--card); border: 1px solid var(--line); border-radius: 18px; }
.messages p { flex: 1; margin: 0 0 6px; }
.messages span { color: var(--soft); font-size: 14px; }
.mails { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 18px; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; gap: 2px; padding: 14px 20px; text-decoration: none; }
.mails a:hover strong { text-decoration: underline; }
.mails :focus-visible { outline-offset: -3px; }
.mails span, time, dt { color: var(--soft); font-size: 14px; }
dd time { color: inherit; font-size: inherit; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 20px; margin: 0 0 32px; }
dt { line-height: 24px; }
dd { margin: 0; min-width: 0; }
.parts { display: grid; gap: 32px; }
.parts section { min-width: 0; }
iframe, pre { width: 100%; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 18px; }
iframe { display: block; height: min(1100px, 85vh); }
pre { padding: 20px; font: 14px/1.6 ui-monospace, monospace; white-space: pre-wrap; }
@media (min-width: 768px) { .mails a { grid-template-columns: 1fr minmax(0, 1fr) max-content; align-items: baseline; gap: 20px; } }
@media (min-width: 1100px) { .parts { grid-template-columns: minmax(0, 680px) minmax(0, 1fr); } iframe { height: 1100px; } }
`;
