import { HIGHLIGHT_COLOURS } from '../domain/handover/highlights.ts';

/** What a colour means. Screens name meanings; only this file knows colours. */
export const SLOTS = [
  'text',
  'dim',
  'title',
  'accent',
  'header',
  'key',
  'cursor',
  'match',
  'hit',
  'miss',
  'bypass',
  'revalidated',
  'stale',
  'unknown',
  'success',
  'redirect',
  'warning',
  'error',
  'live',
  'paused',
  'quiet',
  'down',
  'gap',
  'late',
  'server',
  'local',
  ...HIGHLIGHT_COLOURS,
] as const;

export type ThemeSlot = (typeof SLOTS)[number];

/** How a view stands, in a word or two at the end of the title. */
export type Badge = { text: string; slot: ThemeSlot };

export type ThemeName = 'default' | 'mono' | 'safe' | '16';

/** SGR parameters of each meaning; empty = the terminal's own text. The background is never painted but by inversion. */
type Palette = Record<ThemeSlot, string>;

const MONO: Palette = {
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
};

const SIXTEEN: Palette = {
  ...MONO,
  dim: '90',
  title: '1',
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
};

/** Okabe-Ito colours: told apart with every common colour blindness; hit and miss differ in brightness too. */
const SAFE: Palette = {
  ...DEFAULT,
  hit: '38;5;74',
  miss: '1;38;5;214',
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
};

export const THEMES: Record<ThemeName, Palette> = { default: DEFAULT, mono: MONO, safe: SAFE, '16': SIXTEEN };

/** How things look: text in the colours of its meaning, and the characters that the terminal can draw. */
export type Look = {
  paint: (slot: ThemeSlot, text: string) => string;
  glyph: Glyphs;
  /** Of the times on screen. */
  zone: 'utc' | 'local';
};

type Glyphs = {
  cursor: string;
  mark: string;
  crumb: string;
  dash: string;
  dot: string;
  cut: string;
  spark: readonly string[];
  /** In place of a level of which nothing is known. */
  unread: string;
  bar: string;
  on: string;
  off: string;
  /** Sorted with the largest first, and last. */
  down: string;
  up: string;
};

const UNICODE: Glyphs = {
  cursor: '▌',
  mark: '●',
  crumb: '>',
  dash: '┄',
  dot: '·',
  cut: '…',
  spark: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  unread: '·',
  bar: '█',
  on: '●',
  off: '○',
  down: '↓',
  up: '↑',
};

const ASCII: Glyphs = {
  cursor: '>',
  mark: '*',
  crumb: '>',
  dash: '-',
  dot: '|',
  cut: '~',
  spark: ['_', '.', ':', '-', '=', '+', '*', '#'],
  unread: '?',
  bar: '#',
  on: '*',
  off: 'o',
  down: 'v',
  up: '^',
};

export function createLook(theme: ThemeName, ascii: boolean, utc: boolean): Look {
  const palette = THEMES[theme];
  const open = Object.fromEntries(
    SLOTS.map((slot) => [slot, palette[slot] === '' ? '' : `\x1b[${palette[slot]}m`]),
  );
  return {
    paint(slot, text) {
      const start = open[slot] ?? '';
      return start === '' || text === '' ? text : `${start}${text}\x1b[0m`;
    },
    glyph: ascii ? ASCII : UNICODE,
    zone: utc ? 'utc' : 'local',
  };
}
