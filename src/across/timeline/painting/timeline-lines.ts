import { SERIES } from '../../../domain/timeline/series.ts';
import { isCounted } from '../../../domain/timeline/steps.ts';
import { padLines, stripped } from '../../../paint/row.ts';
import type { Look, ThemeSlot, Words } from '../../../paint/theme.ts';
import { GUTTER, layoutOf, timelineCells } from '../../../state/list/screen-layout.ts';
import { memoised } from '../../../state/memoised.ts';
import type { State } from '../../../state/model.ts';
import { type Timeline, timelineOf } from '../../../state/timeline/timeline.ts';
import { fit, width } from '../../../text/fit.ts';
import { duration, roundCount } from '../../../text/units.ts';
import { selectionOf } from '../brush.ts';
import { PART_SLOTS, type PaintedCell, TIME_MARKS, TimelineCells } from './timeline-cells.ts';

/** The height from which a line above says what is drawn. */
const WITH_LEGEND = 4;

/** The traffic over time: its legend, a column a step, and the times below. */
export function timelineLines(state: State, look: Look): readonly string[] {
  const { columns, timeline: height } = layoutOf(state);
  if (height === 0) return [];
  const timeline = timelineOf(state);
  if (timeline === null) return padLines([], height);
  const { chosen, cursor } = selectionOf(state, timeline);
  const selected = { from: chosen?.from ?? null, to: chosen?.to ?? null, cursor };
  const { series, marks } = timeline;
  const hasLegend = height >= WITH_LEGEND;
  const { lines } = drawingOf(look, {
    timeline,
    cells: timelineCells(state),
    height,
    hasLegend,
    ...selected,
  });
  return hasLegend ? [legendOf(look, { series, marks, columns }), ...lines] : lines;
}

type Inputs = { timeline: Timeline; cells: number; height: number; hasLegend: boolean } & {
  from: number | null;
  to: number | null;
  cursor: number | null;
};

/** Cells of the plot behind their gutter. */
type PlotLine = Words & { cells: readonly PaintedCell[] };

type Drawing = { drawn: TimelineCells; plot: readonly PlotLine[]; lines: readonly string[] };

/** What came since the last frame changes a few columns of all. */
const drawingOf = memoised((look: Look, o: Inputs, before: Drawing | null): Drawing => {
  const { timeline, cells, height, hasLegend, from, to, cursor } = o;
  const size = { cells, height: height - 1 - (hasLegend ? 1 : 0) };
  const drawn = new TimelineCells(timeline, { ...size, look }, before?.drawn);
  const under = drawn.under({ chosen: from === null || to === null ? null : { from, to }, cursor });
  const name = axisName(timeline, look, {
    hasLegend,
    isMarked: under.some(({ sign }) => sign === look.glyph.under),
    hasWorst: drawn.hasWorst,
  });
  const scale = scaleWords(timeline);
  const rows = drawn.rows().map((cells, row): PlotLine => ({ ...gutter(row === 0 ? scale : ''), cells }));
  const plot = [...rows, { ...name, cells: under }];
  const lines = plot.map((line, at) => {
    const painted = before?.plot[at];
    return painted && isSame(line, painted) ? (before?.lines[at] as string) : plotLine(line, look);
  });
  return { drawn, plot, lines };
});

function plotLine({ text, slot, cells }: PlotLine, look: Look): string {
  return look.paint(slot, `${fit(text, GUTTER - 1, 'right')} `) + paintedCells(cells, look);
}

function isSame(a: PlotLine, b: PlotLine): boolean {
  return (
    a.text === b.text &&
    a.slot === b.slot &&
    a.cells.length === b.cells.length &&
    a.cells.every((cell, at) => cell === b.cells[at])
  );
}

