import { joined } from '../../../text/joined.ts';
import { clockMinute, count, counted, percent } from '../../../text/units.ts';
import type { WafRule } from '../../shield/shield.ts';
import { type Level, levelOfMarks } from '../deviation/population.ts';
import { rateIn, rateOf } from '../deviation/volume.ts';
import { codeWord, meaningOf } from '../evidence/origin-reading.ts';
import { textSection } from '../inquiry/answer-section.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';
import { type AskedAbout, ledFrom } from './cause-leads.ts';
import type { RaisedRule } from './raised-rules.ts';
import { type Cause, type Heard, LEAST_SPOILT } from './verdict.ts';
import { changeWords, hitRatioOf, queryWords, sampledWords, withWords } from './wrong-words.ts';

type Texts = ReadonlyMap<string, WafRule> | null;

/** A hit ratio that moved by less is not worth one. */
const MOVED = 0.05;

/** A rate so many times the usual one is worth a word. */
const FLOOD = 2;

/** What speaks for a cause, from each source, and how sure it is. */
export function evidenceSection(cause: Cause, o: AskedAbout & { rules: Texts }): AnswerSection {
  const { rules, code, changes, whyNotSurer, sureness, deviation, what } = cause;
  const { range } = o;
  return textSection(
    'evidence',
    joined([what, withWords(cause, o.rules)], ' '),
    'EVIDENCE',
    [
      ...(deviation === null ? [] : [rowsWords(deviation)]),
      queryWords(cause),
      ...rules.map(ruleWords),
      ...(code === null
        ? []
        : [
            `origin errors: ${codeWord(code.code)} ${count(code.count)} of ${count(code.of)} in its time (${meaningOf(code.code)})`,
          ]),
      ...changes.map((change) => changeWords(change, range.to)),
      cause.since?.after === null && deviation !== null && !cause.isOnAndOff
        ? 'it was there as far back as was read: its beginning is not known, and no change is held against it'
        : '',
    ].filter((text) => text !== ''),
    {
      row: ledFrom(cause, o),
      note:
        whyNotSurer.length === 0
          ? `${sureness}: in several samples, beside enough of other times`
          : `${sureness}, not surer because ${whyNotSurer.join(', and ')}`,
    },
  );
}

function rowsWords({ rows, samples, stretch, usual, times }: NonNullable<Cause['deviation']>): string {
  if (times !== null)
    return `CDN log: ${sampledWords(rows, samples)}, ${times.toFixed(1)} times as many as usual`;
  const was = usual === null ? 'no other time was read' : `usually ${percent(usual)}`;
  return `CDN log: ${sampledWords(rows, samples)}, ${percent(stretch.share)} of the requests of its time, ${was}`;
}

function ruleWords({ ruleId, count: events, usual, ja4, firstSeen, lastSeen }: RaisedRule): string {
  const seen =
    firstSeen === null || lastSeen === null
      ? ''
      : `, from ${clockMinute(firstSeen)} to ${clockMinute(lastSeen)}`;
  const of = ja4 === null ? 'of many kinds of clients' : `most of ja4:${ja4}`;
  return `Shield: rule ${ruleId} has ${counted(events, 'event')}, usually ${count(usual)}${seen}, ${of}`;
}

/** What was seen and is no cause: too little of the requests for one, or nothing that spoils them. */
export function notesSection(causes: readonly Cause[], heard: Heard, level: Level): AnswerSection[] {
  const { range, errors, rules, population } = heard;
  const strays = errors.filter(({ timestamp }) => timestamp >= range.from && timestamp < range.to).length;
  const hasOrigin = causes.some(({ deviation }) => deviation?.harm === 'trouble');
  const quiet = rules.filter((rule) => causes.every((cause) => !cause.rules.includes(rule)));
  const [rate, usual] = [rateOf(population, range), usualRate(heard)];
  const texts = [
    strays > 0 && !hasOrigin
      ? `${counted(strays, 'origin error')}, less than ${percent(LEAST_SPOILT)} of the requests`
      : '',
    ...(heard.hasLog
      ? quiet.map((rule) => `${ruleWords(rule)}; less than ${percent(LEAST_SPOILT)} of the requests`)
      : []),
    rate !== null && usual !== null && rate >= FLOOD * usual
      ? `${(rate / usual).toFixed(1)} times as many requests as usual`
      : '',
    hitNote(level, heard),
  ].filter((text) => text !== '');
  return texts.length === 0 ? [] : [textSection('notes', 'seen, and no cause', 'NOTE', texts)];
}

function hitNote(level: Level, { population: { marks, windowAt } }: Heard): string {
  const usual = hitRatioOf(levelOfMarks(marks.subarray(0, windowAt)));
  const now = hitRatioOf(level);
  return now === null || usual === null || Math.abs(now - usual) < MOVED
    ? ''
    : `hit ratio ${percent(now)}, ${percent(usual)} at other times`;
}

/** Requests a second of the other times together; null: none was read. */
function usualRate({ population: { parts } }: Heard): number | null {
  const rates = parts
    .filter(({ side }) => side === 'before')
    .flatMap((part) => rateIn(part) ?? [])
    .toSorted((a, b) => a - b);
  return rates[rates.length >> 1] ?? null;
}
