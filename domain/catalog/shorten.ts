/** The first so many characters as a reader counts them (a Devanagari syllable or an emoji is one), then an ellipsis. */
export function shorten(text: string, length: number): { text: string; isShortened: boolean } {
  const characters = [...new Intl.Segmenter('en-IN', { granularity: 'grapheme' }).segment(text)];
  const end = characters[length]?.index;
  if (end === undefined) return { text, isShortened: false };
  return { text: `${text.slice(0, end).trimEnd()}…`, isShortened: true };
}
