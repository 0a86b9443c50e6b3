import { coloured, PALETTE, THEME_ORDER } from '../text/colours.ts';

export type ThemeName = (typeof THEME_ORDER)[number];

export type ThemeSlot = keyof typeof PALETTE;

/** The colours of zones in a log of several: none means a failure, and each comes with a name. */
export const ZONE_SLOTS = ['zone1', 'zone2', 'zone3', 'zone4', 'zone5', 'zone6', 'zone7', 'zone8'] as const;

/** A text in the colour of what it means. */
export type Words = { text: string; slot: ThemeSlot };

/** The SGR parameters of every meaning, by theme. */
export const THEMES = Object.fromEntries(
  THEME_ORDER.map((name, theme) => [name, mapped(PALETTE, (sgr) => sgr[theme] ?? sgr.at(-1) ?? '')]),
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

/** `own`: colours by role, which a theme without colours does without. */
export function createLook(
  theme: ThemeName,
  ascii: boolean,
  utc: boolean,
  own: Readonly<Record<string, unknown>> = {},
): Look {
  const isOwn = (slot: string) => theme !== 'mono' && Object.hasOwn(own, slot);
  const open = mapped(THEMES[theme], (each, slot) => {
    const sgr = isOwn(slot) ? coloured(each, own[slot]) : each;
    return sgr === '' ? '' : `\x1b[${sgr}m`;
  });
  return {
    paint: (slot, text) => (open[slot] === '' || text === '' ? text : `${open[slot]}${text}\x1b[0m`),
    glyph: mapped(GLYPHS, ([unicode, plain]) => (ascii ? plain : unicode)),
    zone: utc ? 'utc' : 'local',
    hasLetters: ascii || theme === 'mono',
  };
}

/** A text that explains signs, with those that this look has. */
export function inSigns(text: string, { glyph }: Pick<Look, 'glyph'>): string {
  const ids = Object.keys(GLYPHS) as (keyof Glyphs)[];
  return ids.reduce((told, id) => told.replaceAll(GLYPHS[id][0], glyph[id]), text);
}

/** The same names, each with what is made of its value. */
function mapped<K extends string, T, U>(
  row: Readonly<Record<K, T>>,
  made: (value: T, name: string) => U,
): Record<K, U> {
  return Object.fromEntries(
    Object.entries<T>(row).map(([name, value]) => [name, made(value, name)]),
  ) as Record<K, U>;
}
