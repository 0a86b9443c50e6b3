import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../src/domain/failure.ts';
import type { AnswerTable } from '../../../src/domain/inquiry/answer-table.ts';
import type { Inquiry, Met, Need } from '../../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { EMPTY_QUERY, type Query } from '../../../src/domain/query/query.ts';
import { WRONG_BUDGET } from '../../../src/domain/questions/wrong/ask-wrong.ts';
import type { ShieldAnswer, ShieldGroup } from '../../../src/domain/shield/shield.ts';
import { recordOf, zoneOf } from '../../support/state.ts';
import { HOUR, MINUTE, NOON } from '../scene.ts';
import { asking, figuresOf } from './ask-scene.ts';
import { accountOf, asked, placeOf, planted } from './wrong-truth.ts';

const range = { from: NOON - 15 * MINUTE, to: NOON };
const DAY = 24 * HOUR;

type Told = {
  /** What is odd of the n-th request, at its time; a hundred of them a second. Null: it does not come. */
  rows?: (at: number, n: number) => object | null;
  groups?: (need: Need) => ShieldGroup[];
  errors?: readonly object[];
  changes?: readonly object[];
  hours?: readonly object[];
  refuses?: (need: Need) => boolean;
};

const REFUSED: Met = { kind: 'failed', failure: failureOf('notFound', {}) };
const RATE = 100;

function ask(o: { query?: Query; shieldZoneId?: string | null; edge?: number } = {}): Inquiry {
  return asking('wrong', {
    ...{ zones: [zoneOf('1', 'shop')], range, withCauses: true },
    terms: (o.query ?? EMPTY_QUERY).terms,
    shieldZoneId: o.shieldZoneId === undefined ? '9' : o.shieldZoneId,
    edge: o.edge ?? NOON - 71 * HOUR - 30 * MINUTE,
  });
}

function answers({ rows = () => ({}), groups = () => [], refuses = () => false, ...told }: Told) {
  const evidence = (value: object | null, kind: string): Met =>
    value === null ? REFUSED : ({ kind, value } as unknown as Met);
  return (need: Need): Met => {
    if (refuses(need)) return REFUSED;
    switch (need.kind) {
      case 'shield': {
        const found = groups(need);
        const answer: ShieldAnswer = {
          ...{ kind: 'groups', events: [], groups: found, total: found.length },
          ...{ totalPages: 1, page: 0, bad: 0 },
        };
        return { kind: 'shield', answer };
      }
      case 'originErrors':
        return evidence(told.errors ? { errors: told.errors, unread: 0 } : null, need.kind);
      case 'changes':
        return evidence(told.changes ? { changes: told.changes, next: null, unread: 0 } : null, need.kind);
      case 'statistics':
        return evidence(told.hours ?? null, need.kind);
      case 'logs':
        return rowsOf(need, rows);
    }
  };
}

function rowsOf(
  { range: { from, to }, rows: most = 10_000 }: Need & { kind: 'logs' },
  odd: NonNullable<Told['rows']>,
): Met {
  const step = 1000 / RATE;
  const first = Math.ceil(from / step);
  const length = Math.max(0, Math.ceil(to / step) - first);
  const records: LogRecord[] = [];
  for (let n = first; n < first + length; n++) {
    const own = odd(n * step, n);
    if (own === null) continue;
    if (records.length === most) return { kind: 'logs', records, hasMore: true };
    const isMiss = n % 4 === 0 || ('statusCode' in own && Number(own.statusCode) >= 500);
    const usual = {
      ...{ timestamp: n * step, statusCode: 200, cacheStatus: isMiss ? 'MISS' : 'HIT' },
      ...{ path: `/p/${n % 50}`, asn: `${n % 40}`, remoteIp: `192.0.2.${n % 200}` },
    };
    records.push(recordOf(0, { ...usual, ...own }));
  }
  return { kind: 'logs', records, hasMore: false };
}

function group(key: ShieldGroup['key'], count: number, firstSeen: number, lastSeen: number): ShieldGroup {
  const counts = { country: null, asn: null, blocked: null, challenged: null, logged: null };
  return { key, count, firstSeen, lastSeen, raw: null, context: { ...counts, features: [], ruleIds: [] } };
}

