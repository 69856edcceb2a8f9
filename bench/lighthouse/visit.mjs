// Visits an address as a phone on a slow network does and prints the scores, out of 100, and milliseconds of the first paint,
// the largest, and of tasks that would keep a finger waiting; then Lighthouse's index of the machine's speed, and the KiB of
// all scripts that were loaded without any input. Its packages are its own, and so is its process.
//
// The third argument is JSON: `session` and `cookies` that the browser has from an earlier visit, and `isPrivate` for pages
// that search engines are told to leave alone, which have no SEO score.
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { connect } from 'puppeteer-core';

const [url, chromePath, visitor = '{}'] = process.argv.slice(2);
const { session, cookies = {}, isPrivate } = JSON.parse(visitor);
const chrome = await launch({
  chromePath,
  chromeFlags: ['--headless', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
await rememberVisitor();
const onlyCategories = ['performance', 'accessibility', 'best-practices', ...(isPrivate ? [] : ['seo'])];
const { lhr } = await lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error', onlyCategories });
chrome.kill();
const scripts = lhr.audits['network-requests'].details.items.filter(({ resourceType }) => resourceType === 'Script');
const milliseconds = (audit) => Math.round(lhr.audits[audit].numericValue);
process.stdout.write(
  JSON.stringify({
    ...Object.fromEntries(onlyCategories.map((name) => [name, Math.round(lhr.categories[name].score * 100)])),
    firstPaint: milliseconds('first-contentful-paint'),
    largestPaint: milliseconds('largest-contentful-paint'),
    blocked: milliseconds('total-blocking-time'),
    machine: Math.round(lhr.environment.benchmarkIndex),
    scripts: Math.round(scripts.reduce((bytes, { transferSize }) => bytes + transferSize, 0) / 1024),
  }),
);

/** Stored from a page without scripts: nothing of the shop is in the browser's cache afterwards. */
async function rememberVisitor() {
  const browser = await connect({ browserURL: `http://127.0.0.1:${chrome.port}` });
  const page = await browser.newPage();
  await page.goto(new URL('/robots.txt', url).href);
  await page.evaluate(
    (session, cookies) => {
      if (session) localStorage.setItem('mithaas-session', session);
      // biome-ignore lint/suspicious/noDocumentCookie: the cart's cookies are the browser's own
      for (const [name, value] of Object.entries(cookies)) document.cookie = `${name}=${value}; path=/`;
    },
    session,
    cookies,
  );
  await page.close();
  await browser.disconnect();
}
