import type { Sql } from 'postgres';
import { prepareMailCatcher } from './mail-catcher.ts';
import { prepareMessageCatcher } from './message-catcher.ts';

/** The tables of a demo shop that no migration makes: it starts with them, and a backup of it is restored into them. */
export async function prepareCatchers(sql: Sql): Promise<void> {
  await prepareMailCatcher(sql);
  await prepareMessageCatcher(sql);
}
