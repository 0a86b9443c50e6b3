/**
 * From the fewest colours to the most; `safe` has the colours of Okabe and Ito, distinct with every common colour
 * blindness.
 */
export const THEME_ORDER = ['mono', '16', 'default', 'safe'] as const;

/**
 * What a colour means: screens name meanings, and only this file knows colours. SGR parameters of each meaning by
 * theme, the last one for all later themes as well; empty = the terminal's own text. The background is painted by
 * inversion alone.
 */
export const PALETTE = {
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

/** What has a colour. */
export const THEME_SLOTS = Object.keys(PALETTE);

/** In the order of their numbers, the brighter ones behind. */
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The SGR parameters of a colour: one of 16 by its name, of 256 by its number, or `#rrggbb`; null: it is none. */
export function colourCode(colour: unknown): string | null {
  const name = String(colour).toLowerCase();
  const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(name)?.slice(1);
  if (rgb) return `38;2;${rgb.map((each) => Number.parseInt(each, 16)).join(';')}`;
  if (/^\d{1,3}$/.test(name)) return Number(name) < 256 ? `38;5;${Number(name)}` : null;
  const number = COLOURS.indexOf(name.replace(/^bright-/, ''));
  return number < 0 ? null : String(number + (name.startsWith('bright-') ? 90 : 30));
}

/** Another colour for a meaning; what says the same without colours stays. */
export function coloured(sgr: string, colour: unknown): string {
  const code = colourCode(colour);
  if (code === null) return sgr;
  const styles = sgr
    .replace(/38;5;\d+|\b(?:3|9)\d\b/, '')
    .split(';')
    .filter(Boolean);
  return [...styles, code].join(';');
}
