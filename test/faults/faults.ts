import { type AnswerRow, CONTRACT } from '../api/contract.ts';
import * as disk from './disk-scenes.ts';
import * as local from './local-scenes.ts';
import type { NthFigures } from './nth/figures.ts';
import { failNthFileWrites } from './nth/files.ts';
import { failNthParses } from './nth/parses.ts';
import { failNthSessionTimers } from './nth/session-timers.ts';
import { failNthPrints, failNthTerminalWrites } from './nth/terminal.ts';
import { failNthTimers } from './nth/timers.ts';
import type { Scene } from './scene.ts';
import * as screen from './screen-scenes.ts';
import * as server from './server-scenes.ts';

/** A test that stands elsewhere and covers the fault where the built program cannot be reached, or deeper than it. */
export type NamedTest = readonly [file: string, name: string];

export type FaultRow = {
  name: string;
  /** What is done to the program, and where. */
  injected: string;
  /** Run against the built program, each followed by the common checks. */
  scenes: readonly ((scene: Scene) => Promise<unknown>)[];
  tests: readonly NamedTest[];
  /** Its scenes break what all of this process use, or count what the machine does in a minute: no other runs meanwhile. */
  isAlone?: true;
  /** Of a row that is covered in part, or not at all. */
  lacks?: string;
};

/** A followed log sets about five a second. */
const SESSION_TIMERS = 24;
const API = 'test/api/faults.test.ts';
const TAIL = 'test/effects/tail-faults.test.ts';
const MODEL = 'test/effects/tail-model.test.ts';
const WRITE = 'test/effects/storage-write.test.ts';
const SCREEN = 'test/pty/screen.test.ts';
const LEDGER = 'test/api/quota-ledger.test.ts';
const LONG = 'test/api/long-texts.test.ts';
const STORIES = 'test/session/stories.test.ts';
const STORAGE = 'test/session/storage.test.ts';
const PUBLISHED = 'test/api/published-answers.test.ts';
const SIM_CONTRACT = 'test/simulator/contract.test.ts';
const FORWARDED = 'test/api/forwarded-log.test.ts';
const ROWS_OF_CONTRACT = Object.entries<AnswerRow>(CONTRACT).flatMap(([name, { ask }]) =>
  ask === null ? [] : [name],
);
const TURNS = 'test/effects/storage-turns.test.ts';
const LOCK = 'test/files/file-lock.test.ts';
const SAVED = 'test/effects/saved-logs.test.ts';
const RESUMED = 'test/print/resumed.test.ts';
const STRANGE = 'test/config/strange-files.test.ts';
const VALUES = 'test/text/secret-values.test.ts';
const VISITORS = 'test/print/credentials.test.ts';
const OPENED = 'test/cli/open.test.ts';
const TURNED = 'test/effects/saved-turns.test.ts';
const OUTPUT = 'test/print/output.test.ts';
const AGENT = 'test/mcp/session.test.ts';
const GZIP_FOLLOWED =
  'of a gzip file with bytes behind it every whole line is read before it is said that something follows';
const LAUNCHER = 'test/cli/launcher.test.ts';
const SAID = 'test/print/standard-error.test.ts';

