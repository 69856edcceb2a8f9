/** How long sign-in may take before people are told that it cannot be reached. */
export const SIGN_IN_TIMEOUT_MS = 5_000;
