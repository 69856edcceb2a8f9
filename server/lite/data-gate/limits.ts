/** How much of anything one request to the Data API may hold. Nothing of the shop comes near; see docs/decisions/0023. */
export const limits = {
  /** Characters after the question mark. */
  query: 64 * 1024,
  /** Conditions in all: in the address, in groups and on embedded tables. */
  conditions: 50,
  /** Groups inside groups: or=(and(or(…))). */
  groupDepth: 4,
  /** Tables inside tables: each level multiplies the rows. */
  embedDepth: 2,
  embeds: 8,
  /** Columns and embedded tables in a select, in all. */
  selected: 200,
  orderings: 20,
  /** Elements of all lists in an address: each becomes a parameter of the statement. */
  listElements: 1000,
  /** Characters of one value in an address. */
  textInQuery: 16 * 1024,
  /** Characters of a regular expression, and how many of them may repeat something. */
  expression: 100,
  repetitions: 4,
  jsonPath: 6,
  /** Rows in a body. */
  rows: 500,
  /** Values of all rows of a body: PostgreSQL's protocol carries 65,535 parameters. */
  values: 20_000,
  /** Elements of an array in a body. */
  arrayElements: 1000,
} as const;

/** What a JSON body may be before it is parsed. */
export type BodyLimits = { bytes: number; depth: number; tokens: number };
export const ordinaryBody: BodyLimits = { bytes: 256 * 1024, depth: 32, tokens: 40_000 };
/** A file of 3000 products with all their columns; only administrators have one to send. */
export const productFile: BodyLimits = { bytes: 6 * 1024 * 1024, depth: 32, tokens: 400_000 };
