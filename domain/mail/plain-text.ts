/**
 * A user's text as one line inside our sentence: no line breaks that would forge a line, no
 * control characters, and no direction overrides that would turn the rest of the sentence around.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
