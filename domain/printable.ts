// Control characters, and those that turn the direction of what follows. Halves of a character are no text.
const control = /[\p{Cc}\u2028-\u202e\u2066-\u2069\p{Cs}]/u;

/** Whether a line can be printed: on a card, a label or an invoice (private.is_printable is the same rule). */
export const isPrintable = (line: string): boolean => !control.test(line);
