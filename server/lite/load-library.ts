// Upstream: loading it replaces process.emitWarning with a function that throws at warnings that are no string, as some of
// Node's own are not; and it reads its switches from the environment while it loads, hence the dynamic imports.
// Can go when upstream-defects.test.ts, "loading the library replaces process.emitWarning", fails.

/** The library's two parts that we use, loaded without that side effect. */
export async function loadLibrary() {
  process.env.EXPERIMENTAL_STORAGE = '1';
  process.env.DO_NOT_TRACK = '1';
  const { emitWarning } = process;
  try {
    const { App } = await import('@supabase/lite');
    const { createPostgresConnection } = await import('@supabase/lite/postgres');
    return { App, createPostgresConnection };
  } finally {
    process.emitWarning = emitWarning;
  }
}
