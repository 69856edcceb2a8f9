/** What happens next comes out first; of two at the same moment, the one that was put in first. */
export function createHeap<T>() {
  type Entry = { time: number; order: number; value: T };
  const entries: Entry[] = [];
  let order = 0;
  const isBefore = (a: Entry, b: Entry) => a.time < b.time || (a.time === b.time && a.order < b.order);

  return {
    push(time: number, value: T): void {
      const entry = { time, order: order++, value };
      let at = entries.length;
      while (at > 0) {
        const above = (at - 1) >> 1;
        if (!isBefore(entry, entries[above] as Entry)) break;
        entries[at] = entries[above] as Entry;
        at = above;
      }
      entries[at] = entry;
    },
    pop(): { time: number; value: T } | undefined {
      const first = entries[0];
      const last = entries.pop();
      if (!first || !last || first === last) return first;
      let at = 0;
      for (;;) {
        let below = 2 * at + 1;
        if (below >= entries.length) break;
        if (below + 1 < entries.length && isBefore(entries[below + 1] as Entry, entries[below] as Entry)) below += 1;
        if (!isBefore(entries[below] as Entry, last)) break;
        entries[at] = entries[below] as Entry;
        at = below;
      }
      entries[at] = last;
      return first;
    },
  };
}
