// Functions of schemas/13_expenses that jobs call. Those of the console are in console/expenses.ts.
import { at, defineFunction } from './contract.ts';
import { z } from './z.ts';

/** Stores the figures of one more month; false when all are stored. */
export const keepFigures = defineFunction('refresh_figures', { at }, z.boolean());
