// Loaded before the shop: what the Dockerfile takes away is not there for it either.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const [, list = ''] = /cd node_modules && rm -rf ((?:[^\n]*\\\n)*[^\n]*)\n/.exec(dockerfile) ?? [];
const removed = list.match(/[\w@./*-]+/g) ?? [];
if (!removed.includes('vite')) throw new Error('the Dockerfile has no list of what it removes');

const isRemoved = (specifier) =>
  removed.some((name) =>
    name.endsWith('*')
      ? specifier.startsWith(name.slice(0, -1))
      : specifier === name || specifier.startsWith(`${name}/`),
  );

registerHooks({
  resolve(specifier, context, next) {
    if (isRemoved(specifier))
      throw Object.assign(new Error(`${specifier} is not in the image`), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  },
});
