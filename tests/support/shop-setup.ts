import type { TestProject } from 'vitest/node';
import { type Shape, startShape } from './shapes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    shopShape: Shape;
    shopUrl: string;
    backendUrl: string;
    shopDataDir: string;
  }
}

/** Gives access to the metrics of that shop. */
export const metricsToken = 'token-of-the-http-tests';

/** One demo shop for all HTTP tests of a run, in the shape the project is named by; each test brings people and rows of its own. */
export default async function setup(project: TestProject) {
  const shape = (/^http-(.*)$/.exec(project.name)?.[1] ?? 'embedded') as Shape;
  const shop = await startShape(shape, { METRICS_TOKEN: metricsToken });
  project.provide('shopShape', shape);
  project.provide('shopUrl', shop.shopUrl);
  project.provide('backendUrl', shop.backendUrl);
  project.provide('shopDataDir', shop.dataDir);
  return shop.stop;
}
