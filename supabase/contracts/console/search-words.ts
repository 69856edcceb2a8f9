// Functions of schemas/20_console/72_search_words.sql: synonyms, and searches that found nothing.
import { defineFunction, moment, nothing } from '../contract.ts';
import { z } from '../z.ts';

export const SearchWords = z.object({
  groups: z.array(z.object({ id: z.number(), words: z.array(z.string()), updated_at: z.string() })),
  missed: z.array(z.object({ typed: z.string(), times: z.number(), last_on: z.string() })),
});
export type WordGroup = z.infer<typeof SearchWords>['groups'][number];
export type MissedWord = z.infer<typeof SearchWords>['missed'][number];

export const listSearchWords = defineFunction('admin_list_search_words', {}, SearchWords);

/** The group’s id. */
export const saveSearchWords = defineFunction(
  'admin_save_search_words',
  { words: z.array(z.string()), id: z.number().nullish(), seen: moment.nullish() },
  z.number(),
);

export const deleteSearchWords = defineFunction('admin_delete_search_words', { id: z.number(), seen: moment }, nothing);

export const forgetMissedSearch = defineFunction('admin_delete_missed_search', { typed: z.string() }, nothing);
