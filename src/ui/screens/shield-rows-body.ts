import { fieldNamed } from '../../domain/query/fields.ts';
import { shieldDetail } from '../../domain/shield/shield.ts';
import { placedRowColumns } from '../../domain/shield/shield-columns.ts';
import { logOf, type ShieldRow } from '../../domain/shield/shield-rows.ts';
import { detailedHeight, listColumns } from '../../state/list/layout.ts';
import { sidewaysOf } from '../../state/list/sideways.ts';
import type { State } from '../../state/model.ts';
import { dimensionUnder } from '../../state/shield/shield.ts';
import { shieldTop } from '../../state/shield/shield-ask.ts';
import type { ShieldRowsView } from '../../state/shield/shield-model.ts';
import { shieldTimeCells } from '../../state/shield/shield-widths.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { urlCell, urlStyle } from '../logs/url-cells.ts';
import {
  cell,
  cellsGone,
  detailLines,
  findsOf,
  gutterSign,
  listLines,
  marked,
  rawLine,
  scrolledTitle,
  timeCell,
  todayOf,
  withDetail,
} from '../row.ts';
import { emptyBody } from '../shield/shield-words.ts';
import type { Look, ThemeSlot } from '../theme.ts';

/** Single events, newest first, and under them the cause of the one under the cursor. */
export function shieldRowsBody(state: State, view: ShieldRowsView, look: Look, height: number): string[] {
  const columns = listColumns(state);
  const time = shieldTimeCells(state, view);
  const placed = placedRowColumns(columns, time);
  const sideways = sidewaysOf(state, view);
  const { shown, rows } = view.rows;
  const total = view.reading.total;
  const of = shown.length === rows.length && total !== null ? Math.max(total, rows.length) : shown.length;
  const place = shown.length > 0 ? ` ${count(view.cursor + 1)}/${count(of)}` : '';
  const visible = detailedHeight(state);
  const top = shieldTop(state, view, shown.length);
  const last = placed.at(-1);
  const room = (last?.width ?? 0) - place.length - (last?.title.length ?? 0);
  const urls = shown.slice(top, top + visible).map((row) => row.fields['url']);
  const url = urlStyle(urls, room, view.needle);
  const heads = placed
    .map(({ dimension, title, width }) => {
      const said = dimension === 'url' && cellsGone(dimension, sideways) === 0 ? url.said : '';
      return fit(scrolledTitle(title, dimension, sideways) + said, width);
    })
    .join(' ');
  const finds = placed.map(({ dimension }) =>
    findsOf(view, state.highlights, fieldNamed('shield', dimension)),
  );
  const rawFinds = findsOf(view, state.highlights);
  const today = todayOf(state, look);

  function rowLine(row: ShieldRow, isCursor: boolean): string {
    const { id, raw } = row;
    const isMarked = state.handover.marks.has(id);
    const signs = { isCursor, isMarked, isRaw: raw !== null, isOlder: id === view.rows.apart };
    const sign = gutterSign(signs, look);
    if (raw !== null) return sign + rawLine(raw, columns - 1, rawFinds, look);
    const chosen = isCursor ? dimensionUnder(view) : null;
    const values = placed.map(({ dimension, width }, at) => {
      const value = row.fields[dimension] ?? null;
      const slot = chosen === dimension ? 'cursor' : slotOf(dimension, value);
      const gone = cellsGone(dimension, sideways);
      const text =
        dimension === 'url' && value && gone === 0
          ? urlCell(value, url, width, look)
          : cell(value, width, look, 'strict', 'left', gone);
      return marked(text, slot, finds[at] ?? [], look);
    });
    return sign + [look.paint('dim', timeCell(row.at, time, today, look)), ...values].join(' ');
  }

  const head = fit(` ${fit('TIME', time)} ${heads}`, columns - place.length, 'left', ' ') + place;
  const lines = [
    look.paint('header', head),
    ...listLines(shown, { cursor: view.cursor, top }, visible, rowLine),
    ...(shown.length === 0 ? emptyBody(state, view, look, visible) : []),
  ];
  const row = shown[view.cursor];
  return withDetail(lines, row ? rowDetail(state, view, row, look) : [], state, height);
}

function slotOf(dimension: string, value: string | null): ThemeSlot {
  if (dimension === 'action') {
    return value === 'blocked' ? 'error' : value === 'challenged' ? 'warning' : 'accent';
  }
  return dimension === 'url' || dimension === 'ip' ? 'text' : 'dim';
}

/** The value under the cursor whole, then what the rule says and what it matched. */
function rowDetail(state: State, view: ShieldRowsView, row: ShieldRow, look: Look): string[] {
  const columns = listColumns(state);
  const { message, trigger } = shieldDetail(logOf(row));
  const dimension = dimensionUnder(view) ?? 'url';
  const rule = state.shield?.rules?.get(row.fields['ruleId'] ?? '')?.description ?? message ?? 'no rule text';
  const matched = trigger ? `: ${trigger.key ?? ''} ${trigger.value ?? ''}` : '';
  const value = sanitise(`${dimension} ${row.fields[dimension] || '(none)'}`, 'strict', columns);
  return detailLines(value, sanitise(rule + matched, 'strict', columns), columns, look);
}
