import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFile } from './check-imports.ts';

const root = join(import.meta.dirname, '..');
const allows = (file: string, specifier: string) => checkFile(file, `import { a } from '${specifier}';`).length === 0;

describe('domain', () => {
  test('imports itself and packages only', () => {
    expect(allows('domain/cart/price-cart.ts', '../money.ts')).toBe(true);
    expect(allows('domain/cart/price-cart.ts', 'zod')).toBe(true);
    for (const target of [
      '#app/ui/button.tsx',
      '../../app/root.tsx',
      '../../server/host/log.ts',
      '../../adapters/mail/smtp.ts',
      '../../supabase/functions/_shared/problem.ts',
    ]) {
      expect(allows('domain/cart/price-cart.ts', target), target).toBe(false);
    }
  });
});

describe('contracts', () => {
  test('are values for the console and for loaders, and types for the rest of the storefront', () => {
    expect(allows('app/features/console/orders/orders-page.tsx', '#contracts/console/orders.ts')).toBe(true);
    expect(allows('app/features/catalog/catalog.server.ts', '#contracts/catalogue.ts')).toBe(true);
    expect(allows('app/features/account/order-data.ts', '#contracts/orders.ts')).toBe(false);
    expect(checkFile('app/features/account/a.ts', `import type { a } from '#contracts/orders.ts';`)).toEqual([]);
  });

  test('and the console get z from one place, which sets it up', () => {
    expect(allows('app/features/console/form/inputs.ts', 'zod')).toBe(false);
    expect(allows('supabase/contracts/orders.ts', 'zod')).toBe(false);
    expect(allows('supabase/contracts/z.ts', 'zod')).toBe(true);
  });

  test('import domain, and no way that Deno does not find', () => {
    expect(allows('supabase/contracts/console/orders.ts', '../../../domain/orders/status.ts')).toBe(true);
    expect(allows('supabase/contracts/console/orders.ts', '#domain/orders/status.ts')).toBe(false);
    expect(allows('supabase/contracts/orders.ts', '../functions/_shared/problem.ts')).toBe(false);
  });
});

describe('features', () => {
  test('never import each other', () => {
    expect(allows('app/features/cart/cart.tsx', '../catalog/product-card.tsx')).toBe(false);
    expect(allows('app/features/cart/cart.tsx', '#app/features/catalog/product-card.tsx')).toBe(false);
    expect(allows('app/features/cart/parts/line.tsx', '../../catalog/product-card.tsx')).toBe(false);
  });

  test('import their own parts, ui and domain', () => {
    for (const target of [
      './badge.tsx',
      './parts/line.tsx',
      '#app/features/cart/badge.tsx',
      '#app/ui/button.tsx',
      '#domain/money.ts',
      '../../ui/button.tsx',
    ]) {
      expect(allows('app/features/cart/cart.tsx', target), target).toBe(true);
    }
  });

  test('import neither routes nor the server nor functions', () => {
    for (const target of [
      '#app/routes/storefront/home.tsx',
      '../../../server/host/log.ts',
      '../../../supabase/functions/_shared/problem.ts',
      '../../../adapters/mail/smtp.ts',
    ]) {
      expect(allows('app/features/cart/cart.tsx', target), target).toBe(false);
    }
  });
});

