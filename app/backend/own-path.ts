/** A path of this site and nothing that a browser could read as another one. */
export function isOwnPath(path: string, origin: string): boolean {
  return /^\/(?![/\\])/.test(path) && URL.canParse(path, origin) && new URL(path, origin).origin === origin;
}
