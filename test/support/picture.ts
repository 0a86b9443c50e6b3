import type { Cell, Colour } from './emulator.ts';

/** What a picture is made of: a screen's cells, row by row. */
export type Cells = readonly (readonly Cell[])[];

/** A screen of a moving picture. `ms`: how long it is shown; `key`: the one that was pressed for it. */
export type Frame = { cells: Cells; ms: number; key?: string; caption: string };

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
/** A row that is left free, and the row of the caption. */
const CAPTION_HEIGHT = 2 * CELL_HEIGHT;
const CAPTION_X = 1;
/** Painted by the picture itself, since pages are white or dark. */
const BACKGROUND = '#16181d';
const TEXT = '#d4d7dd';
const KEY = '#f0d080';
const SIXTEEN = [
  ...['#3b4048', '#e5645a', '#7fbf6a', '#d8b45a', '#6aa3e8', '#c07fd8', '#5fbfc4', '#d4d7dd'],
  ...['#7d8590', '#ff8a80', '#a0dc8c', '#f0d080', '#90c0ff', '#dca0f0', '#84dfe4', '#ffffff'],
];
const CUBE = [0, 95, 135, 175, 215, 255];

/** A screen as an SVG whose text can be selected and searched; one run of text for each change of style. */
export function pictureOf(cells: Cells, title: string): string {
  const rows = cells.map(runsOf);
  return svgOf({ cells, title }, [
    ...rows.flatMap((runs, y) => runs.flatMap((run) => backgroundOf(run, y))),
    ...rows.flatMap(textOf),
  ]);
}

/**
 * Screens one after the other, again and again, as one SVG: each line once for all the frames in which it stands, and below
 * them the key that was pressed. A viewer that moves nothing, or is asked not to, shows the last frame.
 */
export function movingPictureOf(frames: readonly Frame[], title: string): string {
  const last = frames.length - 1;
  /** The frames of each line, by what it looks like where. */
  const standing = new Map<string, number[]>();
  frames.forEach((frame, at) => {
    for (const line of linesOf(frame)) {
      const before = standing.get(line);
      if (before === undefined) standing.set(line, [at]);
      else before.push(at);
    }
  });
  const groups = Map.groupBy(standing, ([, shown]) => shown.join('-'));
  const styles: string[] = [];
  const drawn = [...groups].flatMap(([name, lines]) => {
    const shown = new Set(lines[0]?.[1]);
    if (shown.size < frames.length) styles.push(styleOf(name, shown, frames));
    const base = shown.has(last) ? '' : ' visibility="hidden"';
    return [`<g class="in-${name}"${base}>`, ...lines.map(([line]) => line), '</g>'];
  });
  const style = ['<style>@media (prefers-reduced-motion: no-preference) {', ...styles, '}</style>'];
  return svgOf({ cells: frames[0]?.cells ?? [], title, below: CAPTION_HEIGHT }, [...style, ...drawn]);
}

/** The words of each frame of a moving picture, as of a picture. */
export function wordsOfFrames(picture: string): string[] {
  const groups = [...picture.matchAll(/<g class="in-([\d-]+)"[^>]*>\n(.*?)\n<\/g>/gs)].map(
    ([, shown = '', lines = '']) => ({ shown: shown.split('-').map(Number), lines: lines.split('\n') }),
  );
  const count = 1 + Math.max(-1, ...groups.flatMap(({ shown }) => shown));
  return Array.from({ length: count }, (_, at) => {
    const lines = groups.flatMap((group) => (group.shown.includes(at) ? group.lines : []));
    return wordsOf(lines.toSorted((a, b) => topOf(a) - topOf(b)).join('\n'));
  });
}

/** The height at which a line of text stands. */
function topOf(line: string): number {
  return Number(/<text y="(\d+)"/.exec(line)?.[1]);
}

function svgOf(
  { cells, title, below = 0 }: { cells: Cells; title: string; below?: number },
  body: readonly string[],
): string {
  const width = Math.round((cells[0]?.length ?? 0) * CELL_WIDTH + 2 * MARGIN);
  const height = cells.length * CELL_HEIGHT + 2 * MARGIN + below;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${inXml(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${FONT_SIZE}" fill="${TEXT}" xml:space="preserve">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The lines of a frame that are not empty, the caption last. */
function linesOf({ cells, key, caption }: Frame): string[] {
  const lines = [...cells.map(runsOf), [], captionOf(key, caption)].map((runs, y) =>
    [...runs.flatMap((run) => backgroundOf(run, y)), ...textOf(runs, y)].join(''),
  );
  return lines.filter((line) => line !== '');
}

/** The key in a box, and what it does. */
function captionOf(key: string | undefined, caption: string): Run[] {
  const look = { fill: TEXT, back: null, bold: true, dim: false, italic: false, underline: false };
  if (key === undefined) return [{ x: CAPTION_X, cells: caption.length, text: caption, look }];
  const box = {
    x: CAPTION_X,
    cells: key.length + 2,
    text: ` ${key} `,
    look: { ...look, fill: BACKGROUND, back: KEY },
  };
  return [box, { x: CAPTION_X + box.cells + 1, cells: caption.length, text: caption, look }];
}

/** When the lines of some frames are seen: a change of state at each frame that begins or ends it. */
function styleOf(name: string, shown: ReadonlySet<number>, frames: readonly Frame[]): string {
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let elapsed = 0;
  const steps = frames.flatMap(({ ms }, at) => {
    const from = round((100 * elapsed) / total);
    elapsed += ms;
    const isSame = at > 0 && shown.has(at) === shown.has(at - 1);
    return isSame ? [] : [`${from}%{visibility:${shown.has(at) ? 'visible' : 'hidden'}}`];
  });
  return `.in-${name}{animation:in-${name} ${total}ms step-end infinite}@keyframes in-${name}{${steps.join('')}}`;
}

function textOf(runs: readonly Run[], y: number): string[] {
  const spans = runs.filter(({ text }) => text.trim() !== '').map(spanOf);
  return spans.length === 0 ? [] : [`<text y="${baseline(y)}">${spans.join('')}</text>`];
}

/** The words of a picture, a line for each of its lines of text. */
export function wordsOf(picture: string): string {
  return [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)]
    .map(([, spans = '']) => spans.replace(/<[^>]*>/g, ' '))
    .join('\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
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
