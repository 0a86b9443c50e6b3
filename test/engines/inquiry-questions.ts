import assert from 'node:assert/strict';
import { BYPASS_FIELDS } from '../../src/domain/clients/client-identity.ts';
import type { Inquiry, Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { logField } from '../../src/domain/query/fields.ts';
import { bypassInquiry, bypassQuestions } from '../../src/domain/questions/clients/ask-bypass.ts';
import { anonymisationOf, type PullZone } from '../../src/domain/zone.ts';
import type { Rng } from '../../src/simulator/random.ts';
import type { History } from '../../src/store/history.ts';
import { comparing } from '../domain/questions/ask-scene.ts';
import { zoneOf } from '../support/state.ts';
import type { Ask } from './counts-questions.ts';

/** The whole answer about misses, made of all rows and of what an engine counts. */
export function missesQuestion(asked: RowsAsked, wanted: readonly LogRecord[], rng: Rng): Ask {
  const { from, to } = asked.range;
  const middle = Math.floor((from + to) / 2);
  const zones = zonesOf(asked, rng);
  return whole(asked, wanted, (storedUntil) =>
    comparing('misses', {
      zones,
      terms: asked.terms,
      now: { from: middle, to },
      before: { from, to: middle },
      against: 'the window before',
      rows: null,
      storedUntil,
    }),
  );
}

/** Whether a client was let through, and what it looks like: one that some row is of, or nobody's. */
export function throughQuestion(
  records: readonly LogRecord[],
): (asked: RowsAsked, wanted: readonly LogRecord[], rng: Rng) => Ask {
  return (asked, wanted, rng) => {
    const { range } = asked;
    const rows = records.filter(({ timestamp }) => timestamp >= range.from && timestamp < range.to);
    const zones = zonesOf(asked, rng);
    const field = rng.pick(BYPASS_FIELDS);
    const some = wanted.length > 0 ? wanted : records;
    const value = rng.chance(0.1) ? null : String(logField(field)?.get(rng.pick(some), NO_CAUSES) ?? '');
    const questions = bypassQuestions(field, value, zones, anonymisationOf(zones));
    if (!questions.ok) return async () => {};
    return whole(asked, rows, (storedUntil) => bypassInquiry({ ...questions, range, storedUntil }));
  };
}

/** An answer of rows that were all read, and the same of what an engine counts: they say the same. */
function whole(asked: RowsAsked, wanted: readonly LogRecord[], make: (storedUntil?: number) => Inquiry): Ask {
  const rows = wanted.toSorted((a, b) => a.timestamp - b.timestamp);
  const read = make();
  for (const need of read.needs) read.add(need, metOf(rows, need));
  return async (history, about) => {
    const counted = make(asked.range.to);
    for (let needs = counted.needs; needs.length > 0; needs = counted.follow?.next() ?? [])
      for (const need of needs) counted.add(need, await countedMet(history, rows, need));
    assert.deepEqual(figuresOf(counted), figuresOf(read), about());
  };
}

function figuresOf(inquiry: Inquiry): unknown {
  const { coverage: _, ...figures } = inquiry.table();
  return figures;
}

function metOf(rows: readonly LogRecord[], need: Need): Met {
  if (need.kind !== 'logs') throw new Error('only logs are asked for');
  const { from, to } = need.range;
  const records = rows.filter(
    ({ timestamp, pullZoneId }) => timestamp >= from && timestamp < to && pullZoneId === need.zoneId,
  );
  return { kind: 'logs', records, hasMore: false };
}

async function countedMet(history: History, rows: readonly LogRecord[], need: Need): Promise<Met> {
  if (need.kind !== 'logs' || need.counts === undefined) return metOf(rows, need);
  const { terms, anonymisation, of } = need.counts;
  const asked = { zones: [{ ids: [need.zoneId], anonymisation }], range: need.range, terms };
  const answer = await history.count(asked, of);
  if (answer === null) return { kind: 'uncounted', why: history.refusal(asked, of) ?? '' };
  return { kind: 'counts', covered: [need.range], counts: answer.counts };
}

function zonesOf({ zones }: RowsAsked, rng: Rng): [PullZone, ...PullZone[]] {
  const [first, ...more] = zones.flatMap(({ ids, anonymisation }) =>
    ids.map((id) => zoneOf(id, `zone${id}`, { anonymisation })),
  );
  return first === undefined ? [zoneOf('11', 'zone11')] : [first, ...more.filter(() => rng.chance(0.5))];
}