const change = (timestamp: number, field: string, old: string, now: string) => ({
  ...{ timestamp, product: null, resourceType: 'PullZone', resourceId: '1', action: 'Update' },
  ...{ actorId: null, actorType: null, diff: { fields: [{ field, old, now }], text: '' } },
});

const error = (timestamp: number, code: string) => ({
  ...{ logId: null, timestamp, code, status: 502, raw: null, url: '/p', message: null, edge: 'DE' },
});

const causesOf = (inquiry: Inquiry) => inquiry.table().sections[0]?.rows.map(({ cells }) => cells) ?? [];
const textsOf = (inquiry: Inquiry) =>
  inquiry.table().sections.flatMap(({ rows }) => rows.map(({ cells }) => cells[0] ?? ''));

/** The answer to it, and how many requests it took. */
function told(o: Told & { edge?: number }): { inquiry: Inquiry; headline: string; requests: number } {
  const inquiry = ask(o);
  const requests = asked(inquiry, answers(o));
  assert.ok(requests <= WRONG_BUDGET, `${requests} requests`);
  return { inquiry, headline: inquiry.table().headline, requests };
}

const failing = (at: number, n: number) =>
  at >= NOON - 6 * MINUTE && n % 3 === 0 ? { statusCode: 502 } : {};

test('each planted incident is told, and the first cause is one of those of its window', () => {
  // All seeds are the matter of `npm run test:causes`.
  for (const seed of [3, 11]) {
    const account = accountOf(seed);
    const kinds = new Map<string, number>();
    for (const { truth, range: window } of planted(account.truths)) {
      const seen = kinds.get(truth.kind) ?? 0;
      kinds.set(truth.kind, seen + 1);
      if (seen >= 1) continue;
      const { table, requests } = account.ask(account.zoneOf(truth), window);
      const place = placeOf(table(), truth);
      const isFirst = account.besides(truth, window).some((other) => placeOf(table(), other) === 0);
      assert.ok(place === 0 || (place > 0 && isFirst), `seed ${seed}, ${truth.id}: ${table().headline}`);
      assert.ok(requests <= WRONG_BUDGET);
    }
    assert.equal(kinds.size, 6);
  }
});

test('ordinary hours are calm, and it says what it looked at', () => {
  const account = accountOf(5);
  for (const { zone, range: hour } of account.calm(5)) {
    const { headline, verdict } = account.ask(zone, hour).table();
    assert.match(
      headline,
      /: calm: 5xx [\d<.]+%, hit ratio [\d.]+%, nothing stands out .* in [\d,]+ rows of 1h$/,
    );
    assert.equal(verdict, 'calm');
  }
});

test('what fails for as long as the log is kept is wrong, since before what was read, and no change is blamed', () => {
  const { headline, inquiry } = told({
    rows: (_, n) => (n % 10 < 3 ? { statusCode: 502 } : {}),
    errors: Array.from({ length: 500 }, (_, n) => error(NOON - 12 * HOUR + n * 60_000, 'dns_lookup')),
    changes: [change(NOON - 17 * MINUTE, 'OriginUrl', 'a.example', 'b.example')],
  });
  assert.match(
    headline,
    /^shop: 30\.\d% of requests answered 502 by the origin since before \d\d-\d\d 13:44, as far back as was read \(dns_lookup\)$/,
  );
  assert.deepEqual(causesOf(inquiry)[0]?.slice(1, 6), ['on', '30.1%', '30.0%', 'sure', 'origin fails']);
  assert.doesNotMatch(textsOf(inquiry).join('\n'), /OriginUrl/);
});

test('one page in forty that always fails is a cause: two in a hundred are, whatever strays there are besides', () => {
  const { headline } = told({ rows: (_, n) => (n % 41 === 0 ? { statusCode: 500, path: '/legacy' } : {}) });
  assert.match(
    headline,
    /^shop: 2\.4% of requests answered 500 by the origin with page:\/legacy since before /,
  );
});