/** The list of faults that the project keeps, a row each. */
export const FAULTS = {
  F01: {
    name: 'connection refused, name unknown',
    injected: 'the listener goes for 4 s under a followed log; a host name that does not exist',
    scenes: [server.refused],
    tests: [
      [API, 'a port nobody listens on is a refused connection'],
      [STORIES, 'The API was gone for a while: what did I miss?'],
    ],
  },
  F02: { name: 'no answer', injected: 'a request for logs hangs for ever', scenes: [server.hang], tests: [] },
  F03: {
    name: 'headers drip',
    injected: 'a byte of the head every 400 ms',
    scenes: [server.headerDrip],
    tests: [[API, 'headers that drip are a timeout']],
  },
  F04: {
    name: 'body drips or stops',
    injected: 'half a body and then nothing; a byte every 400 ms',
    scenes: [server.bodyDrip],
    tests: [],
  },
  F05: {
    name: 'reset',
    injected: 'before the request, after it, in the middle of the body',
    scenes: [server.resets],
    tests: [],
  },
  F06: {
    name: 'truncated',
    injected: 'by length, in chunks, until close',
    scenes: [server.truncations],
    tests: [],
  },
  F07: {
    name: '5xx and HTML',
    injected: '500 as JSON, 502 as a web page, 503 without a body',
    scenes: [server.serverErrors],
    tests: [],
  },
  F08: {
    name: '429 with any Retry-After',
    injected: '3, a date, 0, -1, a word, none; 86400',
    scenes: [server.retryAfter],
    tests: [
      [
        'test/api/retry.test.ts',
        'Retry-After counts as seconds or as a date by the server clock, within 1 to 120 s',
      ],
      [STORIES, 'Nothing comes: what does it wait for, and until when?'],
      [
        'test/print/output.test.ts',
        'a pipe is told once that requests wait, until when and why, and nothing of a short wait',
      ],
    ],
  },
  F09: {
    name: 'endless 429',
    injected: 'every request for a printed window is refused',
    scenes: [server.endlessLimit],
    tests: [['test/api/retry.test.ts', 'an endless 429 ends as rate limited']],
  },
  F10: {
    name: '401 and 403 in mid-session',
    injected: 'under a followed log',
    scenes: [server.refusals],
    tests: [
      [TAIL, 'a refusal is failed, is tried again twice a minute at most, and at once when the user says so'],
    ],
  },
  F11: {
    name: 'redirects',
    injected: '301, 302, 307, 308 to another origin, under a followed log',
    scenes: [server.redirects],
    tests: [],
  },
  F12: {
    name: 'answers of nothing',
    injected: '204, an empty body, null, [], {}, data: null',
    scenes: [server.nothing],
    tests: [],
  },
  F13: {
    name: '200 with an error, wrong type',
    injected: 'an error object under 200; JSON as image/png',
    scenes: [server.falseSuccess],
    tests: [],
  },
  F14: {
    name: 'gzip: bomb, double, garbage',
    injected: '256 MiB in a small gzip, two layers, plain bytes, half a gzip',
    scenes: [server.compressed],
    tests: [],
  },
  F15: { name: 'a body of 1 GiB', injected: 'announced and endless', scenes: [server.huge], tests: [] },
  F16: {
    name: 'odd bytes and JSON',
    injected: 'BOM, bad UTF-8, NaN, duplicate keys, depth 50,000, __proto__',
    scenes: [server.oddBytes],
    tests: [],
  },
  F17: {
    name: 'drifted rows',
    injected: 'wrong types, missing and unknown fields in a printed window',
    scenes: [server.driftedRows],
    tests: [['test/api/schemas.test.ts', 'no row whatever is thrown at, and what is refused is kept raw']],
  },
  F18: {
    name: 'ids beyond 2^53, 1e400',
    injected: 'in a printed window',
    scenes: [server.wideNumbers],
    tests: [['test/domain/handover/line-formats.test.ts', 'ids beyond 2^53 print as exact JSON numbers']],
  },
  F19: {
    name: 'odd timestamps',
    injected: 'seconds, ms, micros, offsets, garbage',
    scenes: [server.timestamps],
    tests: [
      ['test/api/schemas.test.ts', 'times are read as ISO, seconds and ms, and nothing else passes for one'],
    ],
  },
  F20: {
    name: 'late rows',
    injected: 'in virtual time: six minutes are too long for a run of the program',
    scenes: [],
    tests: [
      [
        'test/effects/tail.test.ts',
        'time is final six minutes later by another read, and the rows found then are late',
      ],
      [
        'test/effects/tail.test.ts',
        'rows that all come half a minute late are shown when they come, not when they are final',
      ],
    ],
  },
  F21: {
    name: 'rows later than the bound',
    injected: 'in virtual time',
    scenes: [],
    tests: [[TAIL, 'a row later than the bound, noticed just below final time, raises the bound']],
  },
  F22: {
    name: 'more rows in an instant than a page',
    injected: 'pages of 10, times of whole seconds, ties in random order',
    scenes: [server.crowdedInstants],
    tests: [
      [
        'test/effects/tail.test.ts',
        'more rows in one millisecond than an answer holds leave an overflow gap of that millisecond',
      ],
    ],
  },
  F23: {
    name: 'identical rows without an id',
    injected: 'in virtual time',
    scenes: [],
    tests: [
      [
        'test/effects/tail.test.ts',
        'rows of one time without an id that are the same in all fields are all shown, once each',
      ],
      ['test/simulator/faults.test.ts', 'rows without ids have twins that are alike in every byte'],
    ],
  },
  F24: {
    name: 'hasMore without rows, repeated token',
    injected: 'under a followed log; in a day of Shield',
    scenes: [server.emptyWithMore],
    tests: [
      [
        'test/session/shield-faults.test.ts',
        'a day that leads back to a page that was read is PARTIAL and ends; Ctrl-r goes on from there',
      ],
    ],
  },
  F25: {
    name: 'lagging replica',
    injected: 'the newest 3 s and a tenth of older rows are missing',
    scenes: [server.laggingReplica],
    tests: [[TAIL, 'a read that lacks rows seen before does not make time final']],
  },
  F26: {
    name: 'ten times the capacity',
    injected: '400 rows/s by pages of 100',
    scenes: [server.flood],
    tests: [[TAIL, 'a flood is left out in part and named overload, while the head stays in the present']],
  },
  F27: {
    name: 'closed for four days',
    injected: 'in virtual time',
    scenes: [],
    tests: [[TAIL, 'after four days nothing older than the log itself is promised']],
  },
  F28: {
    name: 'server clock off, no Date',
    injected: 'ten minutes ahead and behind, no Date header, from the start',
    scenes: [server.serverClock],
    tests: [],
  },
  F29: {
    name: 'client clock steps',
    injected: 'in virtual time: a machine that slept, counted and not; see F70',
    scenes: [],
    tests: [[TAIL, 'a machine that slept has a gap that says so']],
  },
  F30: {
    name: 'processes that share a budget, and a kill',
    injected:
      'three followed logs of one zone, one of them killed; six callers in a hammer, some by a clock an hour ahead or behind',
    scenes: [server.manyProcesses],
    tests: [
      [
        'test/api/quota-processes.test.ts',
        'four processes of as many clocks hammering one zone, one of them killed, stay within what the server counts',
      ],
    ],
  },
  F31: {
    name: 'broken ledger file',
    injected: 'garbage, half a head, an empty file',
    scenes: [local.brokenLedger],
    tests: [
      [
        LEDGER,
        'a ledger that meets garbage in it under eight processes is made anew, and what they sent still counts',
      ],
    ],
  },
  F32: {
    name: 'proxy faults',
    injected: '407, nobody there, no URL',
    scenes: [local.proxies],
    tests: [[API, 'a proxy that refuses or is down is told from the server behind it']],
  },
  F33: {
    name: 'TLS faults',
    injected: 'no TLS behind https, verification switched off by the environment, plain http to elsewhere',
    scenes: [local.tlsFaults],
    tests: [
      ['test/api/tls.test.ts', 'an unverified certificate stops everything, whatever the environment says'],
    ],
  },
  F34: {
    name: 'malformed keys and key files',
    injected: 'line breaks, blanks, escapes, 9,000 letters; a file open to others, a link, a folder, none',
    scenes: [local.badKeys],
    tests: [['test/config/config.test.ts', 'a key file must be the user’s own plain file, closed to others']],
  },
  F35: {
    name: 'argv, environment, inspector',
    injected: 'a key as a flag; the command line of the process; SIGUSR1',
    scenes: [local.looksInside],
    tests: [],
  },
  F36: {
    name: 'hostile strings in every view',
    injected: 'by a server that rewrites answers',
    scenes: [],
    tests: [
      ['test/pty/hostile.test.ts', 'hostile strings in every field act on nothing, and show as escapes'],
      [
        'test/pty/shield-hostile.test.ts',
        'strings of attackers in everything that Shield tells act on nothing in any view, show as escapes, and add no style to the screen',
      ],
    ],
  },
  F37: {
    name: 'hostile strings, each layer alone',
    injected: 'the filter without the sanitiser, the sanitiser without the filter',
    scenes: [],
    tests: [
      [
        'test/terminal/egress.test.tsx',
        'no hostile string in a region acts on the terminal, with no sanitiser before it',
      ],
      [
        'test/terminal/egress.test.tsx',
        'no hostile string in a frame of Ink acts on the terminal, with no sanitiser before it',
      ],
      ['test/text/sanitise.test.ts', 'each of the 98 hostile strings is rendered as its list says'],
      ['test/text/sanitise.test.ts', 'any text in strict mode is printable ASCII and comes back unchanged'],
    ],
  },
  F38: {
    name: 'nine ways to die',
    injected: 'INT, TERM, HUP, QUIT, KILL, SEGV, ABRT, Ctrl-c, a heap of 18 MB',
    scenes: [screen.deaths],
    tests: [['test/cli/launcher.test.ts', 'a crash is told apart from a kill']],
  },
  F39: {
    name: 'suspend and resume',
    injected: 'Ctrl-z and fg under bash',
    scenes: [],
    tests: [
      [SCREEN, 'Ctrl-z gives the shell back, and fg repaints'],
      [
        'test/terminal/suspend.test.ts',
        'a suspended program gives the terminal back as it was, and paints everything when it goes on',
      ],
    ],
  },
  F40: {
    name: 'link drop',
    injected: 'reset in mid-answer, then nobody there for 8 s',
    scenes: [server.linkDrop],
    tests: [[TAIL, 'a link that drops for a minute is offline, and what was missed is read when it is back']],
  },
  F41: {
    name: 'a reader that stalls for 60 s',
    isAlone: true,
    injected: 'the terminal is not read for a minute; a pipe is not read for 45 s',
    scenes: [screen.stalledReader, local.slowPipe],
    tests: [[SCREEN, 'a reader that stalls does not keep the program from ending']],
  },
  F42: {
    name: 'a reader of 1 kB/s',
    injected: 'the terminal is read for 20 ms of each second',
    scenes: [screen.slowReader],
    tests: [['test/terminal/screen.test.ts', 'big data frames stay within 16 kB a second']],
  },
  F43: {
    name: '300 resizes',
    injected: '2×1 to 200×60 without a pause, 0×0, 40×10',
    scenes: [screen.resizes],
    tests: [],
  },
  F44: {
    name: 'odd TERM, pipes',
    injected: 'six names of terminals, none, dumb; LANG=C, NO_COLOR; a pipe that closes',
    scenes: [screen.oddTerminals],
    tests: [['test/cli/piped.test.ts', 'a reader that closes the pipe ends the program quietly with 0']],
  },
  F45: {
    name: 'paste storms, split escapes',
    injected: '2,000 pasted lines with Return and escapes, sequences in pieces, 6,000 reports',
    scenes: [screen.pastes],
    tests: [],
  },
  F46: {
    name: 'drift before the POST',
    injected: 'the zone is changed behind the client’s back',
    scenes: [],
    tests: [
      [STORAGE, 'a zone that somebody else changed meanwhile is shown three ways, and not touched'],
      [WRITE, 'a zone that moved since it was looked at is not touched'],
    ],
  },
  F47: {
    name: 'ambiguous POST',
    injected: 'carried out and then reset, 500 or cut; never carried out; no reading back',
    scenes: [local.ambiguousPosts],
    tests: [['test/api/client.test.ts', 'a POST is never sent twice, whatever happened to it']],
  },
  F48: {
    name: 'wrong confirmation',
    injected: 'a wrong name, none, no --write; pasted and typed ahead on the screen',
    scenes: [local.wrongConfirm],
    tests: [[STORAGE, 'a wrong name, a paste, keys typed ahead and one burst send nothing']],
  },
  F49: {
    name: 'no room for undo or audit',
    injected: 'state directories that take nothing; each call to the file system fails in turn; a full trace',
    scenes: [local.noRoomForUndo, screen.fullTrace],
    tests: [[WRITE, 'whichever call to the file system fails before the request, nothing is sent']],
  },
  F50: {
    name: 'export to a full disk',
    injected: 'standard output is a device that is always full',
    scenes: [local.fullDisk],
    tests: [],
  },
  F51: {
    name: 'bad configuration',
    injected: 'broken JSON, wrong forms, a file open to others, in a pipe and on a terminal',
    scenes: [local.badConfig, screen.badConfigOnScreen],
    tests: [
      [
        'test/config/check.test.ts',
        'every problem of the form is shown, with the nearest name and never with a value',
      ],
    ],
  },
  F52: {
    name: 'soak',
    injected: 'half an hour of virtual time here; hours, and real minutes, by npm run test:soak',
    scenes: [],
    tests: [
      [
        'test/effects/tail.test.ts',
        'half an hour of a busy zone leaves no more keys in memory than the time not yet final has rows',
      ],
      [
        MODEL,
        'whatever goes wrong: no duplicate, no silent loss, true reasons, progress, bounded memory, no timer left',
      ],
    ],
  },
  F67: {
    name: 'a Date that lies',
    injected:
      'one ten minutes ahead or of the year 9999, each ten minutes ahead or behind, any time, none; under a followed log',
    scenes: [server.lyingDates],
    tests: [
      [
        TAIL,
        'a Date always ten minutes ahead loses no row, opens no gap, and nothing is complete to a time yet to come',
      ],
      [
        TAIL,
        'a zone without a row claims no more than the least of what Date and clock say, and is not kept from going on',
      ],
      [
        'test/domain/server-time.test.ts',
        'whichever of the three lies, and however it does: now is never ahead of the server',
      ],
      [
        MODEL,
        'whatever goes wrong: no duplicate, no silent loss, true reasons, progress, bounded memory, no timer left',
      ],
    ],
  },
  F68: {
    name: 'our own clock is wrong',
    injected:
      'the server ten minutes ahead and behind of this machine: last:5m, --from, Shield, minutes of a watch',
    scenes: [server.ourClockWrong],
    tests: [
      [
        'test/print/present.test.ts',
        'a Date ten minutes ahead of the rows takes no row of the window away, and is said',
      ],
      [
        'test/print/present.test.ts',
        'with a server whose clock is -10 min ahead a window of Shield holds its present',
      ],
      [
        'test/effects/watch-minutes.test.ts',
        'a minute is read when it is over with the server, whatever our clock shows',
      ],
      [TAIL, 'the last five minutes by a clock that is wrong are the last five minutes of the server'],
    ],
  },
  F69: {
    name: 'answers in no order, or with their end',
    injected: 'rows in any order, and those at `to` in both slices; printed, followed and counted',
    scenes: [],
    tests: [
      [
        'test/effects/read-window.test.ts',
        'a server that sorts nothing, and puts the end of a slice into it, is printed in order and once',
      ],
      [
        TAIL,
        'a server that sorts nothing, and puts the end of a window into it, is followed in order and each row once',
      ],
      ['test/domain/questions/inquiry.test.ts', 'an answer in no order that holds more covers nothing'],
    ],
  },
  F70: {
    name: 'our clock is set, and the machine sleeps, under -f',
    injected:
      'in virtual time: ten minutes ahead, three hours back, asleep with and without a clock that goes on',
    scenes: [],
    tests: [
      [
        'test/print/followed.test.ts',
        'a machine that sleeps or whose clock is set under a followed log leaves nothing unsaid and says nothing twice',
      ],
      [TAIL, 'a clock that is set under a followed log changes nothing that is said'],
    ],
  },
  F53: {
    name: 'older servers',
    injected:
      'words for enums, pages unasked, days oldest first, 404 without Shield, [] for null, no errorResponse, 400 for buckets',
    scenes: [],
    tests: [
      [SIM_CONTRACT, 'what older servers answer instead loses no row either'],
      [PUBLISHED, 'a v1 day is asked for by sort alone'],
      [
        'test/session/shield.test.ts',
        'of an older server the same is counted in twelve parts, which is known from then on',
      ],
    ],
  },
  F54: {
    name: 'a field less, null, new or huge',
    injected: 'each field of each answer in turn, by the table of what is published; counts left out',
    scenes: [],
    tests: [
      ...ROWS_OF_CONTRACT.flatMap((name): NamedTest[] => [
        [
          'test/api/contract.test.ts',
          `of ${name} no row and no neighbour is lost by a field that is missing, null, new or huge`,
        ],
        [
          'test/api/contract.test.ts',
          `of ${name} what cannot be missing costs its own row, which is told, or the whole answer`,
        ],
      ]),
      [PUBLISHED, 'an entry without host, path or cache status is understood'],
      [PUBLISHED, 'a list that does not say whether there is more is read until a page is empty'],
      [PUBLISHED, 'a search that leaves its counts out is read on for as long as its pages are full'],
      [PUBLISHED, 'a storage zone that does not say whether it rewrites is not taken for one that does not'],
    ],
  },
  F55: {
    name: 'success that looks like failure',
    injected:
      'an empty errorResponse, 202 without Shield, null for a day without events; the join to Shield fails',
    scenes: [],
    tests: [
      [PUBLISHED, 'an errorResponse that says nothing costs no row, and one that says something is an error'],
      [
        PUBLISHED,
        'a pull zone without Shield is told by 202, by 404 and by what they hold, and by no damage',
      ],
      [PUBLISHED, 'a day without events has null for them, and an object of anything else is no day'],
      [
        'test/print/zones.test.ts',
        'zones are printed whole where only their join to Shield fails, which is told and not guessed',
      ],
    ],
  },
  F56: {
    name: 'lines of log forwarding',
    injected: 'syslog heads of seven forms before v1 lines and JSON, and heads of no known form',
    scenes: [],
    tests: [
      [FORWARDED, 'a v1 line that was forwarded opens as that line, whatever head it was sent under'],
      [FORWARDED, 'the fast way takes no line that has a head before its first field, forwarded or other'],
      [FORWARDED, 'a head of no known kind is told with the whole line, and never passes for a cache status'],
      [
        'test/effects/saved-ahead.test.ts',
        'threads give the rows, gaps and counts that reading without them gives, in the order of the file',
      ],
    ],
  },
  F72: {
    name: 'a disk that fills up',
    injected: 'an output on a disk of 64 kB; the n-th write to output or place is short, torn or refused',
    scenes: [disk.fillingDisk],
    tests: [
      [
        'test/print/output.test.ts',
        'what a file takes of a write in part is written on, and what it does not take is told',
      ],
      [
        RESUMED,
        'the place is never ahead of an output whose disk takes less than it is given, and going on loses nothing',
      ],
    ],
  },
  F73: {
    name: 'an output of --resume that was changed',
    injected: 'copied, a line deleted or moved, edited in place, replaced, emptied, written into by another',
    scenes: [],
    tests: [
      [RESUMED, 'an output that something else changed is refused by its content, and left as it is'],
      [RESUMED, 'an output into whose beginning the rows would go is not gone on with'],
      [
        'test/cli/resume.test.ts',
        'another question, another output and a damaged file are refused, and nothing is overwritten',
      ],
    ],
  },
  F74: {
    name: 'damaged gzip',
    injected: 'a wrong checksum, a wrong length, cut off at any byte of its end, overwritten in the middle',
    scenes: [],
    tests: [
      [SAVED, 'of a gzip file whose checksum or length is wrong every row is read, and the damage is told'],
      [
        SAVED,
        'gzip comes out whole however small its pieces are, and cut off at any byte of its end it is told',
      ],
      [SAVED, 'damage within a gzip file ends the reading with what came before'],
    ],
  },
  F75: {
    name: 'many writers of one file',
    injected:
      'programs that write views, notebook and a counter at once; kill -9 with the lock; reused process ids',
    scenes: [],
    tests: [
      [LOCK, 'programs that read and write in turns under a lock lose nothing, also where some are killed'],
      [LOCK, 'a program that holds the lock is waited for five seconds, and once it is killed nobody waits'],
      [LOCK, 'a process that bears the number of a dead one is told from it by its birth'],
      ['test/config/saved-views.test.ts', 'views that several programs save at the same time are all there'],
      [
        'test/effects/notebook.test.ts',
        'programs that write at the same time lose no finding and make one timeline',
      ],
    ],
  },
  F76: {
    name: 'a change while the quota is spent',
    injected: 'a full lane, a colleague’s change meanwhile, an undo file that takes 3 s',
    scenes: [],
    tests: [
      [
        TURNS,
        'where the quota is spent, what somebody else changes while it is waited for is seen, and nothing is sent',
      ],
      [TURNS, 'the read and the request leave one right after the other, however full the lane is'],
      [
        TURNS,
        'where the disk takes its time over the undo file, the zone is read once more before the request',
      ],
    ],
  },
  F77: {
    name: 'Ctrl-C while the request is under way',
    injected: 'SIGINT during a POST that is carried out three seconds later; a start in between',
    scenes: [disk.interruptedPost],
    tests: [
      [
        WRITE,
        'a change that was cut short is UNKNOWN and stays open while its request may still be carried out',
      ],
    ],
  },
  F60: {
    name: 'names that a shell would run',
    injected:
      'quotes, substitutions, backslashes, controls in every printed command, read back by sh and bash; zsh and fish do so in npm test where they are',
    scenes: [],
    tests: [
      [
        'test/text/shell-command.test.ts',
        'sh reads back every word of a printed command, and runs none of them',
      ],
      [
        'test/text/shell-command.test.ts',
        'bash reads back every word of a printed command, and runs none of them',
      ],
      [
        'test/print/storage.test.ts',
        'an undo that no line can hold, or in which a secret would be masked, is left to the screen',
      ],
    ],
  },
  F61: {
    name: 'control characters on standard error',
    injected: 'in names of zones, resume files, the errors of defects',
    scenes: [],
    tests: [
      [SAID, 'no text acts on the terminal that standard error is, nor begins a line of its own'],
      [SAID, 'the last words of a defect act on nothing, whatever the error quotes'],
      [SAID, 'the name of a zone without Shield acts on nothing'],
      [SAID, 'the question of a resume file acts on nothing'],
      [SAID, 'the detail of a failure acts on nothing'],
    ],
  },
  F62: {
    name: 'poisoned compiled code',
    injected: 'a file or a folder of another user, open to others, a link; NODE_COMPILE_CACHE',
    scenes: [],
    tests: [
      [LAUNCHER, 'compiled code runs only from a file of the user, in folders that nobody else can change'],
      [LAUNCHER, 'the compile cache of Node itself, which takes code from anybody, is not used'],
    ],
  },
  F63: {
    name: 'files of another, and links',
    injected:
      'in the place of a trace, a notebook, the audit file, and of temporary files in shared directories',
    scenes: [],
    tests: [
      [STRANGE, 'a trace goes to no link, no pipe, no folder and no file that others may read'],
      [STRANGE, 'nothing is written to a file of another user'],
      [STRANGE, 'an audit file of another user opens no change again'],
      [STRANGE, 'no link in the place of a temporary file is followed'],
    ],
  },
  F64: {
    name: 'secrets of other kinds and forms',
    injected:
      'headers by other names, passwords in JSON, XML and forms, codes and tickets, our own key escaped',
    scenes: [],
    tests: [
      [VALUES, 'a header that opens something is masked by the kind of its name, whatever it is called'],
      [VALUES, 'a password in a body of any form is masked, and what stands around it is not'],
      [VALUES, 'a parameter of a URL that opens something for once is masked'],
      [VALUES, 'no value survives between any pieces of bodies'],
      ['test/api/origin.test.ts', 'our own key is taken out of a text in any escaped form'],
      ['test/api/origin.test.ts', 'our own key is taken out of base64, wherever it stands in it'],
    ],
  },
  F65: {
    name: 'the key in arguments and dumps',
    injected: 'a copied request; a limit and a filter for dumps as a login leaves them',
    scenes: [],
    tests: [
      [
        'test/domain/crumb.test.ts',
        'a request as curl takes the key from the environment, on the standard input of curl, and is one line',
      ],
      [
        LAUNCHER,
        'a crash leaves no dump, and a dump that is made holds nothing private, on a terminal and in a pipe',
      ],
    ],
  },
  F66: {
    name: 'a Node that nobody pinned',
    injected: 'a package without a hash in the lock file; the Node of a checkout; a script at install',
    scenes: [],
    tests: [
      [
        'test/architecture.test.ts',
        'each package is installed by its hash and runs no script, and the Node of every platform is one of them',
      ],
      [LAUNCHER, 'in a checkout the Node that it installed is used'],
    ],
  },
  F78: {
    name: 'one text of 100,000 letters',
    injected:
      'in each place of each answer and line, made to cost its square; every pattern of the source likewise',
    scenes: [],
    tests: [
      [
        'test/patterns.test.ts',
        'no pattern of the program takes more than linear time, whatever text it is given',
      ],
      [LONG, 'the name of a context of any length takes time in proportion to it'],
      [LONG, 'a text in lines of any length takes time in proportion to it'],
    ],
  },
  F79: {
    name: 'rows that nobody asked for',
    injected: 'nine megabytes of empty rows, groups, events and zones in one answer',
    scenes: [],
    tests: [
      [
        'test/api/json-in-turns.test.ts',
        'what an answer has beyond what was asked for becomes no row, and is told as more to come',
      ],
      [
        'test/api/json-in-turns.test.ts',
        'a list of Shield events or zones that nobody asked for is refused by a sentence',
      ],
      ['test/api/json-in-turns.test.ts', 'a long list is parsed in many turns, and only as far as was asked'],
    ],
  },
  F80: {
    name: 'rows of 16 kB',
    injected: 'thousands of rows whose URL and user agent are long and never the same, followed and paused',
    scenes: [],
    tests: [
      [
        'test/state/log-bytes.test.ts',
        'rows of 16 kB each fill a session to its bytes and no further; the oldest go first and are counted',
      ],
      ['test/state/log-bytes.test.ts', 'a paused log keeps to its bytes as well'],
      [
        'test/state/log-bytes.test.ts',
        'what the texts of rows take is counted when they come and taken off when they go',
      ],
    ],
  },
  F71: {
    name: 'eight hours paused with long addresses',
    injected: '3,600 rows of 16 kB, nothing in them repeated, into the bytes of 1,000, with the pane paused',
    scenes: [],
    tests: [
      [
        'test/state/log-bytes.test.ts',
        'eight hours paused at rows of 16 kB keep to the bytes, hold nothing of what went, and say how much that is',
      ],
      [
        LAUNCHER,
        'on a terminal the memory of rows that went does not pile up to several times that of the rows kept',
      ],
    ],
  },
  F81: {
    name: 'a ledger that is deleted, damaged or moved',
    injected:
      'the file deleted, cut, emptied, of another version, without a table, under eight processes; no usable place; other XDG_RUNTIME_DIR, TMPDIR and HOME',
    scenes: [],
    tests: [
      [
        LEDGER,
        'a ledger that meets its end under eight processes is made anew, and what they sent still counts',
      ],
      [
        LEDGER,
        'a ledger that meets the tables of another version under eight processes is made anew, and what they sent still counts',
      ],
      [
        LEDGER,
        'a ledger that meets tables missing under eight processes is made anew, and what they sent still counts',
      ],
      [
        LEDGER,
        'with a directory in place of the file eight processes keep to an eighth each and say so, until it is mended',
      ],
      [LEDGER, 'no variable of the environment moves the ledger'],
      [
        'test/print/output.test.ts',
        'a pipe is told once that the quota is not shared, and again after it was',
      ],
    ],
  },
  F83: {
    name: 'lists and commands without end',
    injected:
      '200,000 zones in one answer; HasMoreItems for ever; a key_command that leaves something behind',
    scenes: [],
    tests: [
      ['test/print/zones.test.ts', 'a list of 200,000 that comes as one page is read whole'],
      [
        'test/print/zones.test.ts',
        'a list that repeats itself, or brings others for ever, ends with a failure',
      ],
      [
        'test/config/config.test.ts',
        'a key_command may leave something behind that holds its output, or fills it for ever',
      ],
      ['test/config/config.test.ts', 'a key_command that does not end is ended after a minute'],
    ],
  },
  F84: {
    name: 'a pasted name that looks typed',
    injected: 'the name in one burst and its line break later; text behind the sign that ends a paste',
    scenes: [],
    tests: [
      ['test/state/storage.test.ts', 'a name that came in a burst starts nothing, whenever Enter comes'],
      [
        'test/state/storage.test.ts',
        'text behind the end of a paste is no answer, and takes what was typed before with it',
      ],
      [STORAGE, 'a wrong name, a paste, keys typed ahead and one burst send nothing'],
    ],
  },
  F85: {
    name: 'rows of another time or zone',
    injected: 'among the rows of an answer some of an hour before, and some of another zone',
    scenes: [],
    tests: [
      [
        'test/print/logs.test.ts',
        'rows from outside the window or of another zone are left out, named, and the answer is not whole',
      ],
      [
        'test/print/logs.test.ts',
        'lines of a v1 day that are of another day or zone are left out, named, and a gap',
      ],
      ['test/print/shield.test.ts', 'events of another time are left out, and the answer is not whole'],
      ['test/print/shield.test.ts', 'groups of another time are left out, and the answer is not whole'],
      [
        'test/print/health.test.ts',
        'rows of others are no figures of a zone: it says so, and the answer is not whole',
      ],
      [
        'test/print/causes.test.ts',
        'origin errors and changes of another day are left out and counted, and the answer is not whole',
      ],
      [
        'test/session/log.test.ts',
        'rows that nobody asked for leave a gap that says so, and are told among the requests',
      ],
      ['test/api/evidence.test.ts', 'origin errors of another day or zone are left out and counted'],
      [
        'test/api/stored-logs.test.ts',
        'files of another folder or storage zone are left out of a listing and counted',
      ],
    ],
  },
  F86: {
    name: 'a writer that stays',
    injected: 'an interrupt, and a limit that is reached, while a FIFO or a substitution stays open',
    scenes: [],
    tests: [
      [OPENED, 'what somebody else writes ends at a signal and after its limit, although its writer stays'],
    ],
  },
  F87: {
    name: 'little that unpacks to much',
    injected: '87 kB of gzip with ten million lines; long lines, blank lines, in every reader',
    scenes: [],
    tests: [
      [OPENED, 'an interrupt is heard while much is unpacked of little'],
      [TURNED, 'of each input the loop has its turn again and again: on screen, and asked'],
      [SAVED, GZIP_FOLLOWED],
    ],
  },
  F88: {
    name: 'a request that waits for a minute',
    injected: 'a Retry-After of 60 s, a quota that is spent, on screen, in a pipe and for an agent',
    scenes: [],
    tests: [
      [STORIES, 'Nothing comes: what does it wait for, and until when?'],
      [OUTPUT, 'a pipe is told once that requests wait, until when and why, and nothing of a short wait'],
      [AGENT, 'a call that waits says so to a client that asks, and nothing when it is over'],
    ],
  },
  F89: {
    name: 'credentials that visitors write',
    injected: '17 kinds in every text of rows, events, origin errors and changes, by every reader',
    scenes: [],
    tests: [
      [
        'test/effects/saved-secrets.test.ts',
        'no credential is left in any field of a row, whichever way it comes',
      ],
      ['test/effects/saved-secrets.test.ts', 'a batch says of each field what a line alone says'],
      [
        VALUES,
        'credentials of each kind are masked by their shape in any text and URL, through percent-encoding',
      ],
      ['test/print/open.test.ts', 'hostile text of a file reaches no pipe unescaped, and no secret at all'],
      [VISITORS, 'no credential that a visitor wrote leaves in any format of any command'],
      [VISITORS, 'no credential that a visitor wrote reaches an agent'],
      [VISITORS, 'no credential that a visitor wrote is stored'],
      ['test/api/evidence.test.ts', 'no token leaves an origin error or a change'],
    ],
  },
  F90: {
    name: 'processes whose clocks are apart',
    injected: 'a monotonic clock hours ahead or behind, in another process of the same user',
    scenes: [],
    tests: [
      [LEDGER, 'times that no process of this boot can have written do not count either'],
      [LEDGER, 'setting the time of the system frees no slot and holds none'],
      [
        'test/api/quota-processes.test.ts',
        'four processes of as many clocks hammering one zone, one of them killed, stay within what the server counts',
      ],
    ],
  },
  F91: {
    name: 'an output that takes nothing',
    injected: 'closed, full, or a message of 10 MiB',
    scenes: [],
    tests: [
      ['test/cli/full-disk.test.ts', 'a closed standard output is told, and is no success'],
      [
        'test/cli/mcp.test.ts',
        'an output that takes nothing and a message that is too long end it, and are no success',
      ],
    ],
  },
  F92: {
    name: 'an agent that is misled',
    injected: 'hostile texts in every field, unknown arguments, a burning zone at each of 59 places',
    scenes: [],
    tests: [
      [
        'test/mcp/fence.test.ts',
        'hostile texts in every field of every result leave the fence closed, and stay inside of it',
      ],
      [
        'test/mcp/tools.test.ts',
        'an answer is whole where all was read and no row can still come, and a sample never is',
      ],
      [
        'test/mcp/tools.test.ts',
        'a zone may be the number that results give, and an argument that a tool does not have is refused',
      ],
      ['test/mcp/health.test.ts', 'a zone that burns is found in two calls, wherever it stands in the list'],
    ],
  },
} as const satisfies Record<string, FaultRow>;

