/** A name as PostgreSQL takes it, whatever stands in it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const qualified = ({ schema, name }: { schema: string; name: string }): string =>
  `${quoted(schema)}.${quoted(name)}`;
