/** One text, limit, default or constant of the specification, and what proves it. */
export type SpecRow = {
  /** Section of the specification. */
  section: 2 | 4 | 5 | 7 | 8 | 9;
  what: string;
} & (
  | {
      /** A test by its file and title, as `file › title`. */
      provenBy: string;
    }
  | { value: unknown; is: unknown }
);

/** Rows that one test proves. */
export const provenBy = (section: SpecRow['section'], test: string, whats: readonly string[]): SpecRow[] =>
  whats.map((what) => ({ section, what, provenBy: test }));
