/**
 * From the fewest colours to the most; `safe` has the colours of Okabe and Ito, distinct with every common colour
 * blindness.
 */
const THEME_NAMES = ['mono', '16', 'default', 'safe'] as const;

export type ThemeName = (typeof THEME_NAMES)[number];

/**
 * What a colour means: screens name meanings, and only this file knows colours. SGR parameters of each meaning by
 * theme, the last one for all later themes as well; empty = the terminal's own text. The background is painted by
 * inversion alone.
 */
const PALETTE = {
  text: [''],
  dim: ['2', '90', '38;5;245'],
  title: ['1'],
  accent: ['1', '36', '38;5;75'],
  header: ['4', '90;4', '38;5;245;4'],
  key: ['1', '36', '38;5;75'],
  cursor: ['7'],
  match: ['1;7'],
  hit: ['', '32', '38;5;71', '38;5;74'],
  miss: ['1', '1;33', '1;38;5;214'],
  bypass: ['2', '35', '38;5;140', '38;5;175'],
  revalidated: ['3', '36', '38;5;73', '38;5;36'],
  stale: ['4', '4;31', '4;38;5;203', '4;38;5;166'],
  unknown: ['2', '90', '38;5;245'],
  success: ['', '32', '38;5;71', '38;5;74'],
  redirect: ['2', '36', '38;5;73', '38;5;36'],
  warning: ['4', '33', '38;5;214', '38;5;220'],
  error: ['1;4', '1;31', '1;38;5;203', '1;38;5;166'],
  live: ['1', '1;32', '1;32', '1;38;5;74'],
  paused: ['7', '33;7'],
  quiet: ['2', '36'],
  down: ['1;7', '31;7'],
  gap: ['1;4', '1;35'],
  late: ['3', '3;90', '3;38;5;245'],
  server: ['', '36', '38;5;75'],
  local: ['3', '35', '38;5;176', '38;5;175'],
  red: ['4;7', '31;7', '38;5;203;7', '38;5;166;7'],
  yellow: ['4;7', '33;7', '38;5;221;7', '38;5;220;7'],
  green: ['4;7', '32;7', '38;5;71;7', '38;5;36;7'],
  blue: ['4;7', '34;7', '38;5;69;7', '38;5;32;7'],
  magenta: ['4;7', '35;7', '38;5;176;7', '38;5;175;7'],
  cyan: ['4;7', '36;7', '38;5;80;7', '38;5;117;7'],
  zone1: ['', '36', '38;5;80', '38;5;117'],
  zone2: ['', '33', '38;5;221', '38;5;220'],
  zone3: ['', '35', '38;5;176', '38;5;175'],
  zone4: ['', '32', '38;5;114', '38;5;36'],
  zone5: ['', '34', '38;5;111', '38;5;32'],
  zone6: ['', '96', '38;5;216', '38;5;166'],
  zone7: ['', '93', '38;5;187', '38;5;230'],
  zone8: ['', '95', '38;5;183', '38;5;250'],
} as const satisfies Record<string, readonly string[]>;

export type ThemeSlot = keyof typeof PALETTE;

/** The colours of zones in a log of several: none means a failure, and each comes with a name. */
export const ZONE_SLOTS = ['zone1', 'zone2', 'zone3', 'zone4', 'zone5', 'zone6', 'zone7', 'zone8'] as const;

/** A text in the colour of what it means. */
export type Words = { text: string; slot: ThemeSlot };

/** The SGR parameters of every meaning, by theme. */
export const THEMES = Object.fromEntries(
  THEME_NAMES.map((name, theme) => [name, mapped(PALETTE, (sgr) => sgr[theme] ?? sgr.at(-1) ?? '')]),
) as Record<ThemeName, Record<ThemeSlot, string>>;

/** The look: text in the colours of its meaning, and the characters that the terminal can draw. */
export type Look = {
  paint: (slot: ThemeSlot, text: string) => string;
  glyph: Glyphs;
  /** Of the times on screen. */
  zone: 'utc' | 'local';
  /** Letters tell apart what colours tell apart elsewhere: there are no colours, or no blocks to paint. */
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
  bar: ['█', '#'],
  /** Between a list and the panel beside it. */
  beside: ['│', '|'],
  /** Unread time, in place of a level or a figure, too; and missing time. */
  hatch: ['╱', '/'],
  gap: ['╳', 'x'],
  /** Under a step: some of the worst is in it; everything before is final. */
  under: ['▀', '!'],
  final: ['┊', '|'],
  /** A step with more than the top of the scale. */
  beyond: ['↑', '^'],
  /** Sorted with the largest first; with it last. */
  down: ['↓', 'v'],
  up: ['↑', '^'],
} as const;

type Glyphs = Record<keyof typeof GLYPHS, string>;

export function createLook(theme: ThemeName, ascii: boolean, utc: boolean): Look {
  const open = mapped(THEMES[theme], (sgr) => (sgr === '' ? '' : `\x1b[${sgr}m`));
  return {
    paint: (slot, text) => (open[slot] === '' || text === '' ? text : `${open[slot]}${text}\x1b[0m`),
    glyph: mapped(GLYPHS, ([unicode, plain]) => (ascii ? plain : unicode)),
    zone: utc ? 'utc' : 'local',
    hasLetters: ascii || theme === 'mono',
  };
}

/** The same names, each with what is made of its value. */
function mapped<K extends string, T, U>(row: Readonly<Record<K, T>>, made: (value: T) => U): Record<K, U> {
  return Object.fromEntries(Object.entries<T>(row).map(([name, value]) => [name, made(value)])) as Record<
    K,
    U
  >;
}