/** The word before the times: what most needs it of what no legend says; that of the worst part has its colour. */
function axisName(
  timeline: Timeline,
  look: Look,
  { hasLegend, isMarked, hasWorst }: { hasLegend: boolean; isMarked: boolean; hasWorst: boolean },
): Words {
  const letters = hasLegend ? '' : letterWords(timeline);
  if (letters !== '') return gutter(letters);
  const slot = PART_SLOTS[timeline.series][0] as ThemeSlot;
  if (hasWorst && !hasLegend) return { text: shareWords(timeline, look, isMarked), slot };
  if (isMarked) return { text: markWords(timeline, look), slot };
  return gutter(hasLegend ? '' : timeline.series);
}

/** The legend: each part with its colour, and its letter where that is drawn. */
const legendOf = memoised((look: Look, { series, marks, columns }: Legend): string => {
  const parts = SERIES[series].map(({ id, letter }, part) => {
    const sign = look.hasLetters ? letter : look.glyph.bar;
    return look.paint(PART_SLOTS[series][part] as ThemeSlot, `${sign} ${id}`);
  });
  const words = ` ${series === 'action' ? 'events' : 'requests'} by ${series}  `;
  const named = look.paint('dim', words) + parts.join('  ');
  return named + marksLegend(marks, columns - width(stripped(named)) - 1, look);
});

type Legend = Pick<Timeline, 'series' | 'marks'> & { columns: number };

/** What the letters under the times mean, where there are any and the line has room. */
function marksLegend(marks: Timeline['marks'], room: number, look: Look): string {
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  const texts = kinds.map((kind) => `${TIME_MARKS[kind].sign} ${TIME_MARKS[kind].words}`);
  if (texts.join('  ').length + 2 > room) return '';
  return kinds.map((kind, i) => `  ${look.paint(TIME_MARKS[kind].slot, texts[i] as string)}`).join('');
}

/** What a letter under the times means, where no legend says it; of two, a cursor on the timeline shows it. */
function letterWords({ marks }: Timeline): string {
  const [kind, ...others] = [...new Set(marks.map((mark) => mark.kind))];
  if (kind === undefined) return '';
  const signs = [kind, ...others].map((each) => TIME_MARKS[each].sign).join(' ');
  return others.length > 0 ? `${signs}: Tab` : `${signs} ${TIME_MARKS[kind].word}`;
}

function gutter(text: string): Words {
  return { text, slot: 'dim' };
}

/** What the sign under a column stands for: its worst part, which its height cannot show. */
function markWords({ series }: Timeline, look: Look): string {
  const id = SERIES[series][0]?.id ?? '';
  const words = `${look.glyph.under} ${id}`;
  return words.length < GUTTER ? words : look.glyph.under + id;
}

/**
 * From which share on a column of one cell has the colour of the worst part, `5xx>=1/8`, see `stacked`; where a sign stands under others,
 * what it is the sign of, `▀5xx<1/8`.
 */
function shareWords({ series }: Timeline, look: Look, isMarked: boolean): string {
  const id = SERIES[series][0]?.id ?? '';
  const words = isMarked ? `${look.glyph.under}${id}<1/8` : `${id}>=1/8`;
  return words.length < GUTTER ? words : id;
}

/** The number at the top of the scale and, where there is room, the time of a step; nothing where nothing is read. */
function scaleWords({ top, steps, cover }: Timeline): string {
  if (!cover.some(isCounted)) return '';
  const words = `${roundCount(top)} in ${duration(steps.step)}`;
  return words.length < GUTTER ? words : roundCount(top);
}

/** Cells with their colours, neighbours of one colour painted together. */
function paintedCells(cells: readonly PaintedCell[], look: Look): string {
  let [line, signs, slot]: [string, string, ThemeSlot] = ['', '', 'text'];
  for (const cell of cells) {
    if (cell.slot !== slot) {
      line += look.paint(slot, signs);
      [signs, slot] = ['', cell.slot];
    }
    signs += cell.sign;
  }
  return line + look.paint(slot, signs);
}
