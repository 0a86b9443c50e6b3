import { END_OF_TIME, parseDay } from '../../domain/query/query-time.ts';
import type { OptionValues } from './options.ts';

/** The words behind `store` or `keep`: the day of `drop-before`, files, or zones. A text says why they cannot be taken. */
export function storeWords(
  command: 'store' | 'keep',
  words: readonly string[],
  options: OptionValues,
): { files: readonly string[]; zone?: string } | string {
  if (words.includes('')) return `${command} got an empty word, perhaps an unset variable`;
  if (command === 'keep') {
    if (options.import && options.stored)
      return '--import reads files, and --stored those of the platform; leave out one';
    const begins = options.since ?? options.from;
    if (!options.stored && (begins ?? options.to) !== null)
      return '--since, --from and --to go with keep --stored: keep reads what comes, and --import all of a file';
    if (options.stored && begins === null)
      return 'keep --stored needs to know since when: --from 2026-11-01, or --since 7d';
    if (!options.import)
      return words.length > 0
        ? { files: [], zone: words.join(',') }
        : 'keep needs a zone: edgescope keep <zone…>, or files: edgescope keep --import <file…>';
    return words.length > 0 ? { files: words } : 'keep --import needs a file, or - for standard input';
  }
  const [verb, day, ...more] = words;
  if (options['dry-run'] && verb !== 'init') return '--dry-run goes with store init';
  if (options.confirm !== null && verb !== 'drop-before') return '--confirm goes with store drop-before';
  if (verb !== 'drop-before')
    return day === undefined ? { files: [] } : `store ${verb} takes no further words, but got '${day}'`;
  if (day === undefined || more.length > 0)
    return 'drop-before takes one day: edgescope store drop-before 2026-08-01';
  // Only days of the calendar: what is dropped must not hang on when the command is run.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !parseDay(day, END_OF_TIME).ok)
    return `drop-before takes a day such as 2026-08-01, not '${day}'`;
  return { files: [day] };
}
