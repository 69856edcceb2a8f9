// The difference between supabase/schemas and supabase/migrations: what a new migration must hold.
// npm run db:diff prints it; npm run db:diff <what_it_does> writes it to a new file.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../server/backends/schema/migrate.ts';
import { newEmptyDatabase, startTestServer } from '../tests/support/database.ts';
import { schemaRows } from '../tests/support/schema-rows.ts';
import { applySchemas } from './schema/apply-schemas.ts';
import { readCatalogue } from './schema/catalogue.ts';
import { migrationBetween } from './schema/diff.ts';
import { migrationText, newMigration } from './schema/new-migration.ts';
import { readSchemas, supabaseDir } from './schema/schema-files.ts';
import { schemaStatements } from './schema/statements.ts';
import { fail, print } from './terminal.ts';

process.exitCode = await writeOrPrint(process.argv[2]);

async function writeOrPrint(name: string | undefined): Promise<number> {
  const migrations = join(supabaseDir, 'migrations');
  const wanted = name === undefined ? null : newMigration(name, readdirSync(migrations));
  if (wanted && !wanted.ok) return fail(wanted.problem);
  const steps = await missingSteps();
  if (steps.length === 0) {
    print('-- The migrations make what the schemas state.');
  } else if (wanted && name) {
    writeFileSync(join(migrations, wanted.file), migrationText(name, steps));
    print(`supabase/migrations/${wanted.file} written: read it, then npm run types`);
    for (const step of steps.filter((one) => one.startsWith('--'))) print(`Left to decide in it:\n${step}`);
  } else {
    print(steps.join('\n\n'));
  }
  return 0;
}

async function missingSteps(): Promise<string[]> {
  const server = await startTestServer();
  try {
    const files = readSchemas();
    const [wanted, found] = [await newEmptyDatabase(server.path), await newEmptyDatabase(server.path)];
    await applySchemas(wanted.connection, files);
    await migrate(found.sql, supabaseDir);
    const catalogues = [await readCatalogue(wanted.sql), await readCatalogue(found.sql)] as const;
    const steps = migrationBetween(...catalogues, await schemaStatements(files));
    const [rows, made] = [await schemaRows(wanted.sql), await schemaRows(found.sql)];
    for (const table of new Set([...Object.keys(rows), ...Object.keys(made)]))
      if (rows[table]?.join('\n') !== made[table]?.join('\n'))
        steps.push(
          `-- ${table}: the schemas bring other rows than the migrations. Write the insert, update or delete.`,
        );
    await Promise.all([wanted.drop(), found.drop()]);
    return steps;
  } finally {
    await server.stop();
  }
}
