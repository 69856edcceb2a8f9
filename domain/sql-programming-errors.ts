/**
 * SQLSTATEs that a statement of ours causes, never what a person typed: an update or delete without WHERE and other wrong
 * cardinalities; no such column, table or function, ambiguous ones, no matching constraint, wrong syntax; divided by zero.
 */
const programmingErrors = /^(21000|42703|42P01|42883|42702|42725|42P10|42601|22012)$/;

export const isSqlProgrammingError = (code: unknown): boolean => programmingErrors.test(String(code));
