import { afterEach, expect, test, vi } from 'vitest';

afterEach(async () => {
  vi.unstubAllGlobals();
  (await import('zod')).z.config({ jitless: false });
});

/** Zod tries `new Function` when it builds its first schema; the pages' policy reports the attempt. */
async function attemptsToCompile(): Promise<number> {
  vi.resetModules();
  let attempts = 0;
  const compile = globalThis.Function;
  vi.stubGlobal(
    'Function',
    new Proxy(compile, {
      construct(target, args) {
        attempts += 1;
        return Reflect.construct(target, args);
      },
    }),
  );
  const { z } = await import('#contracts/z.ts');
  z.object({ a: z.string() }).parse({ a: '' });
  return attempts;
}

test('in a browser no parser is compiled, not even as a trial', async () => {
  vi.stubGlobal('document', {});
  expect(await attemptsToCompile()).toBe(0);
});

test('on the server parsers are compiled', async () => {
  expect(await attemptsToCompile()).toBeGreaterThan(0);
});
