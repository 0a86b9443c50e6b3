import type { Environment } from './config-error.ts';

/** Why no screen can be drawn here; null = it can. */
export function terminalProblem(env: Environment): string | null {
  if (env['TERM'] === 'dumb') {
    return 'this terminal cannot place text (TERM=dumb).\n  Use another terminal, or print the data: edgescope zones --format table';
  }
  return null;
}

/** True where the locale says that the terminal does not read UTF-8; an unset locale is taken for UTF-8. */
export function isAsciiLocale(env: Environment): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}
