// Functions of schemas/01_foundations that the host calls, and the check of what must always be true (schemas/30_invariants).
import { defineFunction, nothing } from './contract.ts';
import { z } from './z.ts';

/** Throws when the database cannot be written to. */
export const checkWritable = defineFunction('check_writable', {}, nothing);
export const schemaVersions = defineFunction('schema_versions', {}, z.array(z.string()));
/** By version. */
export const schemaChecksums = defineFunction('schema_checksums', {}, z.record(z.string(), z.string()));

const Violations = z.array(z.object({ invariant: z.number(), subject: z.string(), detail: z.string() }));
export const checkInvariants = defineFunction('check_invariants', {}, Violations);
/** Part 1 to `parts`: short enough for the Data API. */
export const checkInvariantsPart = defineFunction(
  'check_invariants_part',
  { part: z.number(), parts: z.number() },
  Violations,
);