test('of what was there when the oldest row was read no change right before that is blamed', () => {
  const { headline, inquiry } = told({
    edge: range.from,
    rows: (_, n) => (n % 10 < 3 ? { statusCode: 502 } : {}),
    changes: [change(range.from - 2 * MINUTE, 'OriginUrl', 'a.example', 'b.example')],
  });
  assert.match(headline, /^shop: 30\.\d% of requests answered 502 by the origin since before 11:45/);
  assert.doesNotMatch(textsOf(inquiry).join('\n'), /OriginUrl/);
});

test('a sample that is unread makes a cause less sure, and is said', () => {
  const { inquiry } = told({
    rows: failing,
    refuses: (need) => need.kind === 'logs' && need.side === 'before' && need.range.from < NOON - 60 * HOUR,
  });
  assert.deepEqual(
    [1, 4].map((at) => causesOf(inquiry)[0]?.[at]),
    ['on', 'likely'],
  );
  assert.ok(
    inquiry.table().sections.some(({ note }) => note === 'likely, not surer because 1 sample is unread'),
  );
});

test('what is refused for as long as the log is kept may be usual, but is not called calm', () => {
  const { inquiry, headline } = told({ rows: (_, n) => (n % 10 < 7 ? { statusCode: 403 } : {}) });
  assert.match(headline, /^shop: 5xx 0%, 4xx 70\.\d%, .* as far back as was read: .* no good level$/);
  assert.equal(inquiry.table().verdict, 'unknown');
});

test('the statistics of the platform tell since when, where no row can', () => {
  const hour = Math.floor((NOON - 5 * DAY) / HOUR) * HOUR;
  const hours = Array.from({ length: 24 * 8 }, (_, n) => {
    const at = NOON - 8 * DAY + n * HOUR;
    return { at, requests: 1000, serverErrors: at >= hour ? 300 : 1 };
  });
  const { headline } = told({ rows: (_, n) => (n % 10 < 3 ? { statusCode: 502 } : {}), hours });
  assert.match(
    headline,
    new RegExp(`by statistics since the hour of ${new Date(hour).toISOString().slice(5, 10)} 12:00$`),
  );
});

test('a beginning hours ago is found to the minute, and an innocent change after it is not blamed', () => {
  const begin = NOON - 52 * MINUTE;
  const { headline, inquiry } = told({
    rows: (at, n) => (at >= begin && n % 3 === 0 ? { statusCode: 502 } : {}),
    changes: [
      change(NOON - 17 * MINUTE, 'OriginUrl', 'a.example', 'b.example'),
      change(begin - 4 * MINUTE, 'LogAnonymizationType', '0', '1'),
    ],
  });
  assert.match(headline, /since 11:0[789]$/);
  assert.doesNotMatch(textsOf(inquiry).join('\n'), /OriginUrl|LogAnonymization/);
});

test('the change that brought it about is in the first sentence, with what it was and became', () => {
  const { headline } = told({
    rows: failing,
    errors: Array.from({ length: 30 }, (_, n) => error(NOON - 6 * MINUTE + n * 10_000, 'dns_lookup')),
    changes: [change(NOON - 9 * MINUTE, 'OriginUrl', 'origin.example', 'orgin.example')],
  });
  assert.match(
    headline,
    /^shop: 33\.[34]% of requests answered 502 by the origin since 11:54 \(dns_lookup\); OriginUrl was changed at 11:51: origin\.example -> orgin\.example$/,
  );
});

test('requests that do not come are told to the minute, beside the same time of other days', () => {
  const begin = NOON - 9 * MINUTE;
  const from = (rows: (n: number) => boolean) =>
    told({ rows: (at, n) => (at >= begin && !rows(n) ? null : {}) }).headline;
  assert.match(
    from((n) => n % 19 === 0),
    /^shop: 5\.\d% of the usual requests come since 11:5[01]$/,
  );
  assert.match(
    from((n) => n % 5 < 2),
    /^shop: 40\.\d% of the usual requests come since 11:5[01]$/,
  );
  assert.match(
    from(() => false),
    /^shop: no requests come since 11:5[01]$/,
  );
  assert.match(
    from((n) => n % 3 !== 1),
    /: calm: .*, 66\.\d% of the usual requests, nothing stands out/,
  );
});

