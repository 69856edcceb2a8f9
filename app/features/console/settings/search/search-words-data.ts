import type { WordGroup } from '#contracts/console/search-words.ts';
import { z } from '#contracts/z.ts';
import { checkWith } from '../../form/inputs.ts';

/** Words as they are typed: with commas or lines between them. */
export const splitWords = (typed: string): string[] =>
  typed
    .split(/[,;\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

export const checkWords = checkWith(
  z.object({
    words: z
      .string()
      .transform(splitWords)
      .refine((words) => words.length >= 2, 'Enter at least two words that mean the same, separated by commas.')
      .refine((words) => words.length <= 24, 'A group can have up to 24 words.')
      .refine((words) => words.every((word) => [...word].length <= 40), 'Each word can have up to 40 characters.'),
  }),
);

/** The groups that have a word like this. */
export function groupsWith(groups: readonly WordGroup[], text: string): WordGroup[] {
  const wanted = text.trim().toLowerCase();
  return groups.filter(({ words }) => words.some((word) => word.toLowerCase().includes(wanted)));
}