/** Beside the rows: the n-th of a kind fails, for each n. */
export const LOOPS = {
  request: {
    name: 'the n-th request',
    injected: 'each of 7 requests of a printed window meets each of four faults',
    scenes: [loop(server.nthRequest)],
    tests: [],
  },
  parse: {
    name: 'the n-th answer that is read',
    injected: 'each answer of eight commands is garbage, cut, of another shape, a list, null or a web page',
    scenes: [loop((scene) => failNthParses(scene))],
    tests: [],
  },
  write: {
    name: 'the n-th write',
    isAlone: true,
    injected:
      'to each kind of file: short, refused, torn; to the terminal and a pipe: gone, refused, stalled',
    scenes: [
      loop(() => failNthFileWrites()),
      loop(() => failNthTerminalWrites()),
      loop(() => failNthPrints()),
    ],
    tests: [[WRITE, 'whichever call to the file system fails before the request, nothing is sent']],
  },
  timer: {
    name: 'the n-th timer',
    injected: 'minutes late, at once, or its request given up, in virtual time; late or at once in a session',
    scenes: [loop(() => failNthTimers()), loop((scene) => failNthSessionTimers(scene, SESSION_TIMERS))],
    tests: [],
  },
} as const satisfies Record<string, FaultRow>;

/** Places of all loops so far, and what did not hold. */
export const NTH: NthFigures = { places: 0, failures: [] };

function loop(run: (scene: Scene) => Promise<NthFigures>) {
  return async (scene: Scene): Promise<void> => {
    const figures = await run(scene);
    NTH.places += figures.places;
    NTH.failures.push(...figures.failures);
    scene.note(`${figures.places} places, failures ${figures.failures.length}`);
    if (figures.failures.length > 0) throw new Error(figures.failures.slice(0, 5).join('\n'));
  };
}