test('requests that came less for some minutes, by three quarters, are told with their end', () => {
  const [from, to] = [NOON - 11 * MINUTE, NOON - 5 * MINUTE];
  const { headline } = told({ rows: (at, n) => (at >= from && at < to && n % 10 !== 0 ? null : {}) });
  assert.match(headline, /^shop: 10\.\d% of the usual requests came from 11:(?:48|49) to 11:5[45]/);
});

test('half of the usual all day is a quiet day, and less is no calm one', () => {
  const dayOf = (isThere: (n: number) => boolean) =>
    told({ rows: (at, n) => (at >= NOON - 10 * HOUR && !isThere(n) ? null : {}) }).headline;
  assert.match(
    dayOf((n) => n % 5 < 3),
    /: calm: .*, 60\.\d% of the usual requests, nothing stands out/,
  );
  assert.match(
    dayOf((n) => n % 5 < 2),
    /^shop: 5xx .*, 40\.\d% of the usual requests as far back as was read: .*, but that is no good level$/,
  );
});

test('a bad level of less than a cause says what most of its errors have', () => {
  const { headline } = told({
    rows: (_, n) => {
      if (n % 25 === 0)
        return { path: '/api/pay', cacheStatus: 'BYPASS', statusCode: n % 75 === 0 ? 500 : 200 };
      return n % 1000 === 1 ? { statusCode: 504 } : {};
    },
  });
  assert.match(
    headline,
    /5xx 1\.\d%.*no good level, and no single cause of 2\.0% or more; 9\d\.\d% of \d+ errors with page:\/api\/pay$/,
  );
});

test('a page that was always in the cache and is no more is told beside a calm hour', () => {
  const front = (isMissed: boolean) => ({ path: '/', cacheStatus: isMissed ? 'MISS' : 'HIT' });
  const { headline } = told({
    rows: (at, n) => (n % 40 === 0 ? front(at >= NOON - 12 * MINUTE && n % 400 !== 0) : {}),
  });
  assert.match(headline, /: calm: .*; but \d\d\.\d% of \d+ requests for shape:\/ fetched from the origin$/);
});

test('stray errors of an origin are a note, and no cause', () => {
  const errors = Array.from({ length: 15 }, (_, n) => error(NOON - 14 * MINUTE + n * 50_000, 'http_timeout'));
  const { headline, inquiry } = told({ errors, rows: (_, n) => (n % 5000 === 0 ? { statusCode: 504 } : {}) });
  assert.match(headline, /^shop: calm: /);
  assert.ok(
    textsOf(inquiry).some((text) => /^15 origin errors, less than 2\.0% of the requests$/.test(text)),
  );
});

test('what began a minute and a half ago is met, however many rows a second has', () => {
  const { headline } = told({
    rows: (at, n) => (at >= NOON - 90_000 && n % 2 === 0 ? { statusCode: 503 } : {}),
  });
  assert.match(headline, /^shop: 50\.\d% of requests answered 503 by the origin since 11:5[89]/);
});

test('query strings of one page are a storm of misses, whatever strays the origin has', () => {
  const { headline } = told({
    rows: (at, n) => ({
      ...(at >= NOON - 8 * MINUTE && n % 3 === 0 ? { path: `/search?q=${n}`, cacheStatus: 'MISS' } : {}),
      ...(n % 170 === 0 ? { statusCode: 504 } : {}),
    }),
    errors: Array.from({ length: 166 }, (_, n) => error(NOON - 14 * MINUTE + n * 5000, 'http_timeout')),
  });
  assert.match(
    headline,
    /^shop: .* fetched from the origin.* with page:\/search since 11:5[12], .* different query strings of \/search/,
  );
});

