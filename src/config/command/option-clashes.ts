import { END_OF_TIME, parseDay } from '../../domain/query/query-time.ts';
import { type QuestionId, questionOf } from '../../domain/questions/asked/questions.ts';
import type { OptionValues } from './options.ts';

/** Why options make no sense together; null when they do. */
export function clashOf(options: OptionValues): string | null {
  const { day, v1, follow, resume, until, limit, replay, since, from, to } = options;
  if (until !== null) {
    if ((day ?? to ?? limit ?? resume) !== null || v1)
      return '--until waits for what comes; leave out --day, --to, --limit, --resume and --v1';
    if (replay !== null) return '--until waits for what comes, and a recording has its end';
  }
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
  { against, shield, file, replay, record, demo }: OptionValues,
): string | null {
  const { isCompared, subject, shield: asksShield } = questionOf(question);
  if (against !== null && !isCompared) return `--against goes with misses and compare, not with ${question}`;
  if (shield && question !== 'compare') return `--shield goes with compare, not with ${question}`;
  if (file.length === 0) return null;
  if (shield || subject === 'shield' || asksShield === 'always')
    return 'saved logs hold no Shield events; leave out --file, and name a zone';
  return replay !== null || record !== null || demo
    ? '--file asks no server: leave out --replay, --record and --demo'
    : null;
}
