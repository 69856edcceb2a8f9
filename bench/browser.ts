import { type Browser, chromium } from '@playwright/test';
import { chromiumPath } from '../scripts/find-chromium.mjs';
import { signInAs } from '../tests/support/visitor.ts';

/** The system's Chromium, headless. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
}

/** What the browser of a customer who logged in before has in its storage, under `mithaas-session`. */
export async function storedSession(shopUrl: string, account: 'Priya Sharma' | 'Asha Rao'): Promise<string> {
  const { data } = await (await signInAs(shopUrl, { account })).auth.getSession();
  return JSON.stringify(data.session);
}