test('logins that are tried are one sender, with its rule; no change makes an attack', () => {
  const stopped = group({ ruleId: 'RL-7', ja4: 'odd' }, 300, NOON - 7 * MINUTE, NOON - 1000);
  const { headline, inquiry } = told({
    rows: (at, n) =>
      at >= NOON - 7 * MINUTE && n % 10 < 3
        ? { path: '/login', statusCode: 401, cacheStatus: 'BYPASS', ja4Fingerprint: 'odd' }
        : {},
    groups: (need) => (need.kind === 'shield' && need.side === 'now' ? [stopped] : []),
    changes: [change(NOON - 9 * MINUTE, 'OriginUrl', 'a.example', 'b.example')],
  });
  assert.match(
    headline,
    /^shop: one sender makes 30\.\d% of requests, answered 401 with ja4:odd page:\/login.* rule:RL-7 since 11:5[23]$/,
  );
  assert.doesNotMatch(textsOf(inquiry).join('\n'), /OriginUrl/);
});

test('what comes and goes has no beginning that was seen, and no change is held against it', () => {
  const { headline, inquiry } = told({
    rows: (at, n) =>
      at >= NOON - 13 * MINUTE && at % 240_000 < 120_000 && n % 2 === 0 ? { statusCode: 502 } : {},
    changes: [change(NOON - 14 * MINUTE, 'OriginUrl', 'a.example', 'b.example')],
  });
  assert.match(headline, /answered 502 by the origin on and off, since 11:\d\d or earlier/);
  assert.doesNotMatch(textsOf(inquiry).join('\n'), /OriginUrl/);
});

test('what comes and goes began behind the last time that is twice as long as its pauses, and a change before that is told', () => {
  const { headline, inquiry } = told({
    // Five requests a second: a sample sees three minutes.
    rows: (at, n) => {
      if (n % 20 > 0) return null;
      const isOn = at >= NOON - 9 * MINUTE && (at - NOON + 9 * MINUTE) % 120_000 < 60_000;
      return isOn && (n / 20) % 3 > 0 ? { statusCode: 502 } : {};
    },
    changes: [change(NOON - 10 * MINUTE, 'OriginUrl', 'a.example', 'b.example')],
  });
  assert.match(headline, /answered 502 by the origin on and off since 11:51/);
  assert.match(textsOf(inquiry).join('\n'), /OriginUrl/);
});

test('what rises is one cause, and no pause lies between its little and its much', () => {
  const { headline } = told({
    rows: (at, n) => {
      const share = at < NOON - 11 * MINUTE ? 0 : at < NOON - 5 * MINUTE ? 4 : 30;
      return (n * 37) % 100 < share ? { statusCode: 502 } : {};
    },
  });
  assert.match(headline, /answered 502 by the origin since 11:49/);
});

test('what stays while all else falls is no cause, though it is more of what comes', () => {
  const { headline } = told({
    // Ten a second are refused, of a hundred, and then of forty.
    rows: (at, n) => {
      if (n % 10 === 0) return { statusCode: 403 };
      return at >= NOON - 40 * MINUTE && n % 10 > 3 ? null : {};
    },
  });
  assert.match(headline, /40\.\d% of the usual requests as far back as was read: nothing stands out/);
});

test('what is refused to all of a country does not pause while nobody of it comes', () => {
  const { headline } = told({
    // Five requests a second: a sample sees three minutes.
    rows: (at, n) => {
      if (n % 20 > 0) return null;
      const path = `/p/${(n / 20) % 47}`;
      if (n % 100 > 0 || at % 420_000 < 140_000) return { path };
      return { path, countryCode: 'BR', ...(at >= NOON - 13 * MINUTE ? { statusCode: 403 } : {}) };
    },
  });
  assert.match(headline, /answered 403, .* with country:BR since 11:4\d/);
});

test('only what was asked of the origin is answered by it', () => {
  const answered = (cacheStatus: string) =>
    told({ rows: (_, n) => (n % 10 < 3 ? { statusCode: 503, cacheStatus } : {}) }).headline;
  assert.match(answered('MISS'), /answered 503 by the origin since/);
  assert.match(answered('-'), /answered 503 since/);
  assert.match(answered('HIT'), /answered 503 from the cache since/);
});

