import { isoOf } from '../../../text/units.ts';
import type { Between } from '../deviation/stretch.ts';
import type { AnswerFinding, Facts, FactValue } from '../inquiry/findings.ts';
import { type AskedAbout, ledFrom } from './cause-leads.ts';
import type { Cause } from './verdict.ts';
import { causeSentence, queryWords, type RuleTexts } from './wrong-words.ts';

/** Each cause as scripts read it, what spoils most requests first. */
export function causeFindings(
  causes: readonly Cause[],
  o: AskedAbout & { rules: RuleTexts },
): AnswerFinding[] {
  return causes.map((cause, at) => {
    const { leads } = ledFrom(cause, o);
    return { facts: causeFacts(cause, at + 1, o), ...(leads ? { leads } : {}) };
  });
}

/** `place`: the number of the cause, from 1 on. */
export function causeFacts(
  cause: Cause,
  place: number,
  { zone, range, rules: texts }: Pick<AskedAbout, 'zone' | 'range'> & { rules: RuleTexts },
): Facts {
  const { what, deviation, code, rules, since, isOnAndOff, until, share, sureness, whyNotSurer } = cause;
  return {
    cause: place,
    sentence: `${zone.name}: ${causeSentence(cause, range.to, texts)}`,
    what,
    with: [
      ...(deviation?.names ?? []).map(({ field, value }) => ({ field, value })),
      ...(code === null ? [] : [{ field: 'cause', value: code.code }]),
      ...rules.map(({ ruleId }) => ({ field: 'rule', value: ruleId })),
    ],
    since: timesOf(since),
    state: until === null ? 'on' : 'over',
    isOnAndOff,
    until: timesOf(until),
    share,
    sureness,
    whyNotSurer,
    evidence: evidenceOf(cause),
  };
}

/** The moments between which it lies; `from` null: it was so as far back as was read. */
function timesOf(times: Between | null): FactValue {
  return times && { from: isoOf(times.after), to: isoOf(times.before) };
}

function evidenceOf(cause: Cause): FactValue[] {
  const { deviation, fall, rules, code, changes, hour } = cause;
  const queries = queryWords(cause);
  return [
    ...(deviation === null
      ? []
      : [
          {
            kind: 'rows',
            rows: deviation.rows,
            samples: deviation.samples,
            share: deviation.times === null ? deviation.stretch.share : null,
            timesUsual: deviation.times,
            usual: deviation.usual,
            ...(queries === '' ? {} : { queryStrings: queries }),
          },
        ]),
    ...(fall === null ? [] : [{ kind: 'volume', ofUsual: fall.left }]),
    ...(code === null ? [] : [{ kind: 'originErrors', ...code }]),
    ...changes.map(({ timestamp, action, diff }) => ({
      ...{ kind: 'change', at: isoOf(timestamp), action },
      fields: diff.fields.map(({ field, old, now }) => ({ field, before: old, after: now })),
      text: diff.text,
    })),
    ...rules.map(({ ruleId, count, usual, ja4, firstSeen, lastSeen }) => ({
      ...{ kind: 'rule', rule: ruleId, events: count, usual, ja4 },
      from: isoOf(firstSeen),
      to: isoOf(lastSeen),
    })),
    ...(hour === null
      ? []
      : [
          {
            kind: 'statistics',
            hour: isoOf(hour.at),
            requests: hour.requests,
            serverErrors: hour.serverErrors,
          },
        ]),
  ];
}
