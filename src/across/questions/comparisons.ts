import { within } from '../../domain/inquiry/answer-table.ts';
import type { Asked, Known } from '../../domain/questions/asked/asked.ts';
import {
  type Against,
  isInParts,
  type Lens,
  lensesOf,
  NO_LENS,
} from '../../domain/questions/comparison/lenses.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { choiceOf, openAnswer } from '../../screens/answer/answer-commands.ts';
import type { Choice } from '../../state/answer-model.ts';
import { onlyZone, shieldZoneOf } from '../../state/log-zones.ts';
import { noticed, type State } from '../../state/model.ts';
import { topOf } from '../../state/view-stack.ts';
import { mayAskCauses } from './evidence-questions.ts';
import { readTimes, type Scene, sceneOf, storedUntil } from './scene.ts';

/** The newest time of the log that its rate is taken from, ms, and how much of it must have been read. */
const RATE_SPAN = 60_000;
const RATE_LEAST = 10_000;

/** This window against others; the user chooses one by its price. */
export function compared(state: State, scene: Scene): State {
  const { subject, zones, query, range } = scene;
  const zone = onlyZone(scene.zones);
  const shieldZoneId = typeof zone === 'string' ? null : shieldZoneOf(state, zone);
  if (subject === 'shield' && !shieldZoneId)
    return noticed(state, 'info', 'the Shield zone is still being looked for');
  const lenses = lensesOfScene(state, scene).filter((lens) => subject === 'logs' || !isInParts(lens));
  const choices = lenses.map((lens): Choice => {
    const { title, why } = lens;
    const asked = askedAgainst('compare', scene, lens);
    return asked === null
      ? { title, inquiry: null, asked, why }
      : choiceOf(title, asked, { now: state.now, shieldZoneId, ...storedUntil(state) }, why);
  });
  return openAnswer(state, {
    crumb: 'compared with',
    subject,
    zones,
    query: within(query, range),
    choices,
    needsAll: true,
    isFirstMeant: true,
    isWayTold: true,
  });
}

/** What started missing; from its answer the next window to compare with is asked. */
export function missed(state: State, scene: Scene): State {
  if (scene.subject !== 'logs')
    return noticed(state, 'info', 'misses are counted in the CDN log: 2 goes there');
  const variant = topOf(state, 'answer')?.variant ?? null;
  const isAgain = variant !== null;
  const beneath = isAgain ? { ...state, views: state.views.slice(0, -1) } : state;
  const about = isAgain ? sceneOf(beneath) : scene;
  if (typeof about === 'string') return noticed(state, 'info', about);
  const { zones, query } = about;
  const lenses = lensesOfScene(beneath, about).filter((lens) => lens.before && !isInParts(lens));
  const last = lenses.findIndex(({ id }) => variant === `misses ${id}`);
  const lens = lenses[(last + 1) % lenses.length];
  const asked = lens ? askedAgainst('misses', about, lens) : null;
  if (!lens || asked === null) return noticed(state, 'info', NO_LENS);
  const known: Known = {
    now: state.now,
    shieldZoneId: undefined,
    rows: rowsExpected(state, lens.now),
    withCauses: mayAskCauses(state, zones),
    ...storedUntil(state),
  };
  return openAnswer(beneath, {
    crumb: 'misses',
    zones,
    query: within(query, lens.now),
    variant: `misses ${lens.id}`,
    choices: [choiceOf(lens.title, asked, known)],
    needsAll: true,
  });
}

function lensesOfScene(state: State, { subject, zones, range, rest, edge }: Scene): Lens[] {
  const held = subject === 'logs' ? readTimes(state, zones) : [];
  return lensesOf({ range, rest, held, edge });
}

/** A question about a scene against an earlier window; null where there is none. */
function askedAgainst(
  question: Asked['question'],
  { subject, zones, query: { terms } }: Scene,
  { id, title, now, before }: Lens,
): Asked | null {
  if (before === null) return null;
  const against: Against = { id, title, ranges: before };
  return { question, subject, zones, terms, range: now, against };
}

/** The rows of a window at the rate of the log on screen; null where too little of that was read. */
function rowsExpected({ session }: State, range: TimeRange): number | null {
  const to = session?.report?.completeTo ?? null;
  if (!session || to === null) return null;
  const from = Math.max(session.from ?? Number.NEGATIVE_INFINITY, to - RATE_SPAN);
  if (to - from < RATE_LEAST) return null;
  const { requests } = session.book.stats({ from, to }, 1).total;
  return (requests * (range.to - range.from)) / (to - from);
}
