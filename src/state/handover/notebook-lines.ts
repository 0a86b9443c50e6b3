import type { NotebookBlock } from '../../domain/handover/notebook.ts';
import { wrapText } from '../../text/fit.ts';
import { maskSecrets } from '../../text/mask.ts';
import { inScreenText, sanitise } from '../../text/sanitise.ts';
import { counted, timeOfDay } from '../../text/units.ts';
import { kept } from '../kept.ts';
import { clamp, type ListPlace } from '../list/list.ts';

/** A line of a block on screen, safe to be drawn. */
export type NotebookLine = { kind: 'head' | 'note' | 'struck' | 'told' | 'command'; text: string };

/** Of a longer block, as another program may have written it, the rest is left to an editor. */
const MOST_READ = 16_384;

/** Cells before the lines of a block, and behind them. */
const MARGIN = 4;

/** A block as it is read, wrapped: evidence of many rows is told by their number. */
export const blockLines = kept(
  (block: NotebookBlock, { columns }: { columns: number }): readonly NotebookLine[] =>
    textLines(block).flatMap(({ kind, text }) =>
      wrapText(text, columns - MARGIN).map((part): NotebookLine => ({ kind, text: part })),
    ),
);

/** The lines of a block as they stand in the file, those of secrets masked. */
export function fileLines({ text }: Pick<NotebookBlock, 'text'>): string[] {
  return shortened(text).split('\n').map(maskSecrets);
}

/** The block that is searched: its text without the escapes of Markdown. */
export function searchedText({ text }: NotebookBlock): string {
  return textOfMarkdown(text);
}

/** The first block on screen: the one under the cursor stands there from its head on, and whole where there is room. */
export function topBlock(
  blocks: readonly NotebookBlock[],
  { cursor, top }: ListPlace,
  columns: number,
  height: number,
): number {
  const wanted = clamp(top, 0, cursor);
  let room = height;
  for (let at = cursor; at >= wanted; at--) {
    const block = blocks[at];
    // An empty line stands between two blocks.
    room -= block === undefined ? 0 : blockLines(block, { columns }).length + (at === cursor ? 0 : 1);
    if (room < 0) return Math.min(at + 1, cursor);
  }
  return wanted;
}

function textLines(block: NotebookBlock): NotebookLine[] {
  const { entry } = block;
  if (entry === null) {
    return fileLines(block).flatMap((line, at): NotebookLine[] =>
      line.trim() === '' ? [] : [{ kind: at === 0 ? 'head' : 'told', text: sanitise(line, 'text') }],
    );
  }
  const { noted, title, from, to, note, struck, edits } = entry.head;
  const time = (at: number) => timeOfDay(at, { zone: 'utc', date: true });
  const line = (kind: NotebookLine['kind'], markdown: string) => ({ kind, text: shown(markdown) });
  const opening =
    struck === null
      ? [line('head', `${noted}Z ${title}`), line('note', note)]
      : [
          line('struck', `STRUCK ${noted}Z ${title}`),
          line('struck', note),
          line('told', `Struck ${struck}.`),
        ];
  return [
    ...opening.filter(({ text }) => text !== ''),
    ...edits.map(({ note, at }) => line('struck', `Until ${at}: ${note}`)),
    { kind: 'told', text: `About ${time(from)}${to === null ? '' : ` to ${time(to)}`}Z.` },
    ...evidenceLines(entry.rest),
  ];
}

function evidenceLines(rest: string): NotebookLine[] {
  const lines: NotebookLine[] = [];
  let rows = 0;
  let isCommand = false;
  for (const line of [...shortened(rest).split('\n'), '']) {
    if (line.startsWith('|')) {
      rows += 1;
      continue;
    }
    // The first two lines of a table are its head.
    const noted = Math.max(0, rows - 2);
    if (noted > 0) lines.push({ kind: 'told', text: `[${counted(noted, 'row')}: L]` });
    rows = 0;
    if (line.startsWith('```')) isCommand = !isCommand;
    else if (isCommand) lines.push({ kind: 'command', text: inScreenText(maskSecrets(line)) });
    else if (line.trim() !== '') lines.push({ kind: 'told', text: shown(line) });
  }
  return lines;
}

function shortened(text: string): string {
  const rest = text.length > MOST_READ ? '\n[the rest of this text is in the file]' : '';
  return text.slice(0, MOST_READ).trimEnd() + rest;
}

/** Markdown of an entry as it reads: what is untrusted in it was escaped when it was written. */
function shown(markdown: string): string {
  return inScreenText(maskSecrets(textOfMarkdown(shortened(markdown).replaceAll('\n', ' '))));
}

function textOfMarkdown(markdown: string): string {
  return markdown.replace(
    /\*\*|`([^`\n]*)`|\\([!-/:-@[-`{-~])/g,
    (_, code?: string, sign?: string) => code ?? sign ?? '',
  );
}
