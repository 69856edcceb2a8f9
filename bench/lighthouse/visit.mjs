// Visits an address as a phone on a slow network does and prints the scores, out of 100, and milliseconds of the first paint,
// the largest, and of tasks that would keep a finger waiting; then Lighthouse's index of the machine's speed, and the KiB of
// all scripts that came while nobody touched anything. Its packages are its own, and so is its process.
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const [url, chromePath] = process.argv.slice(2);
const chrome = await launch({
  chromePath,
  chromeFlags: ['--headless', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
const onlyCategories = ['performance', 'accessibility', 'best-practices', 'seo'];
const { lhr } = await lighthouse(url, { port: chrome.port, output: 'json', logLevel: 'error', onlyCategories });
chrome.kill();
const scripts = lhr.audits['network-requests'].details.items.filter(({ resourceType }) => resourceType === 'Script');
const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'];
process.stdout.write(
  JSON.stringify([
    ...onlyCategories.map((name) => Math.round(lhr.categories[name].score * 100)),
    ...times.map((name) => Math.round(lhr.audits[name].numericValue)),
    Math.round(lhr.environment.benchmarkIndex),
    Math.round(scripts.reduce((bytes, { transferSize }) => bytes + transferSize, 0) / 1024),
  ]),
);
