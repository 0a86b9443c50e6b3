export type ThemeName = 'default' | 'mono' | 'safe' | '16';

/**
 * What a colour means: screens name meanings, and only this file knows colours. SGR parameters of each; empty = the
 * terminal's own text. The background is never painted but by inversion.
 */
const MONO = {
  text: '',
  dim: '2',
  title: '1',
  accent: '1',
  header: '4',
  key: '1',
  cursor: '7',
  match: '1;7',
  hit: '',
  miss: '1',
  bypass: '2',
  revalidated: '3',
  stale: '4',
  unknown: '2',
  success: '',
  redirect: '2',
  warning: '4',
  error: '1;4',
  live: '1',
  paused: '7',
  quiet: '2',
  down: '1;7',
  gap: '1;4',
  late: '3',
  server: '',
  local: '3',
  red: '4;7',
  yellow: '4;7',
  green: '4;7',
  blue: '4;7',
  magenta: '4;7',
  cyan: '4;7',
  zone1: '',
  zone2: '',
  zone3: '',
  zone4: '',
  zone5: '',
  zone6: '',
  zone7: '',
  zone8: '',
} as const;

export type ThemeSlot = keyof typeof MONO;

/** The colours of zones in a log of several: none of a failure, and none stands alone. */
export const ZONE_SLOTS = [
  'zone1',
  'zone2',
  'zone3',
  'zone4',
  'zone5',
  'zone6',
  'zone7',
  'zone8',
] as const satisfies readonly ThemeSlot[];

/** How a view stands, in a word or two at the end of the title. */
export type Badge = { text: string; slot: ThemeSlot };

type Palette = Record<ThemeSlot, string>;

const SIXTEEN: Palette = {
  ...MONO,
  dim: '90',
  accent: '36',
  header: '90;4',
  key: '36',
  hit: '32',
  miss: '1;33',
  bypass: '35',
  revalidated: '36',
  stale: '4;31',
  unknown: '90',
  success: '32',
  redirect: '36',
  warning: '33',
  error: '1;31',
  live: '1;32',
  paused: '33;7',
  quiet: '36',
  down: '31;7',
  gap: '1;35',
  late: '3;90',
  server: '36',
  local: '35',
  red: '31;7',
  yellow: '33;7',
  green: '32;7',
  blue: '34;7',
  magenta: '35;7',
  cyan: '36;7',
  zone1: '36',
  zone2: '33',
  zone3: '35',
  zone4: '32',
  zone5: '34',
  zone6: '96',
  zone7: '93',
  zone8: '95',
};

const DEFAULT: Palette = {
  ...SIXTEEN,
  dim: '38;5;245',
  header: '38;5;245;4',
  accent: '38;5;75',
  key: '38;5;75',
  hit: '38;5;71',
  miss: '1;38;5;214',
  bypass: '38;5;140',
  revalidated: '38;5;73',
  stale: '4;38;5;203',
  unknown: '38;5;245',
  success: '38;5;71',
  redirect: '38;5;73',
  warning: '38;5;214',
  error: '1;38;5;203',
  late: '3;38;5;245',
  server: '38;5;75',
  local: '38;5;176',
  red: '38;5;203;7',
  yellow: '38;5;221;7',
  green: '38;5;71;7',
  blue: '38;5;69;7',
  magenta: '38;5;176;7',
  cyan: '38;5;80;7',
  zone1: '38;5;80',
  zone2: '38;5;221',
  zone3: '38;5;176',
  zone4: '38;5;114',
  zone5: '38;5;111',
  zone6: '38;5;216',
  zone7: '38;5;187',
  zone8: '38;5;183',
};

/** Okabe-Ito colours: told apart with every common colour blindness; hit and miss differ in brightness too. */
const SAFE: Palette = {
  ...DEFAULT,
  hit: '38;5;74',
  bypass: '38;5;175',
  revalidated: '38;5;36',
  stale: '4;38;5;166',
  success: '38;5;74',
  redirect: '38;5;36',
  warning: '38;5;220',
  error: '1;38;5;166',
  live: '1;38;5;74',
  local: '38;5;175',
  red: '38;5;166;7',
  yellow: '38;5;220;7',
  green: '38;5;36;7',
  blue: '38;5;32;7',
  magenta: '38;5;175;7',
  cyan: '38;5;117;7',
  zone1: '38;5;117',
  zone2: '38;5;220',
  zone3: '38;5;175',
  zone4: '38;5;36',
  zone5: '38;5;32',
  zone6: '38;5;166',
  zone7: '38;5;230',
  zone8: '38;5;250',
};

export const THEMES: Record<ThemeName, Palette> = { default: DEFAULT, mono: MONO, safe: SAFE, '16': SIXTEEN };

/** How things look: text in the colours of its meaning, and the characters that the terminal can draw. */
export type Look = {
  paint: (slot: ThemeSlot, text: string) => string;
  glyph: Glyphs;
  /** Of the times on screen. */
  zone: 'utc' | 'local';
  /** What colours tell apart elsewhere is told by letters: there are none, or no blocks to paint. */
  hasLetters: boolean;
};

/** The characters that stand for something: in Unicode, and where the terminal has ASCII alone. */
const GLYPHS = {
  cursor: ['▌', '>'],
  mark: ['●', '*'],
  crumb: ['>', '>'],
  dash: ['┄', '-'],
  dot: ['·', '|'],
  cut: ['…', '~'],
  /** Levels of a sparkline, the lowest first. */
  spark: ['▁▂▃▄▅▆▇█', '_.:-=+*#'],
  /** In place of a level of which nothing is known. */
  unread: ['·', '?'],
  bar: ['█', '#'],
  /** Between a list and what stands beside it. */
  beside: ['│', '|'],
  /** Time that is not read, and time that is missing. */
  hatch: ['╱', '/'],
  hole: ['╳', 'x'],
  /** Under a step: some of the worst is in it; everything before is final. */
  under: ['▀', '!'],
  final: ['┊', '|'],
  /** A step with more than the top of the scale. */
  beyond: ['↑', '^'],
  on: ['●', '*'],
  off: ['○', 'o'],
  /** Sorted with the largest first, and last. */
  down: ['↓', 'v'],
  up: ['↑', '^'],
} as const;

type Glyphs = Record<keyof typeof GLYPHS, string>;

export function createLook(theme: ThemeName, ascii: boolean, utc: boolean): Look {
  const palette = THEMES[theme];
  const open: Record<string, string> = Object.fromEntries(
    Object.entries(palette).map(([slot, sgr]) => [slot, sgr === '' ? '' : `\x1b[${sgr}m`]),
  );
  const glyphs = Object.fromEntries(
    Object.entries(GLYPHS).map(([name, [unicode, plain]]) => [name, ascii ? plain : unicode]),
  );
  return {
    paint(slot, text) {
      const start = open[slot] ?? '';
      return start === '' || text === '' ? text : `${start}${text}\x1b[0m`;
    },
    glyph: glyphs as Glyphs,
    zone: utc ? 'utc' : 'local',
    hasLetters: ascii || theme === 'mono',
  };
}
