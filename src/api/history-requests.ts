import type { Result } from '../domain/failure.ts';
import type { LogHistory, RowsAsked, StoreRead } from '../domain/logs/log-history.ts';
import { printTerm } from '../domain/query/term-text.ts';
import { type RequestEvent, UNSENT } from '../domain/request-event.ts';
import { isoSecond } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';

/** The same store, its questions reported as requests are: `nextId` numbers them among these. */
export function toldHistory(
  history: LogHistory,
  o: { clock: Clock; onRequest: (event: RequestEvent) => void; nextId: () => number },
): LogHistory {
  const host = `${history.engine} ${history.name}`;

  async function told<T extends { read: StoreRead } | null>(
    method: string,
    what: string,
    ask: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const at = o.clock.now();
    const path = `${host}: ${what}`;
    const event: RequestEvent = { ...UNSENT, id: o.nextId(), at, method, host, path, phase: 'sent' };
    o.onRequest(event);
    const answer = await ask();
    const read = answer.ok ? (answer.value?.read ?? null) : null;
    o.onRequest({
      ...event,
      phase: 'done',
      took: o.clock.now() - at,
      bytes: read?.bytes ?? null,
      ...(read ? { rows: read.rows } : {}),
      outcome: answer.ok ? 'ok' : answer.failure.kind,
    });
    return answer;
  }

  return {
    ...history,
    page: (rows, page, signal) => {
      const { order, after, limit } = page;
      const way = order === 'desc' ? 'newest' : 'oldest';
      const behind = after === null ? '' : `, behind ${isoSecond(after.timestamp)}`;
      return told('ROWS', `${way} ${limit} of ${wordsOf(rows)}${behind}`, () =>
        history.page(rows, page, signal),
      );
    },
    groups: (rows, by, most, signal) =>
      told('GROUPS', `by ${by.join(', ')} of ${wordsOf(rows)}`, () => history.groups(rows, by, most, signal)),
    values: (rows, fields, most, signal) =>
      told('VALUES', `of ${fields.join(', ')} of ${wordsOf(rows)}`, () =>
        history.values(rows, fields, most, signal),
      ),
    steps: (rows, steps, series, signal) =>
      told('STEPS', `${steps.count} of ${steps.step} ms of ${wordsOf(rows)}`, () =>
        history.steps(rows, steps, series, signal),
      ),
    count(asked, signal) {
      const { pullZoneId, from, to, counts } = asked;
      const zones = [{ ids: [pullZoneId], anonymisation: counts.anonymisation }];
      const rows = wordsOf({ zones, range: { from, to }, terms: counts.terms });
      return told('COUNTS', `${counts.of.kind} of ${rows}`, () => history.count(asked, signal));
    },
  };
}

function wordsOf({ zones, range, terms }: RowsAsked): string {
  const ids = zones.flatMap((each) => each.ids).join(',');
  return [`zone ${ids}`, `${isoSecond(range.from)} to ${isoSecond(range.to)}`, ...terms.map(printTerm)].join(
    ' ',
  );
}
