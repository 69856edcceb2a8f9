export function chromiumPath(): string | undefined;
export function ensureChromium(step: (message: string) => void): void;
