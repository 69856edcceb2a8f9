import { useCallback, useMemo, useState } from 'react';

/**
 * The rows among those selected and those shown that have these keys. What is shown is fresher than what was kept when it was
 * selected.
 */
export function selectRows<Row>(
  kept: ReadonlyMap<string, Row>,
  shown: readonly Row[],
  keyOf: (row: Row) => string,
  keys: Iterable<string>,
): Map<string, Row> {
  const known = new Map([...kept, ...shown.map((row) => [keyOf(row), row] as const)]);
  return new Map(
    [...keys].flatMap((key) => {
      const row = known.get(key);
      return row === undefined ? [] : [[key, row] as const];
    }),
  );
}

/** How many are selected, and how many of them a search, a filter or another page hides. */
export function selectedInWords(selected: number, hidden: number): string {
  const count = (number: number) => number.toLocaleString('en-IN');
  return hidden === 0 ? `${count(selected)} selected` : `${count(selected)} selected, ${count(hidden)} not shown here`;
}

/**
 * The rows that are selected in a list. They stay selected when a search, a filter or another page hides them, and the bar
 * of what can be done with them says how many it hides.
 */
export function useSelection<Row>(shown: readonly Row[], keyOf: (row: Row) => string) {
  const [kept, setKept] = useState<ReadonlyMap<string, Row>>(new Map());
  const rows = useMemo(() => selectRows(kept, shown, keyOf, kept.keys()), [kept, shown, keyOf]);
  const keys = useMemo(() => new Set(rows.keys()), [rows]);
  const shownKeys = useMemo(() => new Set(shown.map(keyOf)), [shown, keyOf]);
  return {
    keys,
    rows: useMemo(() => [...rows.values()], [rows]),
    hidden: [...keys].filter((key) => !shownKeys.has(key)).length,
    select: (next: Iterable<string>) => setKept(selectRows(kept, shown, keyOf, next)),
    /** Rows that may not be shown. */
    selectAll: (all: readonly Row[]) => setKept(new Map(all.map((row) => [keyOf(row), row]))),
    toggle: (key: string) =>
      setKept(selectRows(kept, shown, keyOf, keys.has(key) ? [...keys].filter((one) => one !== key) : [...keys, key])),
    /** What became of rows that are selected. */
    learn: useCallback(
      (changed: readonly Row[]) =>
        setKept((before) => {
          const fresh = new Map(changed.map((row) => [keyOf(row), row]));
          return new Map([...before].map(([key, row]) => [key, fresh.get(key) ?? row]));
        }),
      [keyOf],
    ),
    clear: () => setKept(new Map()),
  };
}
