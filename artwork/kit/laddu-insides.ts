import type { CutLook } from './cut.ts';
import * as make from './laddus.ts';
import type { Layer } from './particles.ts';

const crumb = (tones: Layer['tones'], size: [number, number], cover: number): Layer => ({
  kind: 'crumb',
  tones,
  size,
  cover,
  vary: 0.12,
});

/** What is seen when a laddu is broken open, by its slug. */
export const INSIDES = {
  'besan-laddu': {
    shell: make.besan,
    inside: make.besan,
    grain: [0.06, 8],
    layers: [crumb(make.besan, [6, 12], 0.9), crumb(make.besan, [13, 24], 0.5), crumb(make.gum, [5, 9], 0.12)],
  },
  'motichoor-laddu': {
    shell: make.orange,
    inside: make.orange,
    layers: [
      { kind: 'pearl', tones: make.orange, size: [10, 14], cover: 2.2, vary: 0.12, gloss: 0.8 },
      { kind: 'chunk', tones: make.green, size: [9, 14], cover: 0.05 },
    ],
  },
  'nariyal-laddu': {
    shell: make.coconut,
    inside: make.coconut,
    layers: [
      { kind: 'flake', tones: make.coconut, size: [7, 12], cover: 1.8, vary: 0.12 },
      { kind: 'strand', tones: make.coconut, size: [9, 14], cover: 0.6, vary: 0.1 },
    ],
  },
  'til-gud-laddu': {
    shell: make.jaggery,
    inside: make.jaggery,
    layers: [
      { kind: 'chunk', tones: make.jaggery, size: [12, 20], cover: 0.8, vary: 0.1, gloss: 0.8 },
      { kind: 'seed', tones: make.sesame, size: [10, 13], cover: 1.1, vary: 0.12 },
      { kind: 'chunk', tones: make.cream, size: [14, 24], cover: 0.14 },
    ],
  },
  'dry-fruit-laddu': {
    shell: make.date,
    inside: make.date,
    layers: [
      crumb(make.date, [14, 26], 0.9),
      { kind: 'chunk', tones: make.cream, size: [24, 44], cover: 0.5 },
      { kind: 'chunk', tones: make.green, size: [18, 32], cover: 0.3 },
      { kind: 'chunk', tones: make.almondSkin, size: [20, 34], cover: 0.26, gloss: 0.5 },
    ],
  },
  'rava-laddu': {
    shell: make.rava,
    inside: make.rava,
    grain: [0.1, 5],
    layers: [
      crumb(make.rava, [4, 8], 1),
      crumb(make.coconut, [5, 9], 0.3),
      { kind: 'chunk', tones: make.almondSkin, size: [13, 20], cover: 0.07, gloss: 0.6 },
      { kind: 'chunk', tones: make.cream, size: [14, 22], cover: 0.1 },
    ],
  },
  'gond-laddu': {
    shell: make.wheat,
    inside: make.wheat,
    layers: [
      crumb(make.wheat, [7, 14], 1.1),
      { kind: 'pearl', tones: make.gum, size: [10, 18], cover: 0.34, gloss: 1 },
      { kind: 'chunk', tones: make.cream, size: [16, 28], cover: 0.3 },
    ],
  },
  'boondi-laddu': {
    shell: make.yellow,
    inside: make.yellow,
    layers: [
      { kind: 'pearl', tones: make.yellow, size: [20, 27], cover: 2.2, vary: 0.12, gloss: 0.9 },
      { kind: 'chunk', tones: make.cream, size: [16, 26], cover: 0.1 },
    ],
  },
} satisfies Record<string, CutLook>;
export type LadduSlug = keyof typeof INSIDES;
