/** How a terminal takes a notification for the desktop: the number of its OSC, null where it takes none. */
export type Notifier = { form: 9 | 99 | 777 | null; isInTmux: boolean };

type Variables = Readonly<Record<string, string | undefined>>;

/** Terminals by a variable that they set; a login on another host brings `TERM` and mostly the locale's `LC_` along. */
const FORMS: readonly (readonly [form: Notifier['form'], variable: string, value: RegExp])[] = [
  [99, 'TERM', /^xterm-kitty/],
  [99, 'KITTY_WINDOW_ID', /./],
  [9, 'TERM', /^(?:xterm-ghostty|wezterm)/],
  [9, 'TERM_PROGRAM', /^(?:iTerm\.app|WezTerm|ghostty)$/],
  [9, 'LC_TERMINAL', /^iTerm2$/],
  [null, 'TERM', /^(?:linux|dumb)?$/],
];

/** What the environment shows of the terminal. Others than those above take rxvt's form, or leave it out. */
export function notifierOf(env: Variables): Notifier {
  const found = FORMS.find(([, variable, value]) => value.test(env[variable] ?? ''));
  return { form: found === undefined ? 777 : found[0], isInTmux: (env['TMUX'] ?? '') !== '' };
}

const TITLE = 'edgescope';
/** Nobody reads more in a corner of a screen. */
const MOST_TEXT = 200;

/** A bell, and the text as a notification. Nothing of the text ends its sequence or begins another. */
export function notification(text: string, { form, isInTmux }: Notifier): string {
  const body = text
    .slice(0, MOST_TEXT)
    .replace(/[^\x20-\x7e]/g, '?')
    .replaceAll(';', ',');
  const sequences = {
    9: [`9;${TITLE}: ${body}`],
    99: [`99;i=${TITLE}:d=0;${TITLE}`, `99;i=${TITLE}:p=body;${body}`],
    777: [`777;notify;${TITLE};${body}`],
  };
  const written = form === null ? '' : sequences[form].map((each) => `\x1b]${each}\x1b\\`).join('');
  // tmux passes on what stands in a sequence of its own, with each escape twice.
  return `\x07${isInTmux && written !== '' ? `\x1bPtmux;${written.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : written}`;
}

/** The same through the terminal that shows standard error. */
export function sayOnDesktop(
  stderr: { write(text: string): unknown },
  text: string,
  notifier: Notifier,
): void {
  stderr.write(notification(text, notifier));
}
