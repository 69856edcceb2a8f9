type Read = (name: string, args: Record<string, unknown>) => Promise<unknown>;

/**
 * Whoever asks what somebody else waits for already gets the same answer, so that a crowd asks the database once. For
 * questions of visitors who are nobody in particular. Nothing is kept beyond that, and what was asked before this node heard
 * of a change is not the answer to what is asked after it.
 */
export function shareReads(read: Read): { read: Read; drop(): void } {
  const asked = new Map<string, Promise<unknown>>();
  return {
    read(name, args) {
      const question = name + JSON.stringify(args);
      const waiting = asked.get(question);
      if (waiting) return waiting;
      const answer = read(name, args).finally(() => {
        if (asked.get(question) === answer) asked.delete(question);
      });
      asked.set(question, answer);
      return answer;
    },
    drop: () => asked.clear(),
  };
}
