import { inject } from 'vitest';
import type { Shape } from './shapes.ts';

/** For what is promised of one process, or of what only one shape has: `if (isIn('embedded')) test(…)`. */
export function isIn(...shapes: Shape[]): boolean {
  return shapes.includes(inject('shopShape'));
}
