/** HTML that is safe to put into a page; only `markup` makes it. */
export type Markup = { readonly html: string };

type Part = string | Markup | Part[];

/** HTML from a template; every text put into it is escaped, markup and lists of markup stay as they are. */
export function markup(literals: TemplateStringsArray, ...parts: Part[]): Markup {
  const pieces = parts.map((part, index) => htmlOf(part) + (literals[index + 1] ?? ''));
  return { html: (literals[0] ?? '') + pieces.join('') };
}

function htmlOf(part: Part): string {
  if (typeof part === 'string') return escaped(part);
  return Array.isArray(part) ? part.map(htmlOf).join('') : part.html;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
