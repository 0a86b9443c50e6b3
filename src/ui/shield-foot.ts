import { EMPTY_QUERY } from '../domain/query/query.ts';
import { printQuery } from '../domain/query/query-text.ts';
import { MOST_PARTS } from '../domain/shield/shield-groups.ts';
import { isFolded } from '../domain/shield/shield-question.ts';
import { MOST_SHIELD_ROWS } from '../domain/shield/shield-rows.ts';
import { shownEdge } from '../domain/shield/shield-window.ts';
import type { State } from '../state/model.ts';
import { isFullOf } from '../state/shield/shield-ask.ts';
import type { ShieldListView, ShieldView } from '../state/shield/shield-model.ts';
import { isAutoRefreshed, REFRESH_EVERY, refreshPrice } from '../state/shield/shield-refresh.ts';
import { fit, width } from '../text/fit.ts';
import { inAscii } from '../text/sanitise.ts';
import { count, counted, timeOfDay } from '../text/units.ts';
import { partsRead } from './shield-words.ts';
import type { Look } from './theme.ts';

/** The status line: what was read of how much, what is kept, what it cost. */
export function shieldFootLine(state: State, view: ShieldView, look: Look): string {
  const { columns } = state.size;
  const { dot } = look.glyph;
  const zone = look.utc ? 'utc' : 'local';
  const searches = state.requests.filter((each) => /\/search$/.test(each.path)).length;
  if (view.kind === 'shieldEvent') {
    return look.paint('dim', fit(` ${timeOfDay(view.row.at, { zone, date: true, millis: true })}`, columns));
  }
  const { reading } = view;
  const bad = view.kind === 'shieldRows' ? view.rows.bad : view.table.bad;
  const parts = [
    readWords(view),
    view.kind === 'shieldGroups' ? `${count(view.table.events - view.table.hidden)} events` : '',
    view.kind === 'shieldRows' && view.day ? `${view.day.pages} pages` : '',
    undecidedWords(view),
    bad > 0 ? `not understood ${count(bad)}` : '',
    boundWords(view),
    apartWords(view),
  ];
  const isAuto = isAutoRefreshed(state, view);
  const edge = `kept since ${timeOfDay(shownEdge(state.now), { zone, date: true }).slice(5, 16)}`;
  const more = isAuto ? `${refreshPrice(view)} more every ${REFRESH_EVERY / 1000} s` : edge;
  const asOf = reading.readAt === null ? '' : `as of ${timeOfDay(reading.readAt, { zone })}`;
  const lefts = [[...parts, asOf], parts].map(
    (each) => ` ${each.filter((text) => text !== '').join(` ${dot} `)}`,
  );
  const rights = [`${counted(searches, 'search', 'searches')} ${dot} ${more} `, `${more} `];
  const [full = '', short = ''] = lefts;
  // A price that is paid again and again comes before the time of the answer.
  const lines = [...rights.map((right) => [full, right]), ...(isAuto ? [[short, `${more} `]] : [])];
  const [left, right] = lines.find((each) => width(each.join('')) < columns) ?? [];
  if (left === undefined || right === undefined) {
    return look.paint('dim', fit(full, columns, 'left', look.glyph.cut));
  }
  const gap = columns - width(left) - width(right);
  return look.paint('text', left) + ' '.repeat(gap) + look.paint('dim', right);
}

/** What was read of how much. A sort is only as good as what it ran over, so that is said where more is there. */
function readWords(view: ShieldListView): string {
  const { total, isWhole } = view.reading;
  const what = view.kind === 'shieldGroups' ? (isFolded(view.reading.plan) ? 'parts' : 'groups') : 'events';
  const read = `${count(partsRead(view))}${total === null ? '' : ` of ${count(total)}`} ${what} read`;
  if (view.kind === 'shieldGroups' && !isWhole && total !== null) return `sorted over ${read}`;
  const isMoved = isWhole && total !== null && partsRead(view) < total;
  return isMoved ? `${read}, they moved meanwhile: Ctrl-r` : read;
}

function boundWords(view: ShieldListView): string {
  if (!isFullOf(view)) return '';
  const bound = view.kind === 'shieldGroups' ? MOST_PARTS : MOST_SHIELD_ROWS;
  return `bound of ${count(bound)} kept ${view.kind === 'shieldGroups' ? 'groups' : 'rows'} reached`;
}

/** A line that is no part of the newest answer must not pass for one. */
function apartWords(view: ShieldListView): string {
  const isApart = view.kind === 'shieldGroups' ? view.table.hasApart : view.rows.apart !== null;
  return isApart ? 'the last line is older, kept for the cursor' : '';
}

/** Terms that counts cannot tell are said, not silently dropped. */
function undecidedWords(view: ShieldListView): string {
  const { undecided } = view.reading.plan;
  return undecided.length === 0
    ? ''
    : `not in the counts: ${inAscii(printQuery({ ...EMPTY_QUERY, terms: undecided }), 30)}`;
}
