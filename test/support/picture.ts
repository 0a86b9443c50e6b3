import type { Cell, Colour } from './emulator.ts';

/** What a picture is made of: a screen's cells, row by row. */
export type Cells = readonly (readonly Cell[])[];

type Look = {
  fill: string;
  back: string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
};
type Run = { x: number; cells: number; text: string; look: Look };

const FONT_SIZE = 14;
/** The advance of nearly every monospaced font is 0.6 of its size. */
const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 18;
const MARGIN = 12;
/** Painted by the picture itself, since pages are white or dark. */
const BACKGROUND = '#16181d';
const TEXT = '#d4d7dd';
const SIXTEEN = [
  ...['#3b4048', '#e5645a', '#7fbf6a', '#d8b45a', '#6aa3e8', '#c07fd8', '#5fbfc4', '#d4d7dd'],
  ...['#7d8590', '#ff8a80', '#a0dc8c', '#f0d080', '#90c0ff', '#dca0f0', '#84dfe4', '#ffffff'],
];
const CUBE = [0, 95, 135, 175, 215, 255];

/** A screen as an SVG whose text can be selected and searched; one run of text for each change of style. */
export function pictureOf(cells: Cells, title: string): string {
  const width = Math.round((cells[0]?.length ?? 0) * CELL_WIDTH + 2 * MARGIN);
  const height = cells.length * CELL_HEIGHT + 2 * MARGIN;
  const rows = cells.map(runsOf);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${inXml(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${FONT_SIZE}" fill="${TEXT}" xml:space="preserve">`,
    ...rows.flatMap((runs, y) => runs.flatMap((run) => backgroundOf(run, y))),
    ...rows.flatMap((runs, y) => {
      const spans = runs.filter(({ text }) => text.trim() !== '').map(spanOf);
      return spans.length === 0 ? [] : [`<text y="${baseline(y)}">${spans.join('')}</text>`];
    }),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The words of a picture, a line for each of its lines of text. */
export function wordsOf(picture: string): string {
  return [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)]
    .map(([, spans = '']) => spans.replace(/<[^>]*>/g, ' '))
    .join('\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

function runsOf(row: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  row.forEach((cell, x) => {
    if (cell.width === 0) return;
    const look = lookOf(cell);
    const last = runs.at(-1);
    const isBlank = cell.char === ' ' && look.back === null && !look.underline;
    if (last && (isSame(last.look, look) || (isBlank && last.look.back === null && !last.look.underline))) {
      last.text += cell.char;
      last.cells += cell.width;
    } else runs.push({ x, cells: cell.width, text: cell.char, look });
  });
  return runs.map((run) =>
    run.look.back === null && !run.look.underline ? { ...run, text: run.text.trimEnd() } : run,
  );
}

function lookOf(cell: Cell): Look {
  const [fore, back] = [hex(cell.fg) ?? TEXT, hex(cell.bg)];
  return {
    fill: cell.inverse ? (back ?? BACKGROUND) : fore,
    back: cell.inverse ? fore : back,
    bold: cell.bold,
    dim: cell.dim,
    italic: cell.italic,
    underline: cell.underline,
  };
}

function isSame(a: Look, b: Look): boolean {
  return (Object.keys(a) as (keyof Look)[]).every((name) => a[name] === b[name]);
}

function backgroundOf({ x, cells, look }: Run, y: number): string[] {
  if (look.back === null) return [];
  const width = round(cells * CELL_WIDTH);
  return [
    `<rect x="${left(x)}" y="${MARGIN + y * CELL_HEIGHT}" width="${width}" height="${CELL_HEIGHT}" fill="${look.back}"/>`,
  ];
}

function spanOf({ x, text, look }: Run): string {
  const styles = [
    look.fill === TEXT ? '' : ` fill="${look.fill}"`,
    look.bold ? ' font-weight="bold"' : '',
    look.italic ? ' font-style="italic"' : '',
    look.underline ? ' text-decoration="underline"' : '',
    look.dim ? ' fill-opacity=".6"' : '',
  ];
  // A run that begins with blanks begins where its text does: not every viewer keeps them.
  const indent = text.length - text.trimStart().length;
  return `<tspan x="${left(x + indent)}"${styles.join('')}>${inXml(text.trimStart())}</tspan>`;
}

function left(x: number): number {
  return round(MARGIN + x * CELL_WIDTH);
}

function baseline(y: number): number {
  return MARGIN + y * CELL_HEIGHT + 14;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

function hex(colour: Colour): string | null {
  if (typeof colour !== 'number') return colour;
  if (colour < 16) return SIXTEEN[colour] ?? TEXT;
  if (colour >= 232) return rgb([0, 0, 0].map(() => 8 + (colour - 232) * 10));
  const at = colour - 16;
  return rgb([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => CUBE[step] ?? 0));
}

function rgb(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
