import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WriteStream } from 'node:tty';
import { type LedgerPlace, ledgerDirectory, openBook } from '../api/quota/ledger-file.ts';
import { hostLane } from '../api/quota/quota.ts';
import type { Environment } from '../config/config-error.ts';
import type { Directories } from '../config/directories.ts';
import { viewStore } from '../config/kept/saved-views.ts';
import { findPlace, placesIn } from '../config/kept/session-places.ts';
import { isAsciiLocale, terminalProblem } from '../config/settings/settings.ts';
import { fileTrouble } from '../files/file-trouble.ts';
import { shellCommand } from '../text/shell-command.ts';
import { counted, joined } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { type DoctorFinding, fine, noted, troubled } from './finding.ts';

/** What is known of standard output; a pipe has no size. */
export type OutputFacts = { isTTY?: boolean; columns?: number; rows?: number };

/** The size that the screens are laid out for. */
const ROOM = { columns: 80, rows: 24 };
const WRONG_USAGE = 2;
const COLOURS: Readonly<Record<number, string>> = { 1: '2', 4: '16', 8: '256', 24: '16 million' };

/** The terminal by the environment and the system; it is asked nothing itself. */
export function terminalFindings(env: Environment, screen: OutputFacts): DoctorFinding[] {
  return [terminal(env), size(screen), colours(env), clipboard(env), locale(env)];
}

function terminal(env: Environment): DoctorFinding {
  const problem = terminalProblem(env);
  if (problem !== null) return troubled('terminal', problem[0] ?? '', problem[1] ?? '', WRONG_USAGE);
  const name = env['TERM'] ?? '';
  return name === ''
    ? noted('terminal', 'TERM is not set', 'set it to the kind of the terminal, such as TERM=xterm-256color')
    : fine('terminal', joined([name, env['TERM_PROGRAM'] ?? ''], ', '));
}

function size({ isTTY, columns, rows }: OutputFacts): DoctorFinding {
  if (isTTY !== true || columns === undefined || rows === undefined)
    return noted(
      'size',
      'standard output is no terminal',
      'run edgescope doctor without a pipe to see its size',
    );
  const found = `${columns}x${rows}`;
  return columns < ROOM.columns || rows < ROOM.rows
    ? noted('size', found, `enlarge it to ${ROOM.columns}x${ROOM.rows}: smaller windows leave parts out`)
    : fine('size', found);
}

function colours(env: Environment): DoctorFinding {
  if ((env['NO_COLOR'] ?? '') !== '')
    return noted(
      'colours',
      'none, because NO_COLOR is set',
      'unset NO_COLOR for colours; letters and styles say the same',
    );
  const depth = WriteStream.prototype.getColorDepth.call(WriteStream.prototype, env);
  const found = `${COLOURS[depth] ?? depth} colours`;
  return depth < 4
    ? noted('colours', found, 'set TERM to what the terminal is, or start with --theme mono')
    : fine('colours', found);
}

/** Terminals that take OSC 52 out of the box, by a variable that they set. */
const TAKES_TEXT: readonly (readonly [variable: string, value: RegExp])[] = [
  ['KITTY_WINDOW_ID', /./],
  ['WT_SESSION', /./],
  ['TERM_PROGRAM', /^(?:WezTerm|ghostty|vscode)$/],
  ['TERM', /^(?:xterm-kitty|xterm-ghostty|wezterm|foot|alacritty)/],
];

/** Whether text copied with `y` arrives, as far as the environment shows. */
function clipboard(env: Environment): DoctorFinding {
  const kept = (where: string, todo: string) => noted('clipboard', where, todo);
  if (env['TMUX'])
    return kept(
      'tmux keeps what programs copy unless told otherwise',
      'in .tmux.conf: set -g set-clipboard on',
    );
  if (env['STY'])
    return kept('screen passes no copied text on', 'y L shows the text to be selected; or use tmux');
  if (env['TERM'] === 'linux') return kept('the Linux console has none', 'y L shows the text to be selected');
  if (env['TERM_PROGRAM'] === 'Apple_Terminal')
    return kept('Terminal.app takes no text from programs (OSC 52)', 'y L shows the text to be selected');
  if (env['TERM_PROGRAM'] === 'iTerm.app')
    return kept(
      'iTerm2 asks for leave (OSC 52)',
      'Settings, General, Selection: applications in terminal may access clipboard',
    );
  if (TAKES_TEXT.some(([variable, value]) => value.test(env[variable] ?? '')))
    return fine('clipboard', 'this terminal takes copied text (OSC 52)');
  return kept(
    'whether this terminal takes copied text (OSC 52) is not known',
    'copy with y and paste; if nothing arrives, y L shows the text to be selected',
  );
}

