/** What every tab is told: what lies on the table (new, an id, or nothing), and how to put something there. */
export type TabProps = { opened: string; open(what: string): void; hrefFor(what: string): string };
