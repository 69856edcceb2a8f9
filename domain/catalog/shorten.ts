/** Letters, digits and punctuation of European languages: nothing in them joins the character before it. */
const eachIsOneCharacter = /^[\u0020-\u02ff\u2010-\u2027\u20b9]*$/;

/** The first so many characters as a reader counts them (a Devanagari syllable or an emoji is one), then an ellipsis. */
export function shorten(text: string, length: number): { text: string; isShortened: boolean } {
  const end = endOfCharacters(text, length);
  if (end === undefined) return { text, isShortened: false };
  return { text: `${text.slice(0, end).trimEnd()}…`, isShortened: true };
}

/** Where the text ends after so many characters, if it has more. */
function endOfCharacters(text: string, length: number): number | undefined {
  // A browser's first segmenter takes 60 ms to set up, and 250 ms on a cheap phone.
  if (eachIsOneCharacter.test(text)) return text.length > length ? length : undefined;
  return [...new Intl.Segmenter('en-IN', { granularity: 'grapheme' }).segment(text)][length]?.index;
}
