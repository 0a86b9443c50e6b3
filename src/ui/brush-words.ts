import { SERIES } from '../domain/timeline/series.ts';
import { stepOf } from '../domain/timeline/steps.ts';
import type { State } from '../state/model.ts';
import { spanOf } from '../state/timeline/brush.ts';
import { type Timeline, timelineOf } from '../state/timeline/timeline.ts';
import { count, duration, percent } from '../text/units.ts';
import { type Aside, spanText } from './row.ts';
import type { Look } from './theme.ts';

/** Parts that are told by their share. */
const PARTS_TOLD = 2;

/** What lies under the cursor of the timeline, or in what is selected there; null = it has no cursor. */
export function brushAside(state: State, look: Look): Aside | null {
  const { overlay } = state;
  if (overlay?.kind !== 'timeline') return null;
  const timeline = timelineOf(state);
  if (timeline === null) return null;
  const { steps, cover } = timeline;
  const range = spanOf(overlay, timeline);
  const [first, last] = [stepOf(steps, range.from), stepOf(steps, range.to - 1)];
  const known = cover.slice(first, last + 1);
  const times = `${spanText(range.from, range.to, look)} ${duration(range.to - range.from)}`;
  if (!known.some((each) => each === 'read' || each === 'part'))
    return known.includes('gap')
      ? { slot: 'gap', text: `${times}: missing` }
      : { slot: 'warning', text: `${times}: not read` };
  const isPart = known.some((each) => each !== 'read' && each !== 'ahead');
  return {
    slot: 'title',
    text: `${times}: ${isPart ? 'at least ' : ''}${countWords(timeline, first, last)}`,
  };
}

/** All of some steps, and the worst parts of them. */
function countWords({ series, counts, totals }: Timeline, first: number, last: number): string {
  const total = totals.slice(first, last + 1).reduce((sum, each) => sum + each, 0);
  const parts = SERIES[series]
    .map(({ id }, part) => {
      const own = counts.slice(first, last + 1).reduce((sum, each) => sum + (each[part] as number), 0);
      return { id, own };
    })
    .filter(({ own }) => own > 0)
    .slice(0, PARTS_TOLD)
    .map(({ id, own }) => `${id} ${percent(own / total)}`);
  return [count(total), ...parts].join(', ');
}
