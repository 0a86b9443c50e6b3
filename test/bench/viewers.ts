import { join } from 'node:path';
import { built, isBuilt } from './app.ts';
import { lnavHome } from './lnav-home.ts';
import { installed, type Program } from './programs.ts';
import type { SavedFiles } from './saved-file.ts';

type ViewerSetting = { folder: string; notes: Set<string> };

/** One program over one file: how it is known to have read all of it, and how it filters and groups. */
export type Viewer = {
  program: Program;
  /** Another start that ends when everything was read; null = the same one. */
  opener: Program | null;
  whole: RegExp;
  filter: Step | null;
  /** By one column and by two. */
  groups: readonly Step[];
  /** Keys that move a row and a page. */
  scrolls: boolean;
};
export type Step = {
  before: string;
  keys: string;
  /** The first screen of the answer, where more than that is worked on; a program that shows all at once has none. */
  isBegun?: (screen: readonly string[]) => boolean;
  isDone: (screen: readonly string[]) => boolean;
  after: string;
};

const OURS = 'edgescope';
const ROW = /\b(HIT|MISS|BYPASS)\b/;

/** Every program of this machine that opens a file of saved rows. */
export function viewersOf(
  { v1: file, rows, misses }: SavedFiles,
  { folder, notes }: ViewerSetting,
): Viewer[] {
  const viewers: Viewer[] = [];
  const program = (name: string, args: string[], ready: RegExp, home?: string): Program | null => {
    const found = installed(name, args, ready);
    if (found === null) notes.add(`${name} is not installed here and was not measured.`);
    return found === null || home === undefined ? found : { ...found, home };
  };
  if (isBuilt()) {
    viewers.push({
      program: { name: OURS, command: built(), args: ['open', file], ready: ROW, home: join(folder, 'home') },
      opener: null,
      whole: /^.* READ$/m,
      filter: {
        before: 'icache:MISS',
        keys: '<Enter>',
        isBegun: (screen) => /filtered/.test(screen[2] ?? ''),
        isDone: (screen) => /hidden here/.test(screen[1] ?? '') && /filtered/.test(screen[2] ?? ''),
        after: 'X',
      },
      groups: [
        {
          before: 'bjj<Space>',
          keys: '<Enter>',
          isDone: (screen) => screen.some((line) => /MISS +[\d,]+ .*%/.test(line)),
          after: '<Esc>',
        },
        {
          before: 'bjj<Space>jjj<Space>',
          keys: '<Enter>',
          isDone: (screen) => screen.some((line) => /MISS +[A-Z]{2} +[\d,]+ .*%/.test(line)),
          after: '<Esc>',
        },
      ],
      scrolls: true,
    });
  }
  const less = program('less', ['-S', file], ROW);
  if (less !== null) {
    viewers.push({
      program: less,
      opener: { ...less, args: ['-S', '+G', file], ready: /\(END\)/ },
      whole: /\(END\)/,
      filter: {
        before: '&MISS<Enter>',
        keys: 'G',
        isDone: (screen) => /\(END\)/.test(screen.join()),
        after: '&<Enter>',
      },
      groups: [],
      scrolls: true,
    });
  }
  const home = lnavHome(folder);
  const lnav = program('lnav', [file], ROW, home);
  if (lnav !== null) {
    viewers.push({
      program: lnav,
      opener: { ...lnav, args: ['-c', ':goto 100%', file] },
      whole: new RegExp(`L${rows - 10}|L${String(rows - 1).slice(0, -2)}\\d\\d`),
      filter: {
        before: '',
        keys: ':filter-in MISS<Enter>',
        isDone: (screen) => /filter now active/.test(screen.join()),
        after: ':delete-filter MISS<Enter>',
      },
      groups: ['cache', 'cache, edge'].map((columns) => ({
        before: '',
        keys: `;SELECT ${columns}, count(*) AS n FROM edge_lines GROUP BY ${columns}<Enter>`,
        isDone: (screen) => /SQL Result|MISS +\d{3}/.test(screen.join()),
        after: 'q',
      })),
      scrolls: true,
    });
  }
  const fzf = program('sh', ['-c', `exec fzf --no-sort --no-mouse < ${file}`], /\d+\/\d+/);
  if (fzf !== null && installed('fzf', [], ROW) !== null) {
    viewers.push({
      program: { ...fzf, name: 'fzf' },
      opener: null,
      whole: new RegExp(`\\b${rows}/${rows}\\b`),
      filter: {
        before: '',
        keys: "'MISS",
        isDone: (screen) => screen.join().includes(`${misses}/${rows}`),
        after: '<C-u>',
      },
      groups: [],
      scrolls: false,
    });
  } else {
    notes.add('fzf is not installed here and was not measured.');
  }
  return viewers;
}
