import type { Environment } from './config-error.ts';
import { type Settings, THEME_NAMES } from './settings.ts';

/** Why no screen can be drawn here; null = it can. */
export function terminalProblem(env: Environment): readonly string[] | null {
  return env['TERM'] === 'dumb'
    ? [
        'this terminal cannot place text (TERM=dumb).',
        'Use another terminal, or print the data: edgescope zones --format table',
      ]
    : null;
}

/** The theme to draw with; null where the settings name none that there is. `asked`: by a flag of this start. */
export function themeOf(asked: string | null, settings: Settings): (typeof THEME_NAMES)[number] | null {
  if (!settings.colour && asked === null) return 'mono';
  return THEME_NAMES.find((name) => name === settings.theme) ?? null;
}

/** True where the locale says that the terminal does not read UTF-8; an unset locale is taken for UTF-8. */
export function isAsciiLocale(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}
