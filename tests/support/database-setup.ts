import type { TestProject } from 'vitest/node';
import { startTestServer } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPath: string;
  }
}

/** One PostgreSQL with a migrated template for all SQL tests of a run. */
export default async function setup(project: TestProject) {
  const server = await startTestServer();
  project.provide('postgresPath', server.path);
  return server.stop;
}
