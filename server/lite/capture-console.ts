// Upstream: the library reports every SQL error, the expected ones too, with console.error and in no other way; messages
// quote what people typed, which must not reach the log. Its one warning says that Storage is experimental, which is
// decided (docs/decisions/0002-gates-before-supabase-lite.md).
// Can go when upstream-defects.test.ts, "a statement that took too long is a 500, and is reported with
// console.error only", fails.
import { currentCall } from './current-call.ts';

const { error: printError, warn: printWarning } = console;

/** From now on, what the library prints within a call becomes the call's `failure`. Everything else is printed as before. */
export function captureConsole(): void {
  console.error = (...parts: unknown[]) => {
    const call = currentCall();
    if (!call) return printError(...parts);
    call.failure = parts.find((part) => part instanceof Error) ?? parts[0];
  };
  console.warn = (...parts: unknown[]) => {
    if (!currentCall()) printWarning(...parts);
  };
}
