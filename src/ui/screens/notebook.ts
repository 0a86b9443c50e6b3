import type { NotebookBlock } from '../../domain/handover/notebook.ts';
import type { NotebookView } from '../../state/handover/handover-model.ts';
import { blockLines, type NotebookLine, topBlock } from '../../state/handover/notebook-lines.ts';
import { listHeight } from '../../state/list/layout.ts';
import type { State } from '../../state/model.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import {
  type Area,
  type Find,
  findsOf,
  headerLine,
  listLine,
  marked,
  paragraphs,
  type Strip,
  textLine,
} from '../row.ts';
import type { ThemeSlot, Words } from '../theme.ts';

const SLOTS = {
  head: 'header',
  note: 'accent',
  struck: 'dim',
  told: 'text',
  command: 'key',
} as const satisfies Record<NotebookLine['kind'], ThemeSlot>;

/** The blocks of a notebook, one under another. */
export function notebookBody(state: State, view: NotebookView, area: Area): string[] {
  const { columns, height, look } = area;
  const { day, notebook, trouble } = view;
  const days = notebook
    ? `  [ ${notebook.before ?? look.glyph.dash}  ] ${notebook.after ?? look.glyph.dash}`
    : '';
  const lines = [headerLine(`${day} (UTC)${days}`, area)];
  const blocks = notebook?.blocks ?? [];
  if (blocks.length === 0) {
    const words = trouble ?? emptyWords(state, view);
    const slot = trouble === null ? 'dim' : 'warning';
    return [...lines, ...paragraphs([sanitise(words, 'text')], area, slot)];
  }
  const finds = findsOf({ needle: view.needle }, state.highlights);
  for (let at = topBlock(blocks, view, columns, listHeight(state)); lines.length < height; at++) {
    const block = blocks[at];
    if (block === undefined) break;
    if (lines.length > 1) lines.push('');
    const painting = painted(block, at === view.cursor, area, finds);
    lines.push(...painting.slice(at === view.cursor ? Math.min(view.skip, painting.length - 1) : 0));
  }
  // Where the screen ends within a block it is said.
  return lines.length <= height
    ? lines
    : [...lines.slice(0, height - 1), textLine('   more lines follow', area, 'dim')];
}

/** How many entries there are, for the line under the title. */
export function notebookLine(_: State, { notebook, cursor }: NotebookView, strip: Strip): string {
  const blocks = notebook?.blocks ?? [];
  if (blocks.length === 0) return '';
  const heads = blocks.flatMap(({ entry }) => entry?.head ?? []);
  const struck = heads.filter((head) => head.struck !== null).length;
  const others = blocks.length - heads.length;
  const words = [
    `${count(cursor + 1)} of ${count(blocks.length)}`,
    ...(struck > 0 ? [`${count(struck)} struck`] : []),
    ...(others > 0 ? [`${count(others)} not of edgescope`] : []),
  ];
  return textLine(` ${words.join(', ')}`, strip, 'dim');
}

/** Whether the notebook was read, for the end of the title. */
export function notebookBadge({ notebook, trouble }: NotebookView): Words {
  if (trouble !== null) return { text: 'NOT READ', slot: 'down' };
  return notebook === null ? { text: 'READING', slot: 'quiet' } : { text: 'NOTEBOOK', slot: 'dim' };
}

function emptyWords({ now }: State, { day, notebook }: NotebookView): string {
  if (notebook === null) return 'reading';
  if (notebook.blocks !== null) return 'this notebook is empty';
  const isToday = new Date(now).toISOString().startsWith(day);
  return isToday
    ? 'no notebook of today yet: o adds the first entry'
    : 'the notebook of this day is there no more';
}

function painted(block: NotebookBlock, isCursor: boolean, strip: Strip, finds: readonly Find[]): string[] {
  const { columns, look } = strip;
  return blockLines(block, { columns }).map(({ kind, text }, at) => {
    if (at === 0) return listLine(text, isCursor, strip, SLOTS[kind]);
    return `   ${marked(fit(text, columns - 3), SLOTS[kind], finds, look)}`;
  });
}
