import { readdirSync } from 'node:fs';

/** The paths of all files below a folder, as browsers ask for them. */
export function filesIn(folder: string): Set<string> {
  try {
    return new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`));
  } catch {
    return new Set(); // not built yet: the start says so
  }
}
