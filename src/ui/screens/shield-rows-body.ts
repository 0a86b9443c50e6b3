import { timeCells } from '../../domain/logs/columns.ts';
import { shieldDetail } from '../../domain/shield/shield.ts';
import { logOf, type ShieldRow } from '../../domain/shield/shield-rows.ts';
import { DETAIL_LINES, detailedHeight, listHeight } from '../../state/layout.ts';
import type { State } from '../../state/model.ts';
import { dimensionUnder } from '../../state/shield/shield.ts';
import { asksOtherDays, shieldTop } from '../../state/shield/shield-ask.ts';
import type { ShieldRowsView } from '../../state/shield/shield-model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { cell, marked, markOf, padLines, timeCell } from '../row.ts';
import { emptyBody } from '../shield-words.ts';
import type { Look, Slot } from '../theme.ts';
import { type UrlStyle, urlCell, urlStyle } from '../url-cells.ts';

const URL_TITLE = 'URL';

type Placed = { dimension: string; title: string; width: number };

const LAYOUT: readonly (Placed & { from: number })[] = [
  { dimension: 'action', title: 'ACTION', width: 10, from: 0 },
  { dimension: 'ruleId', title: 'RULE', width: 9, from: 0 },
  { dimension: 'ip', title: 'IP', width: 15, from: 0 },
  { dimension: 'country', title: 'CC', width: 2, from: 60 },
  { dimension: 'asn', title: 'ASN', width: 6, from: 90 },
  { dimension: 'feature', title: 'FEATURE', width: 10, from: 110 },
  { dimension: 'ua', title: 'USER AGENT', width: 30, from: 130 },
  { dimension: 'ja4', title: 'JA4', width: 36, from: 180 },
];

/** Single events, newest first, and under them the cause of the one under the cursor. */
export function shieldRowsBody(state: State, view: ShieldRowsView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const time = timeCells(columns, asksOtherDays(state, view));
  const placed = placedColumns(columns, time);
  const { shown, rows } = view.rows;
  const total = view.reading.total;
  const of = shown.length === rows.length && total !== null ? Math.max(total, rows.length) : shown.length;
  const place = shown.length > 0 ? ` ${count(view.cursor + 1)}/${count(of)}` : '';
  const visible = detailedHeight(state);
  const top = shieldTop(state, view, shown.length);
  const onScreen = shown.slice(top, top + visible);
  const urls = onScreen.map((row) => row.fields['url']);
  const url = urlStyle(urls, (placed.at(-1)?.width ?? 0) - place.length - URL_TITLE.length, view.needle);
  const heads = placed
    .map(({ title, width }) => fit(title === URL_TITLE ? title + url.said : title, width))
    .join(' ');
  const lines = [
    look.paint('header', fit(` ${fit('TIME', time)} ${heads}`, columns - place.length, 'left', ' ') + place),
  ];
  onScreen.forEach((row, index) => {
    lines.push(
      rowLine(
        view,
        row,
        { isCursor: top + index === view.cursor, time, placed, url, columns, now: state.now },
        look,
      ),
    );
  });
  if (shown.length === 0) lines.push(...emptyBody(state, view, look, visible));
  if (visible === listHeight(state)) return padLines(lines, columns, height);
  const padded = padLines(lines, columns, height - DETAIL_LINES);
  const row = shown[view.cursor];
  if (row) padded.push(...rowDetail(state, view, row, look));
  return padLines(padded, columns, height);
}

function placedColumns(columns: number, time: number): Placed[] {
  const fixed = LAYOUT.filter(({ from }) => columns >= from);
  const used = fixed.reduce((sum, { width }) => sum + width + 1, 1 + time + 1);
  return [...fixed, { dimension: 'url', title: URL_TITLE, width: Math.max(4, columns - used) }];
}

function rowLine(
  view: ShieldRowsView,
  row: ShieldRow,
  {
    isCursor,
    time: cells,
    placed,
    url,
    columns,
    now,
  }: {
    isCursor: boolean;
    time: number;
    placed: readonly Placed[];
    url: UrlStyle;
    columns: number;
    now: number;
  },
  look: Look,
): string {
  const mark = markOf(isCursor, row.raw !== null, row.id === view.rows.apart, look);
  if (row.raw !== null)
    return mark + marked(cell(`not understood: ${row.raw}`, columns - 1, look), 'warning', view.needle, look);
  const chosen = isCursor ? dimensionUnder(view) : null;
  const time = look.paint('dim', timeCell(row.at, cells, now, look));
  const values = placed.map(({ dimension, width }) => {
    const value = row.fields[dimension] ?? null;
    const slot = chosen === dimension ? 'cursor' : slotOf(dimension, value);
    const text = dimension === 'url' && value ? urlCell(value, url, width, look) : cell(value, width, look);
    return marked(text, slot, view.needle, look);
  });
  return `${mark}${[time, ...values].join(' ')}`;
}

function slotOf(dimension: string, value: string | null): Slot {
  if (dimension === 'action') {
    return value === 'blocked' ? 'error' : value === 'challenged' ? 'warning' : 'accent';
  }
  return dimension === 'url' || dimension === 'ip' ? 'text' : 'dim';
}

/** The value under the cursor whole, then what the rule says and what it matched. */
function rowDetail(state: State, view: ShieldRowsView, row: ShieldRow, look: Look): string[] {
  const { columns } = state.size;
  const { message, trigger } = shieldDetail(logOf(row));
  const dimension = dimensionUnder(view) ?? 'url';
  const rule = state.shield?.rules?.get(row.fields['ruleId'] ?? '')?.description ?? message ?? 'no rule text';
  const matched = trigger ? `: ${trigger.key ?? ''} ${trigger.value ?? ''}` : '';
  const value = sanitise(`${dimension} ${row.fields[dimension] || '(none)'}`, 'strict', columns);
  return [
    look.paint('dim', ` ${look.glyph.crumb} `) +
      look.paint('text', fit(value, columns - 3, 'left', look.glyph.cut)),
    look.paint(
      'dim',
      fit(`   ${sanitise(rule + matched, 'strict', columns)}`, columns, 'left', look.glyph.cut),
    ),
  ];
}
