export type Dataset = {
  /** A SQL function (filter, after, at) that answers {rows, next}; for the service role alone. */
  read: `export_${string}`;
  heading: readonly string[];
};

/** What the console hands out as a file. */
export const datasets: Readonly<Record<string, Dataset>> = {};
