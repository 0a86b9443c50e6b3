import { END_OF_TIME, parseDay } from '../../domain/query/query-time.ts';
import { type QuestionId, questionOf } from '../../domain/questions/asked/questions.ts';
import { type ListenAddress, parseListenAddress } from './listen-address.ts';
import type { OptionValues } from './options.ts';

/** Why options make no sense together; null when they do. */
export function clashOf(options: OptionValues): string | null {
  const { day, v1, follow, resume, until, limit, since, from, to } = options;
  if (until !== null && ((day ?? to ?? limit ?? resume) !== null || v1))
    return '--until waits for what comes; leave out --day, --to, --limit, --resume and --v1';
  const read = day === null ? null : parseDay(day, END_OF_TIME);
  if (read?.ok === false) return `--day takes a day such as yesterday or 2026-11-19: ${read.message}`;
  if (v1 && day === null) return '--v1 reads the file of a day: add --day 2026-11-19';
  if (day !== null && (since ?? from ?? to) !== null)
    return '--day is the whole window; leave out the others';
  if (follow && day !== null) return '--follow has no end, so it takes no --day';
  if (follow && resume !== null) return '--resume continues a window that ends; leave out --follow';
  return v1 && resume !== null ? '--resume continues slices of time, which v1 does not have' : null;
}

/** Why options make no sense with what is asked; null when they do. */
export function questionClash(
  question: QuestionId,
  { against, shield, file, demo }: OptionValues,
): string | null {
  const { isCompared, subject, shield: asksShield } = questionOf(question);
  if (against !== null && !isCompared) return `--against goes with misses and compare, not with ${question}`;
  if (shield && question !== 'compare') return `--shield goes with compare, not with ${question}`;
  if (file.length === 0) return null;
  if (shield || subject === 'shield' || asksShield === 'always')
    return 'saved logs hold no Shield events; leave out --file, and name a zone';
  return demo ? '--file asks no server: leave out --demo' : null;
}

/** The words behind `store` or `keep`: the day of `drop-before`, files, or zones. A text says why they cannot be taken. */
export function storeWords(
  command: 'store' | 'keep',
  words: readonly string[],
  options: OptionValues,
): { files: readonly string[]; zone?: string; metrics?: ListenAddress | null } | string {
  if (words.includes('')) return `${command} got an empty word, perhaps an unset variable`;
  if (command === 'keep') {
    if (options.import && options.stored)
      return '--import reads files, and --stored those of the platform; leave out one';
    const begins = options.since ?? options.from;
    if (!options.stored && (begins ?? options.to) !== null)
      return '--since, --from and --to go with keep --stored: keep reads what comes, and --import all of a file';
    if (options.stored && begins === null)
      return 'keep --stored needs to know since when: --from 2026-11-01, or --since 7d';
    const metrics = options.metrics === null ? null : parseListenAddress(options.metrics);
    if (options.metrics !== null && metrics === null)
      return `--metrics takes an address and a port, such as 127.0.0.1:9464, not '${options.metrics}'`;
    if (metrics !== null && (options.import || options.stored))
      return '--metrics serves the figures of what is followed; leave out --import and --stored';
    if (options.shared && (options.import || options.stored))
      return '--shared shares zones that are followed; leave out --import and --stored';
    if (!options.import)
      return words.length > 0
        ? { files: [], zone: words.join(','), metrics }
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
