import fc from 'fast-check';

/** The same in every ordinary run, another in every soak run, or the one to repeat (docs/fuzz.md). */
export const fuzzSeed = Number(
  process.env.FUZZ_SEED ?? (process.env.SOAK ? Math.floor(Math.random() * 2 ** 24) : 20261116),
);

/** A rule that holds for every generated value; the smallest counterexample is printed with its seed and path. */
export function holds<Values>(property: fc.IRawProperty<Values>): void {
  void fc.assert(property, { seed: fuzzSeed, numRuns: process.env.SOAK ? 5000 : 200 });
}

const anyCharacter = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0x10ffff }),
);

/** Of any characters, control characters and unassigned ones included; what fast-check has for it takes seconds to begin. */
export const anyText = (maxLength = 30): fc.Arbitrary<string> =>
  fc.array(anyCharacter, { maxLength }).map((codes) => String.fromCodePoint(...codes));