test('two at once are told apart by their rows, and what spoils more requests is first', () => {
  const { inquiry } = told({
    rows: (at, n) => {
      if (at >= NOON - 12 * MINUTE && n % 10 < 4) return { statusCode: 502 };
      return at >= NOON - 10 * MINUTE && n % 10 === 5 ? { ja4Fingerprint: 'bot', path: `/x/${n % 97}` } : {};
    },
  });
  const causes = causesOf(inquiry);
  assert.deepEqual(
    causes.map((cells) => cells[5]),
    ['origin fails', 'one sender'],
  );
  assert.match(causes[1]?.[6] ?? '', /^ja4:bot/);
});

test('what is over is told with its end, and what goes on beside it', () => {
  const { inquiry } = told({
    rows: (at, n) => {
      if (at >= NOON - 13 * MINUTE && at < NOON - 7 * MINUTE && n % 2 === 0) return { statusCode: 502 };
      return at >= NOON - 4 * MINUTE && n % 10 === 0
        ? { statusCode: 403, countryCode: 'BR' }
        : { countryCode: 'DE' };
    },
  });
  assert.deepEqual(
    causesOf(inquiry).map((cells) => [cells[1], cells[5]]),
    [
      ['11:53', 'origin fails'],
      ['on', 'refused'],
    ],
  );
  assert.match(inquiry.table().headline, /from 11:4[67] to 11:5[23]/);
});

test('nothing is called calm before everything was read, and a part that failed is named', () => {
  const calm = answers({});
  const inquiry = ask();
  assert.match(inquiry.table().headline, /^shop: what is wrong in 15m\?$/);
  for (const need of inquiry.needs.slice(1)) inquiry.add(need, calm(need));
  assert.match(inquiry.table().headline, /^shop: nothing stands out so far: \d+ of \d+ requests read$/);
  const events = inquiry.needs.find(({ kind }) => kind === 'shield') as Need;
  inquiry.add(inquiry.needs[0] as Need, calm(inquiry.needs[0] as Need));
  const left = ask();
  asked(left, answers({ refuses: (need) => need.kind === 'shield' && need.side === 'now' }));
  assert.equal(left.table().verdict, 'unknown');
  assert.match(left.table().coverage, /Shield not read/);
  assert.deepEqual(
    left.rest().map(({ kind }) => kind),
    [events.kind],
  );
});

test('without other times to compare with only the level is judged, and nothing is sure', () => {
  const isUsual = (need: Need) => need.kind === 'logs' && need.side === 'before';
  const inquiry = ask();
  asked(inquiry, answers({ rows: failing, refuses: isUsual }));
  assert.notEqual(causesOf(inquiry)[0]?.[4], 'sure');
  assert.match(inquiry.table().sections[1]?.note ?? '', /no other time was read to compare with/);
});

test('an answer is a function of its rows: in whatever order they come, and however often', () => {
  const answer = answers({ rows: failing, changes: [change(NOON - 9 * MINUTE, 'OriginUrl', 'a', 'b')] });
  const [first, second] = [ask(), ask()];
  asked(first, answer);
  for (let needs = second.needs; needs.length > 0; needs = second.follow?.next() ?? [])
    for (const need of [...needs.toReversed(), ...needs]) second.add(need, answer(need));
  const told = (table: AnswerTable) => [figuresOf(table), table.findings, table.coverage, table.isWhole];
  assert.deepEqual(told(second.table()), told(first.table()));
});

test('where no sample could be read nothing is told, not even that there are few requests', () => {
  const { headline, inquiry } = told({ refuses: (need) => need.kind === 'logs' });
  assert.match(headline, /^shop: not told: none of \d+ samples was read$/);
  assert.equal(inquiry.table().verdict, 'unknown');
});

test('rows that a filter chose by their answer are not bad by their level', () => {
  const query: Query = {
    ...EMPTY_QUERY,
    terms: [{ kind: 'field', field: 'status', op: 'eq', values: ['5xx'], negated: false }],
  };
  const inquiry = ask({ query });
  asked(inquiry, answers({ rows: () => ({ statusCode: 502 }) }));
  assert.deepEqual(causesOf(inquiry), []);
});
