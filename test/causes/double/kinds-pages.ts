import type { Visits } from './catalogue.ts';
import { greedy, refusedCountry, scraper, sent } from './kinds-clients.ts';
import { onePath } from './kinds-origin.ts';
import type { Kind, Setting, Story } from './setting.ts';

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

const calmWith = (visits: Visits): Kind => ({
  window: 'any',
  tell: (s) => ({ zone: s.zone({ visits }), parts: [] }),
});

/** Hours of zones whose requests come as page views. */
export const PAGE_KINDS: Readonly<Record<string, Kind>> = {
  pagesOnePath: { window: 'any', tell: (s) => onePath(s, PAGES) },
  pagesRefusedCountry: { window: 'any', tell: refused },
  pagesGreedyClient: { window: 'any', tell: sent(0.15, 0.45, greedy, PAGES) },
  pagesScraper: { window: 'any', tell: sent(0.1, 0.3, byNetwork, PAGES) },
  calmPages: calmWith(PAGES),
  calmRichPages: calmWith(RICH),
};
