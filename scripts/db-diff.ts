// Prints what a new migration must hold: the difference between supabase/schemas and supabase/migrations. npm run db:diff
import { migrate } from '../server/backends/schema/migrate.ts';
import { newEmptyDatabase, startTestServer } from '../tests/support/database.ts';
import { schemaRows } from '../tests/support/schema-rows.ts';
import { applySchemas } from './schema/apply-schemas.ts';
import { readCatalogue } from './schema/catalogue.ts';
import { migrationBetween } from './schema/diff.ts';
import { readSchemas, supabaseDir } from './schema/schema-files.ts';
import { schemaStatements } from './schema/statements.ts';
import { print } from './terminal.ts';

const server = await startTestServer();
try {
  const files = readSchemas();
  const [wanted, found] = [await newEmptyDatabase(server.path), await newEmptyDatabase(server.path)];
  await applySchemas(wanted.connection, files);
  await migrate(found.sql, supabaseDir);
  const catalogues = [await readCatalogue(wanted.sql), await readCatalogue(found.sql)] as const;
  const lines = migrationBetween(...catalogues, await schemaStatements(files));
  const [rows, made] = [await schemaRows(wanted.sql), await schemaRows(found.sql)];
  for (const table of new Set([...Object.keys(rows), ...Object.keys(made)]))
    if (rows[table]?.join('\n') !== made[table]?.join('\n'))
      lines.push(`-- ${table}: the schemas bring other rows than the migrations.`);
  print(lines.length > 0 ? lines.join('\n\n') : '-- The migrations make what the schemas state.');
  await Promise.all([wanted.drop(), found.drop()]);
} finally {
  await server.stop();
}
