import { timeCells } from '../domain/logs/pane-columns.ts';
import { type RequestEvent, waitWords } from '../domain/request-event.ts';
import { countOfStrays } from '../domain/strays.ts';
import { smallTable, type TextColumn } from '../paint/list-columns.ts';
import { type Area, type Strip, timeCell, timeText, todayOf } from '../paint/row.ts';
import { requestsHeight } from '../state/list/layout.ts';
import type { ListPlace } from '../state/list.ts';
import type { State } from '../state/model.ts';
import { fitWords } from '../text/fit.ts';
import { joined } from '../text/joined.ts';
import { sanitise } from '../text/sanitise.ts';
import { bytes, count, counted, duration, shortCount } from '../text/units.ts';

/** Cells of a time of today, and from so many columns on there is room for wait and bytes. */
const TIME_CELLS = 8;
const WIDE_FROM = 100;

/** What was asked of the API and of a store, newest last: method, path, status, wait for the quota, time. It holds no secret. */
export function requestsBody(state: State, { cursor, top }: ListPlace, area: Area): string[] {
  const { requests } = state;
  if (requests.length === 0) return [area.look.paint('dim', ' nothing was asked of the API yet')];
  const shown = requests.slice(top, top + requestsHeight(state));
  return [
    area.look.paint('dim', fitWords(` ${totalsOf(state)}`, area.columns, area.look.glyph.cut)),
    ...smallTable(columnsOf(state, area), shown, cursor - top, area),
  ];
}

/** All of the session, and how many of them are listed; what is not answered yet is in no other figure. */
function totalsOf({ requests, requestTotals }: State): string {
  const { asked, ok, cancelled, failed, waited } = requestTotals;
  const open = asked - ok - cancelled - failed;
  return [
    `${counted(asked, 'request')} of this session${asked > requests.length ? `, the last ${count(requests.length)} listed` : ''}: ${count(ok)} ok`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(cancelled > 0 ? [`${count(cancelled)} cancelled`] : []),
    ...(open > 0 ? [`${count(open)} under way`] : []),
    `${bytes(requestTotals.bytes)} read`,
    ...(waited > 0 ? [`waited ${duration(waited)} for the quota`] : []),
  ].join(', ');
}

function columnsOf(state: State, { columns, look }: Strip): TextColumn<RequestEvent>[] {
  const isWide = columns >= WIDE_FROM;
  const today = todayOf(state, look);
  const isDated = state.requests.some(({ at }) => timeText(at, today, look).length > TIME_CELLS);
  const time = timeCells(columns, isDated);
  const room = columns - (time - TIME_CELLS);
  const path = Math.max(10, room - (isWide ? 58 : 41));
  // In the smallest windows how long it took is told before what came is told in full.
  const status = Math.min(15, room - 30);
  const waited: TextColumn<RequestEvent> = {
    title: 'WAITED',
    cells: 6,
    align: 'right',
    text: (event) => (event.waited > 0 ? duration(event.waited) : ''),
  };
  const read: TextColumn<RequestEvent> = {
    title: 'BYTES',
    cells: 5,
    align: 'right',
    text: (event) => (event.bytes === null ? '' : bytes(event.bytes)),
  };
  return [
    { title: 'TIME', cells: time, text: ({ at }) => timeCell(at, time, today, look) },
    {
      title: 'ASKED',
      cells: path,
      text: (event) => `${event.method} ${sanitise(event.path, 'strict', path)}`,
    },
    { title: 'STATUS', cells: status, text: (event) => statusWords(event, state.now) },
    ...(isWide ? [waited] : []),
    {
      title: 'TOOK',
      cells: 6,
      align: 'right',
      text: ({ took }) => (took === null ? '' : took < 1 ? '<1ms' : duration(took)),
    },
    ...(isWide ? [read] : []),
  ];
}

function statusWords({ phase, wait, status, outcome, rows, strays }: RequestEvent, now: number): string {
  const waiting = wait === null ? 'waiting' : waitWords(wait, now);
  const how = phase === 'waiting' ? waiting : phase === 'sent' ? 'under way' : strays ? '' : (outcome ?? '');
  return joined(
    [
      String(status ?? ''),
      how,
      rows === undefined ? '' : `${shortCount(rows)} rows`,
      strays ? `${shortCount(countOfStrays(strays))} strays` : '',
    ],
    ' ',
  );
}
