import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { timeCells } from '../../domain/logs/pane-columns.ts';
import type { RequestEvent } from '../../domain/request-event.ts';
import { layoutOf, requestsHeight } from '../../state/list/layout.ts';
import type { State } from '../../state/model.ts';
import { fit } from '../../text/fit.ts';
import { joined } from '../../text/joined.ts';
import { sanitise } from '../../text/sanitise.ts';
import { bytes, count, duration, shortCount } from '../../text/units.ts';
import { BoundedTable } from '../components/tables.tsx';
import { cut, textLine, timeCell, timeText, todayOf } from '../row.ts';
import type { Look } from '../theme.ts';

const NARROW = ['', 'TIME', 'ASKED', 'STATUS', 'TOOK'];
const TIME_CELLS = 8;
const WIDE = ['', 'TIME', 'ASKED', 'STATUS', 'WAITED', 'TOOK', 'BYTES'];

/** What was asked of the API and of a store, newest last: method, path, status, wait for the quota, time. It holds no secret. */
export function RequestsTable({ state, look }: { state: State; look: Look }): ReactNode {
  const { overlay } = state;
  const { columns } = layoutOf(state);
  if (overlay?.kind !== 'requests') return null;
  if (state.requests.length === 0)
    return <Text>{look.paint('dim', ' nothing was asked of the API yet')}</Text>;
  const shown = state.requests.slice(overlay.top, overlay.top + requestsHeight(state));
  const isNarrow = columns < 100;
  const today = todayOf(state, look);
  const isDated = state.requests.some(({ at }) => timeText(at, today, look).length > TIME_CELLS);
  const time = timeCells(columns, isDated);
  const pathWidth = Math.max(10, columns - (isNarrow ? 41 : 58) - (time - TIME_CELLS));
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">{textLine(` ${totalsOf(state)}`, { columns, look }, 'dim')}</Text>
      <BoundedTable
        rows={shown.map((event, index) =>
          row(
            event,
            overlay.top + index === overlay.cursor,
            pathWidth,
            look,
            timeCell(event.at, time, today, look),
          ),
        )}
        columns={isNarrow ? NARROW : WIDE}
        look={look}
      />
    </Box>
  );
}

/** All of the session, and how many of them are listed; what is not answered yet is in no other figure. */
function totalsOf({ requests, requestTotals }: State): string {
  const { asked, ok, failed, waited } = requestTotals;
  const open = asked - ok - failed;
  return [
    `${count(asked)} asked${asked > requests.length ? `, the last ${count(requests.length)} listed` : ''}: ${count(ok)} ok`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(open > 0 ? [`${count(open)} under way`] : []),
    `${bytes(requestTotals.bytes)} read`,
    ...(waited > 0 ? [`waited ${duration(waited)} for the quota`] : []),
  ].join(', ');
}

function row(
  event: RequestEvent,
  isCursor: boolean,
  pathWidth: number,
  look: Look,
  time: string,
): Record<string, string> {
  const outcome =
    event.phase === 'queued' ? 'waiting' : event.phase === 'sent' ? 'under way' : (event.outcome ?? '');
  const rows = event.rows === undefined ? '' : `${shortCount(event.rows)} rows`;
  return {
    '': isCursor ? look.glyph.cursor : ' ',
    TIME: time,
    ASKED: cut(`${event.method} ${sanitise(event.path, 'strict', pathWidth)}`, pathWidth, look),
    STATUS: fit(joined([String(event.status ?? ''), outcome, rows], ' '), 15),
    WAITED: fit(event.waited > 0 ? duration(event.waited) : '', 6, 'right'),
    TOOK: fit(event.took === null ? '' : event.took < 1 ? '<1ms' : duration(event.took), 6, 'right'),
    BYTES: fit(event.bytes === null ? '' : bytes(event.bytes), 5, 'right'),
  };
}
