import postgres, { type Options } from 'postgres';
import { readSchemas, type SchemaFile } from './schema-files.ts';

/** Applies the schemas to an empty database, each file in a session and a transaction of its own. */
export async function applySchemas(
  connection: Options<Record<string, never>>,
  files: readonly SchemaFile[] = readSchemas(),
): Promise<void> {
  for (const { path, text } of files) {
    const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
    try {
      await sql.begin((transaction) => transaction.unsafe(text).simple());
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
    } finally {
      await sql.end({ timeout: 5 });
    }
  }
}
