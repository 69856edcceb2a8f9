import type { TestProject } from 'vitest/node';
import { makeDemoTemplate, startTestServer } from './database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresPath: string;
  }
}

/** One PostgreSQL with migrated templates for all SQL tests of a run. */
export default async function setup(project: TestProject) {
  const server = await startTestServer();
  await makeDemoTemplate(server.path);
  project.provide('postgresPath', server.path);
  return server.stop;
}
