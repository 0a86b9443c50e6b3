import { markedCells } from '../../domain/query/query-text.ts';
import type { Strip } from '../../paint/row.ts';
import type { Prompt } from '../../state/model.ts';
import type { PromptKind } from '../../state/prompt-kind.ts';
import { fit, width, withoutFirst } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';

/** What stands in front of the edited line, and in it while it is empty. */
export const PROMPT_LABELS: Record<PromptKind, { label: string; placeholder: string }> = {
  narrow: { label: '/', placeholder: 'part of a name, hostname or id' },
  zonePattern: { label: 'mark: ', placeholder: 'names: shop,api or shop-*' },
  find: { label: '/', placeholder: 'text in any column' },
  query: { label: 'query: ', placeholder: 'status:5xx -ip:192.0.2.7 ua~curl last:15m by:ip' },
  window: { label: 'window: ', placeholder: '30m, yesterday, 11-21 03:00-04:00; UTC' },
  formPart: { label: 'filter: ', placeholder: 'ip:10.0.0.0/8, ua~curl, -country:DE, or free text' },
  day: { label: 'read the whole UTC day: ', placeholder: 'yesterday, 11-21 or 2026-11-21' },
  exportPath: { label: 'file: ', placeholder: 'a name, or a path; a file that exists is left alone' },
  viewName: { label: 'save as: ', placeholder: 'a name, such as checkout 5xx' },
  note: { label: 'note: ', placeholder: 'what this shows; Enter adds it, Esc does not' },
  palette: { label: ':', placeholder: 'a command, or a term: logs shop, by asn, 5xx, help' },
  originUrl: { label: 'OriginUrl: ', placeholder: 'https://origin.example/path; empty leaves it as it is' },
  notFoundPath: { label: 'Custom404FilePath: ', placeholder: '/errors/404.html' },
  regions: {
    label: 'regions to add: ',
    placeholder: 'codes such as LA, SYD; others than those listed may be tried',
  },
  confirmZone: { label: 'name of the zone: ', placeholder: 'Enter sends, Esc goes back' },
  listFind: { label: '/', placeholder: 'a word' },
  help: { label: '?', placeholder: 'what you want, in your words; Enter does it' },
};

/** The drawn part of a long line, the cell of its cursor, and the cells hidden before it. */
export function promptWindow(
  prompt: Prompt,
  columns: number,
): { text: string; cursor: number; hidden: number } {
  const { label } = PROMPT_LABELS[prompt.kind];
  const room = Math.max(4, columns - label.length - 2);
  const before = sanitise(prompt.field.text.slice(0, prompt.field.cursor), 'text');
  const after = sanitise(prompt.field.text.slice(prompt.field.cursor), 'text');
  const { text, cells: hidden } = withoutFirst(before + after, width(before) - room + 1);
  return {
    text: width(text) > room ? fit(text, room) : text,
    cursor: label.length + width(before) - hidden + 1,
    hidden,
  };
}

/** The line above a refused prompt: a mark over the mistake. */
export function markLine(prompt: Prompt, { columns, look }: Strip): string {
  if (!prompt.error) return '';
  const { label } = PROMPT_LABELS[prompt.kind];
  const { hidden } = promptWindow(prompt, columns);
  const { before, wide } = markedCells(prompt.field.text, prompt.error);
  const at = Math.min(columns - 2, Math.max(1, label.length + 1 + before - hidden));
  const mark = 'v'.repeat(Math.max(1, Math.min(wide, columns - at - 1)));
  return look.paint('error', fit(' '.repeat(at) + mark, columns));
}