function locale(env: Environment): DoctorFinding {
  const name = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (isAsciiLocale(env))
    return noted(
      'locale',
      `${name} is not UTF-8, so ASCII alone is drawn`,
      'set LANG=C.UTF-8 for lines and signs',
    );
  return fine('locale', name === '' ? 'none set, taken for UTF-8' : name);
}

const NOTEBOOK = /^edgescope-notebook-\d{4}-\d\d-\d\d\.md$/;

/** The ledger in which all processes of the user count requests; made where there is none. */
export function quotaFinding(place: LedgerPlace, clock: Clock, baseUrl: string | null): DoctorFinding {
  try {
    const now = clock.monotonic();
    const book = openBook(place, now);
    try {
      const used = baseUrl === null ? 0 : book.view(hostLane(baseUrl), now).used;
      return fine('quota', `${ledgerDirectory(place)}, ${counted(used, 'request')} in the present window`);
    } finally {
      book.close();
    }
  } catch (error) {
    return noted(
      'quota',
      `the ledger cannot be used: ${fileTrouble(error)}`,
      'make /dev/shm or /tmp writable; until then each process keeps to an eighth of the quota',
    );
  }
}

/** Whether the folder of undo, audit, notebooks and sessions takes files. */
export function stateFinding({ state }: Directories): DoctorFinding {
  const todo = 'make it writable, or set XDG_STATE_HOME to a folder that is';
  try {
    if (!existsSync(state)) {
      accessSync(nearestAbove(state), constants.W_OK);
      return fine('state', `${state}, made when something is kept`);
    }
    rmdirSync(mkdtempSync(join(state, '.doctor-')));
  } catch (error) {
    return troubled('state', `${state} takes no files: ${fileTrouble(error)}`, todo);
  }
  const close = closing(state);
  return close === null ? fine('state', state) : noted('state', `${state} is open to others`, close);
}

/** The files kept: notebooks, places of sessions that were cut off, saved views. */
export async function storeFindings({ state, config }: Directories, clock: Clock): Promise<DoctorFinding[]> {
  return [notebooks(state), await sessions(state, clock), await views(config, clock)];
}

function notebooks(state: string): DoctorFinding {
  try {
    const days = existsSync(state) ? readdirSync(state).filter((name) => NOTEBOOK.test(name)) : [];
    return fine('notebooks', counted(days.length, 'day'));
  } catch (error) {
    return troubled('notebooks', `${state} cannot be read: ${fileTrouble(error)}`, 'check its permissions');
  }
}

async function sessions(state: string, clock: Clock): Promise<DoctorFinding> {
  const { newest, unusable } = await findPlace(placesIn(state), clock.wall());
  const [first] = unusable;
  if (newest !== null) return fine('sessions', 'one was cut off; edgescope --resume goes on with it');
  return first === undefined
    ? fine('sessions', 'none was cut off')
    : noted('sessions', first, `remove what cannot be resumed from ${placesIn(state)}`);
}

async function views(config: string, clock: Clock): Promise<DoctorFinding> {
  const { views: saved, trouble } = await viewStore(config, { clock }).read();
  return trouble === null
    ? fine('views', counted(saved.length, 'saved view'))
    : troubled('views', trouble, 'nothing is saved until that is put right');
}

/** The command that closes a folder to others; null where it is closed. */
function closing(folder: string): string | null {
  if ((statSync(folder).mode & 0o077) === 0) return null;
  return shellCommand(['chmod', '700', folder]) ?? 'close it to others';
}

function nearestAbove(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestAbove(above);
}
