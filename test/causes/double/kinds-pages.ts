import type { Visits } from './catalogue.ts';
import { greedy, refusedCountry, scraper, sent } from './kinds-clients.ts';
import { onePath } from './kinds-origin.ts';
import { broughtBy, onFocus, turnPart } from './parts.ts';
import { drawerOf, unit } from './random.ts';
import { CLASSES, fillClient, type Row } from './rows.ts';
import type { Kind, Setting, Story } from './setting.ts';
import { senderOf } from './streams.ts';
import type { Named } from './truth.ts';
import { inViews } from './views.ts';

const PAGES: Visits = { images: [5, 12] };
const RICH: Visits = { images: [16, 32] };

/** Requests of one view of those pages. Whoever counts clients counts so many fewer. */
const A_VIEW = 15;

const byNetwork: typeof greedy = (s, zone, share, times) => scraper(s, zone, share, times, 'asn');

function refused(s: Setting): Story {
  const from = s.ago(3, 50);
  const zone = s.zone({ rate: s.rates(0.045 / A_VIEW, from), visits: PAGES });
  return { zone, parts: [refusedCountry(s, zone, { from, to: s.end() })] };
}

/** A rule sends everybody who asks for a section to where he is already, and most ask again, fifteen times at most. */
const AGAIN = 7.5;

function redirectLoop(s: Setting): Story {
  const times = { from: s.ago(3, 50), to: s.end() };
  const focus = { what: 'section', share: s.dice.between(0.1, 0.5), kinds: ['html'] } as const;
  const rate = s.rates(0.1 / (1 + AGAIN), times.from);
  const zone = s.zone({ rate, hit: [0.45, 0.93], focus, visits: PAGES });
  const where = onFocus(zone);
  const { catalogue, crowd } = zone.inDepth();
  const again = where.share * AGAIN;
  const moved = (row: Row) => {
    row.status = 301;
    row.cache = '-';
    row.bytes = 300;
  };
  const first = turnPart(s, {
    ...{ what: 'redirected', ...times, names: [...where.names, { field: 'status', value: '301' }] },
    share: where.share / (1 + again),
    turn: (row) => {
      if (where.meets(row)) moved(row);
    },
  });
  const usual = { hit: 0, moved: 1, client: 0, server: 0 };
  const sender = senderOf(zone, {
    ...{ id: 15, ...times, share: again / (1 + again), crowd, fill: moved, usual },
    ...{ classes: CLASSES.moved, rules: false },
  });
  const drawer = drawerOf(catalogue.weights.map((w, i) => (catalogue.focus?.inside[i] === 1 ? w : 0)));
  const part = { drawer, least: 1, most: 2 * AGAIN - 1, within: 2950, again: true };
  const views = inViews(sender.seed, sender.mean, { mean: AGAIN, parts: [part] }, (row, ask) => {
    fillClient(row, crowd, ask.client);
    row.page = ask.page;
    row.path = catalogue.pages[ask.page]?.path ?? '';
    moved(row);
  });
  // What is turned is a part of the ordinary requests; those that come again are of the cause as well.
  const cause = first.cause && { ...first.cause, share: first.cause.share * (1 + AGAIN) };
  const made = { ...first, cause, streams: [{ ...sender, ...views }] };
  const rule = `[{"ActionType":"Redirect","Triggers":["*${catalogue.focus?.name}*"]}]`;
  const at = times.from - s.dice.int(2, 60) * 1000;
  return { zone, parts: [broughtBy(made, zone, at, 'EdgeRules', '[]', rule)] };
}

const calmWith = (visits: Visits): Kind => ({
  window: 'any',
  tell: (s) => ({ zone: s.zone({ visits }), parts: [] }),
});

/** One of ten copies is lost, whoever asks for it, of pages that embed dozens of files. */
function evicted(s: Setting): Story {
  const [from, share] = [s.ago(4, 50), 0.09];
  const zone = s.zone({
    rate: s.rates(share / 10, from, 200),
    hit: [0.85, 0.93],
    visits: { images: [30, 60] },
  });
  const turn = (row: Row) => {
    if (row.cache === 'HIT' && unit(row.key, 42) < 0.1) row.cache = 'MISS';
  };
  const names: Named[] = [{ field: 'cache', value: 'MISS' }];
  return { zone, parts: [turnPart(s, { what: 'misses', from, to: s.end(), share, names, turn })] };
}

/** Hours of zones whose requests come as page views. */
export const PAGE_KINDS: Readonly<Record<string, Kind>> = {
  pagesOnePath: { window: 'any', tell: (s) => onePath(s, PAGES) },
  pagesRefusedCountry: { window: 'any', tell: refused },
  pagesGreedyClient: { window: 'any', tell: sent(0.15, 0.45, greedy, PAGES) },
  pagesScraper: { window: 'any', tell: sent(0.1, 0.3, byNetwork, PAGES) },
  redirectLoop: { window: 'any', tell: redirectLoop },
  pagesEvicted: { window: 'any', tell: evicted },
  calmPages: calmWith(PAGES),
  calmRichPages: calmWith(RICH),
};