describe('the other directions', () => {
  test.each([
    ['app/routes/storefront/home.tsx', '#app/features/catalog/product-grid.tsx', true],
    ['app/routes/storefront/home.tsx', '../../../server/host/log.ts', false],
    ['app/ui/button.tsx', './tokens.ts', true],
    ['app/ui/button.tsx', '#domain/money.ts', false],
    ['app/ui/button.tsx', '#app/features/cart/cart.tsx', false],
    ['adapters/mail/smtp.ts', '../../domain/money.ts', true],
    ['adapters/mail/smtp.ts', '../../server/host/log.ts', false],
    ['server/host.ts', '../supabase/functions/notify/handler.ts', true],
    ['server/host.ts', '../tests/support/shop.ts', false],
    ['app/routes/storefront/home.tsx', '../../../tests/support/shop.ts', false],
  ])('%s importing %s: %s', (file, target, allowed) => {
    expect(allows(file, target)).toBe(allowed);
  });

  test('everybody may use the generated types', () => {
    for (const file of ['app/features/cart/cart.tsx', 'server/host.ts'])
      expect(allows(file, '#database-types')).toBe(true);
    expect(allows('supabase/functions/_shared/context.ts', '../../database.types.ts')).toBe(true);
  });

  test('a test may use the test ground', () => {
    expect(allows('server/realtime/realtime.test.ts', '../../tests/support/database.ts')).toBe(true);
    expect(allows('server/realtime/realtime.ts', '../../tests/support/database.ts')).toBe(false);
  });
});

describe('functions', () => {
  test('use relative imports, so that Deno finds them', () => {
    expect(allows('supabase/functions/notify/handler.ts', '../../../domain/money.ts')).toBe(true);
    expect(allows('supabase/functions/notify/handler.ts', '../_shared/problem.ts')).toBe(true);
    for (const file of ['supabase/functions/notify/handler.ts', 'adapters/payments/razorpay.ts']) {
      for (const alias of ['#domain/money.ts', '#app/root.tsx', '#database-types']) {
        expect(allows(file, alias), alias).toBe(false);
      }
      expect(allows(file, 'node:fs')).toBe(false);
      expect(allows(file, 'node:crypto')).toBe(true);
      expect(allows(file, 'zod')).toBe(true);
    }
    expect(allows('adapters/payments/razorpay.test.ts', 'node:http')).toBe(true);
  });

  test('reach adapters, which reach the domain, and never the other way', () => {
    expect(allows('supabase/functions/createOrder/handler.ts', '../../../adapters/payments/provider.ts')).toBe(true);
    expect(allows('adapters/payments/razorpay.ts', '../../domain/money.ts')).toBe(true);
    expect(allows('adapters/payments/razorpay.ts', '../../supabase/functions/_shared/problem.ts')).toBe(false);
    expect(allows('app/features/cart/actions.ts', '../../../adapters/payments/provider.ts')).toBe(false);
  });

  test('reach neither the app nor the server', () => {
    expect(allows('supabase/functions/notify/handler.ts', '../../../server/host/log.ts')).toBe(false);
    expect(allows('supabase/functions/notify/handler.ts', '../../../app/root.tsx')).toBe(false);
  });
});

// OTHER stands for the path, so that this file itself does not seem to import it.
test.each([
  `import 'OTHER';`,
  `import x from "OTHER";`,
  `import type { A } from 'OTHER';`,
  `import {\n  a,\n  b,\n} from 'OTHER';`,
  `import * as a from 'OTHER';`,
  `export { a } from 'OTHER';`,
  `export * from 'OTHER';`,
  `export type { A } from 'OTHER';`,
  `const a = await import('OTHER');`,
  `const a = lazy(() => import(\n  'OTHER'\n));`,
  `import a, { b } from 'OTHER'; import c from 'own';`,
  'const a = await import(`OTHER`);',
])('no way of writing an import slips through: %s', (source) => {
  expect(checkFile('app/features/cart/cart.tsx', source.replace('OTHER', '../catalog/a.ts'))).toHaveLength(1);
});

test('says which file, which import and why', () => {
  const [violation] = checkFile('app/features/cart/cart.tsx', `import 'OTHER';`.replace('OTHER', '../catalog/a.ts'));
  expect(violation).toMatchObject({ file: 'app/features/cart/cart.tsx', specifier: '../catalog/a.ts' });
  expect(violation?.reason).toContain('app/features/ may import');
});

test('the whole project keeps the directions', () => {
  const files = globSync('{domain,adapters,supabase,app,server,scripts,tests,artwork}/**/*.{ts,tsx,mjs}', {
    cwd: root,
  });
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
