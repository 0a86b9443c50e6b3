import { joined } from '../../../text/joined.ts';
import { count, counted, duration, percent } from '../../../text/units.ts';
import type { WafRule } from '../../shield/shield.ts';
import { timeShared } from '../../tail/coverage.ts';
import { answeredLevel, type Level } from '../deviation/population.ts';
import { onScreen, rest, sectionOf, shares, words } from '../inquiry/answer-section.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import type { Need } from '../inquiry/inquiry.ts';
import { evidenceSection, notesSection } from './cause-evidence.ts';
import { causeFindings } from './cause-findings.ts';
import { type AskedAbout, ledFrom } from './cause-leads.ts';
import { type Cause, type Heard, LEAST_SPOILT } from './verdict.ts';
import { causeSentence, clientErrorShare, isBadLevel, levelWords, moment, withWords } from './wrong-words.ts';

type About = AskedAbout & {
  rules: ReadonlyMap<string, WafRule> | null;
  asked: readonly Need[];
  read: readonly Need[];
  /** Everything that was asked for was read. */
  isWhole: boolean;
  /** What sources besides the logs do not tell. */
  missing: readonly string[];
  /** A list of rules is its largest groups alone. */
  isCut: boolean;
};

/** Causes of which the evidence is told; the others are their line. */
const TOLD = 3;

/** Of fewer rows nothing is said. */
const LEAST_ROWS = 20;

/** Where so many requests are refused or not found, however usual that is, nobody can tell from rows alone that it is well. */
const DOUBTFUL_LEVEL = 0.5;

/** The causes, what spoils most requests first; a `calm` is said only of a good level, where everything asked for was read. */
export function wrongTable(causes: readonly Cause[], heard: Heard, o: About): AnswerTable {
  const { range } = o;
  const level = answeredLevel(heard.population, range);
  const isBad = causes.length === 0 && isBadLevel(level) && !heard.isFiltered;
  const isDoubtful = clientErrorShare(level) >= DOUBTFUL_LEVEL && !heard.isFiltered;
  const isTold = causes.length === 0 && !isBad && o.isWhole && heard.hasLog && level.rows >= LEAST_ROWS;
  const isCalm = isTold && !isDoubtful;
  return {
    headline: `${o.zone.name}: ${headlineOf(causes, heard, o, { level, isBad, isTold, isDoubtful })}`,
    verdict: causes.length > 0 || isBad ? 'wrong' : isCalm ? 'calm' : 'unknown',
    findings: causeFindings(causes, o),
    sections: [
      sectionOf(
        'causes',
        `what is wrong in ${duration(range.to - range.from)}, what spoils most requests first (UTC)`,
        causes,
        {
          sentence: (cause) => causeSentence(cause, range.to, o.rules),
          columns: [
            onScreen('SINCE', 12, ({ since }) => (since === null ? 'not known' : moment(since, range.to))),
            words('state', 'STATE', 5, ({ until }) => (until === null ? 'on' : 'over')),
            words('sureness', 'SURE', 8, ({ sureness }) => sureness),
            shares('share', 'SHARE', 6, ({ share }) => share),
            words('what', 'WHAT', 13, ({ what }) => what),
            rest('with', 'WITH', (cause) => withWords(cause, o.rules)),
          ],
          row: (cause, at) => ({
            tone: cause.until === null ? 'bad' : 'notable',
            isSubject: at === 0,
            ...ledFrom(cause, o),
          }),
          note: causes.length > 0 ? 'SHARE: of the requests of its time' : lookedFor(heard),
        },
      ),
      ...causes.slice(0, TOLD).map((cause) => evidenceSection(cause, o)),
      ...notesSection(causes, heard, level),
    ],
    coverage: coverageOf(heard, o, level.rows),
    isWhole:
      o.isWhole && isReadWhole(heard) && heard.isShieldRead !== false && !o.isCut && o.missing.length === 0,
  };
}

/** Samples of a quiet zone can be all that there is. */
function isReadWhole({ population, range, hasLog }: Heard): boolean {
  const read = population.parts.map(({ from, readTo }) => ({ from, to: Math.max(from, readTo) }));
  return hasLog && timeShared(range, read) >= range.to - range.from;
}

type Judged = { level: Level; isBad: boolean; isTold: boolean; isDoubtful: boolean };

function headlineOf(
  [first, ...others]: readonly Cause[],
  heard: Heard,
  o: About,
  { level, isBad, isTold, isDoubtful }: Judged,
): string {
  const { range } = o;
  const span = duration(range.to - range.from);
  if (first)
    return joined([
      causeSentence(first, range.to, o.rules),
      others.length > 0 ? counted(others.length, 'more cause') : '',
    ]);
  if (o.read.length === 0) return `what is wrong in ${span}?`;
  if (isBad)
    return `${levelWords(level)} in ${span}: no good level, and no single cause of ${percent(LEAST_SPOILT)} or more`;
  if (!heard.hasLog) return 'no CDN log is kept, and no rule of Shield acts more than usual';
  if (level.rows < LEAST_ROWS) return `too few requests to tell: ${counted(level.rows, 'row')} in ${span}`;
  if (isTold) {
    const of = `nothing stands out from the usual in ${counted(level.rows, 'row')} of ${span}`;
    return isDoubtful
      ? `${levelWords(level)} as far back as was read: ${of}, but that is no good level`
      : `calm: ${levelWords(level)}, ${of}`;
  }
  return `nothing stands out so far: ${count(o.read.length)} of ${counted(o.asked.length, 'request')} read`;
}

function lookedFor({ hasLog, isShieldRead, isFiltered }: Heard): string {
  return joined(
    [
      hasLog
        ? `looked for: ${isFiltered ? '' : '5xx from 1%, '}refusals, not found, misses and single senders above the usual`
        : '',
      isShieldRead ? 'rules of Shield that act more than usual' : '',
    ],
    ', ',
  );
}

function coverageOf({ isShieldRead, hasLog }: Heard, o: About, rows: number): string {
  const ofLogs = (needs: readonly Need[]) => needs.filter(({ kind }) => kind === 'logs').length;
  const shield =
    isShieldRead === null
      ? 'Shield not asked'
      : isShieldRead
        ? `Shield read${o.isCut ? ', its largest groups alone' : ''}`
        : 'Shield not read';
  const log = hasLog
    ? `${count(ofLogs(o.read))} of ${counted(ofLogs(o.asked), 'sample')}, ${counted(rows, 'row')} of the window`
    : 'no CDN log is kept';
  return joined([log, shield, ...o.missing]);
}
