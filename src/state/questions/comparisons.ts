import { logComparison, shieldComparison } from '../../domain/questions/comparison/ask-comparison.ts';
import { BASELINES, type BaselineId, baselineOf } from '../../domain/questions/comparison/baseline.ts';
import { within } from '../../domain/questions/inquiry/answer-table.ts';
import { eachWords } from '../../domain/questions/inquiry/reading-words.ts';
import { missInquiry } from '../../domain/questions/misses/ask-misses.ts';
import { shared, type TimeRange, timeShared } from '../../domain/tail/coverage.ts';
import { onlyZone } from '../logs/log-zones.ts';
import { noticed, type State, topView } from '../model.ts';
import { shieldZoneOf } from '../shield/shield-zone-of.ts';
import { type Choice, openAnswer } from './answer.ts';
import { readTimes, type Scene, sceneOf } from './scene.ts';

/** An earlier window to compare one with; null and why where there is none. */
type Lens = {
  id: BaselineId | 'half' | 'rest';
  title: string;
  now: TimeRange;
  before: TimeRange | null;
  why: string;
};

const LENSES = Object.keys(BASELINES) as BaselineId[];

/** The shortest time in memory of which the halves are compared, ms. */
const HALVES_LEAST = 120_000;

/** The time of the log on screen that tells its rate, ms, and how much of it must have been read. */
const RATE_SPAN = 60_000;
const RATE_LEAST = 10_000;

/** This window against others; the user chooses one and sees what each costs. */
export function compared(state: State, scene: Scene): State {
  const { subject, zones, query, range } = scene;
  const zone = onlyZone(scene.zones);
  const shieldZoneId = typeof zone === 'string' ? null : shieldZoneOf(state, zone);
  if (subject === 'shield' && !shieldZoneId)
    return noticed(state, 'info', 'the Shield zone is still being looked for');
  const choices = lensesOf(state, scene).map(({ title, now, before, why }): Choice => {
    if (before === null) return { title, inquiry: null, why };
    const windows = { query, now, before, against: title };
    const inquiry =
      subject === 'shield' && shieldZoneId
        ? shieldComparison({ shieldZoneId, ...windows })
        : logComparison({ zones, ...windows });
    return {
      title,
      inquiry,
      why: [why, eachWords(zones, inquiry)].filter((text) => text !== '').join('; '),
      query: within(query, now),
    };
  });
  return openAnswer(state, {
    crumb: 'compared with',
    subject,
    zones,
    query: within(query, range),
    choices,
    isWayTold: true,
  });
}

/**
 * The windows that this one can be compared with: of selected times the rest of what is on screen, the longer part first. Of rows in
 * memory the newer half is compared with the older one first, where no earlier window is in memory and the user has not chosen this one
 * by its times: that costs nothing.
 */
function lensesOf(state: State, scene: Scene): Lens[] {
  const rest = scene.rest
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .map((before): Lens => {
      const title = before.to <= scene.range.from ? 'the time before it' : 'the time after it';
      return { id: 'rest', title, now: scene.range, before, why: 'the rest of what is on screen' };
    });
  return [...rest, ...lensesOfWindow(state, scene)];
}

function lensesOfWindow(state: State, { subject, zones, query, range, edge }: Scene): Lens[] {
  const held = subject === 'logs' ? readTimes(state, zones) : [];
  const lenses = LENSES.map((id): Lens => {
    const { title } = BASELINES[id];
    const baseline = baselineOf(range, id, edge);
    if (!baseline.ok) return { id, title, now: range, before: null, why: baseline.why };
    const why = baseline.lost > 0 ? 'its beginning is no longer kept; counts are scaled by length' : '';
    return { id, title, now: range, before: baseline.range, why };
  });
  const isHeld = lenses.some(({ before }) => before && timeShared(before, held) === before.to - before.from);
  const [longest] = shared(range, held).toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (isHeld || !longest || longest.to - longest.from < HALVES_LEAST) return lenses;
  const middle = Math.floor((longest.from + longest.to) / 2);
  const now = { from: middle, to: longest.to };
  const before = { from: longest.from, to: middle };
  const half: Lens = { id: 'half', title: 'the half before', now, before, why: 'of what is in memory' };
  return query.window?.kind === 'absolute' ? [...lenses, half] : [half, ...lenses];
}

/** What started missing; asked again on its answer, against the next of the windows to compare with. */
export function missed(state: State, scene: Scene): State {
  if (scene.subject !== 'logs')
    return noticed(state, 'info', 'misses are counted in the CDN log: 2 goes there');
  const view = topView(state);
  const isAgain = view.kind === 'answer' && view.variant !== null;
  const beneath = isAgain ? { ...state, views: state.views.slice(0, -1) } : state;
  const about = isAgain ? sceneOf(beneath) : scene;
  if (typeof about === 'string') return noticed(state, 'info', about);
  const { zones, query } = about;
  const lenses = lensesOf(beneath, about).filter(({ before }) => before);
  const asked = lenses.findIndex(({ id }) => isAgain && view.variant === `misses ${id}`);
  const lens = lenses[(asked + 1) % lenses.length];
  if (!lens?.before) {
    return noticed(state, 'info', 'there is no earlier window to compare with in what is kept');
  }
  const { id, title, now, before } = lens;
  const rows = rowsExpected(state, now);
  const inquiry = missInquiry({ zones, query, now, before, against: title, rows });
  return openAnswer(beneath, {
    crumb: 'misses',
    subject: 'logs',
    zones,
    query: within(query, now),
    variant: `misses ${id}`,
    choices: [{ title, inquiry, why: eachWords(zones, inquiry) }],
  });
}

/** Rows of a window at the rate of those of the log on screen; null where too little of it was read to tell. */
function rowsExpected({ session }: State, range: TimeRange): number | null {
  const to = session?.report?.completeTo ?? null;
  if (!session || to === null) return null;
  const from = Math.max(session.from ?? Number.NEGATIVE_INFINITY, to - RATE_SPAN);
  if (to - from < RATE_LEAST) return null;
  const { requests } = session.book.stats({ from, to }, 1).total;
  return (requests * (range.to - range.from)) / (to - from);
}
