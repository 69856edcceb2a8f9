import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeDataDir, startShop } from '../support/shop.ts';

const root = join(import.meta.dirname, '../..');

test('with hot reload the shop shows its sweets from the sources and does not serve its keys', {
  timeout: 180_000,
}, async () => {
  // Inside the project, as the default is: that is what Vite could give away.
  const dataDir = join(root, `.data/dev-test-${process.pid}`);
  const shop = await startShop({ dataDir, args: ['--dev'] });
  try {
    expect(await (await fetch(shop.url)).text()).toContain('Besan Laddu');
    expect((await fetch(`${shop.url}/app/root.tsx`)).status).toBe(200);
    const folder = dataDir.slice(root.length);
    for (const path of [
      `${folder}/keys.json`,
      `/@fs${dataDir}/keys.json`,
      `${folder}/keys.json?raw`,
      `${folder}/keys.json?import&raw`,
    ]) {
      const response = await fetch(shop.url + path);
      expect(await response.text(), path).not.toContain('sb_secret_');
    }
  } finally {
    expect(await shop.stop()).toBe(0);
    await removeDataDir(dataDir);
  }
});
