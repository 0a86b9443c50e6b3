import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { Inquiry, LogNeed, Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import { readInquiry } from '../../src/effects/read-inquiry.ts';

const need = (n: number): LogNeed => ({
  kind: 'logs',
  side: 'now',
  zoneId: '1',
  range: { from: n, to: n + 1 },
  filter: {},
});

/** Three requests, of which the answers name one more and leave two unread. */
function inquiryOf(told: Met[]): Inquiry {
  const left = [need(20), need(21)];
  let isNamed = false;
  return {
    needs: [need(0), need(1), need(2)],
    follow: {
      most: 4,
      next() {
        const named = isNamed ? [] : [need(10)];
        isNamed = true;
        return named;
      },
    },
    add(each: Need, met) {
      told.push(met);
      const from = each.kind === 'logs' ? each.range.from : 0;
      const at = left.findIndex(({ range }) => range.from === from);
      if (at >= 0) left.splice(at, 1);
    },
    table: () => ({ headline: '', verdict: 'unknown', sections: [], coverage: '', isWhole: false }),
    rest: () => left,
  };
}

/** Whom it asks, in which order; the request numbered `bad` fails, and at `end` the reader leaves. */
async function asked(most: number | null, o: { bad?: number; end?: number } = {}) {
  const sent: number[] = [];
  const told: Met[] = [];
  const leaving = new AbortController();
  const client = {
    async logs({ from }: { from: number }) {
      sent.push(from);
      if (from === o.end) leaving.abort();
      return from === o.bad
        ? { ok: false, failure: failureOf('serverError', {}) }
        : { ok: true, value: { rows: [], hasMore: false } };
    },
  } as never;
  const said: number[] = [];
  const asking = await readInquiry({
    client,
    inquiry: inquiryOf(told),
    most,
    signal: leaving.signal,
    said: ({ answered }) => void said.push(answered),
  });
  assert.equal(told.length, asking.answered);
  assert.deepEqual(
    said,
    said.toSorted((a, b) => a - b),
  );
  return { sent, asking };
}

test('as many requests are sent as the price says; a bound cuts them, and a larger one reads what they left', async () => {
  const usual = await asked(null);
  assert.deepEqual(usual.sent, [0, 1, 2, 10]);
  assert.equal(usual.asking.isCut, false);
  for (const [most, sent] of [
    [0, []],
    [2, [0, 1]],
    [3, [0, 1, 2]],
    [4, [0, 1, 2, 10]],
    [5, [0, 1, 2, 10, 20]],
    [40, [0, 1, 2, 10, 20, 21]],
  ] as const) {
    const bound = await asked(most);
    assert.deepEqual(bound.sent, sent, `${most}`);
    assert.equal(bound.asking.isCut, most < 4, `${most}`);
  }
});

test('what failed is counted and not asked for again; a reader that leaves ends it', async () => {
  const failed = await asked(40, { bad: 1 });
  assert.deepEqual(failed.sent, [0, 1, 2, 10]);
  assert.deepEqual([failed.asking.failures, failed.asking.failure?.kind], [1, 'serverError']);
  const left = await asked(null, { end: 2 });
  assert.deepEqual(left.sent, [0, 1, 2]);
  assert.ok(left.asking.isCut && left.asking.answered < 3);
});
