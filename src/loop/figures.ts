import type { QuestionId } from '../domain/questions/asked/questions.ts';
import { EXPLOSION, MORE } from '../domain/thresholds.ts';
import type { KeyScope } from '../keys/places.ts';
import { hasTimeline } from '../state/list/screen-layout.ts';
import { noticed, type State, type View } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';
import { fit, wrapText } from '../text/fit.ts';

/** A figure as the screen calls it, and how it comes about. */
export type Figure = readonly [name: string, how: string];

/** What the figures of both logs share. */
const HIT =
  'HIT, REVALIDATED, STALE, UPDATING, of these and MISS, BYPASS, EXPIRED; unknown words count in neither';
const CHANCE = `more than chance gives once in 10,000 times, and by ${MORE.excess} requests at least`;
const SAMPLES = 'of all requests from SINCE to UNTIL, by samples of the log';

/**
 * How the figures of each view are computed: the screen has the figure, `:how` says this, and docs/screens prints it.
 * Thresholds stand in `domain/thresholds` and `domain/questions/deviation/harms`.
 */
export const VIEW_FIGURES = {
  zones: [
    [
      'REQ/S 4XX 5XX',
      'of the newest rows: at most 500 of the last five minutes, and those of the last minute that were read before; without the last 3 s, whose rows are still to come',
    ],
    ['OF ROWS', 'how many rows the share of 5xx is of'],
    ['HIT', HIT],
    ['BLOCKED', 'what Shield blocked a minute, in the last five minutes'],
    ['HOUR', 'requests in six parts of ten minutes, by samples; ╱ was not read'],
    ['AGE', 'how old the newest row of the figures can be'],
    [
      'WORST FIRST',
      'by how unlikely the figures are beside samples of the hour before; what is as rare as one in 1,000 is coloured',
    ],
    [
      'requests/min',
      'what the figures cost: a request a zone and round, behind whatever somebody waits for, at most a third of the limit',
    ],
  ],
  log: [
    [
      'req/s 5xx hit',
      'rows by the time that was read for them: of the last minute (in 15s: so much of it), or of a window with an end (over 22.5% of 1h); - is too little to tell',
    ],
    ['hit', HIT],
    ['by bytes', 'the hit ratio, weighed by the bytes of each response'],
    [
      'complete until',
      'that time was read again, six minutes later, for rows that arrive late; read until: once',
    ],
    ['~ late', 'arrived after an answer had covered its time, and later than nine in ten rows of this log'],
    ['gap', 'time that no answer covers, and why; Enter on it reads it'],
    ['hidden here', 'rows that the server sent and edgescope filtered out'],
    [
      'quota 10/30',
      'requests to this zone in the last 10 s, by all sessions of this host, of so many allowed',
    ],
  ],
  timeline: [
    ['20 in 5s', 'the top of the scale, and the length of a column'],
    [
      'column',
      'rows held, errors at the bottom, or in their colour where they are an eighth; ▀ marks errors it is too low to show, ↑ a column that is cut',
    ],
    ['╱ ╳ ┊', 'time not read, a gap, and until when the log is complete; grey was read in part'],
  ],
  groups: [
    ['ROWS SHARE', 'of the rows that were read, how many the line above says'],
    ['MISS', 'share that the origin had to serve'],
    ['5XX', 'share answered 5xx'],
  ],
  shieldGroups: [
    ['EVENTS', 'as Shield counts them'],
    ['BLOCKED', 'CHALL(enged), LOGGED: events by what Shield did'],
    ['SHARE', 'of the events of all groups read'],
    ['PARTIAL', 'more groups match than were read; sorted over 500 of 826 covers these'],
  ],
  shieldRows: [
    ['blocked', 'and challenged, logged: counted over the events read'],
    ['hidden here', 'events that Shield sent and edgescope filtered out, of those read'],
  ],
} as const satisfies Partial<Record<KeyScope, readonly Figure[]>>;

/** The figures of answers; a question without a row only counts. */
export const ANSWER_FIGURES = {
  wrong: [
    [
      'cause',
      'requests that are spoilt (5xx, refused, not found, redirected, missed), or one sender: at least 2 % of all above other samples, 20 rows, too many visits for chance (one in a million). 5xx from 1 % on are one however usual',
    ],
    ['first', 'what spoils most requests, times how sure that is'],
    ['SHARE', SAMPLES],
    [
      'SINCE',
      'between the last sample without it and the first one with it; the edge of what was read, or of a pause, is no beginning',
    ],
    [
      'SURE',
      'sure: in several samples, beside enough of other times; else the evidence says what is missing',
    ],
    [
      'change',
      'evidence of an origin or cache cause alone, in this zone or its origin, before a beginning that was seen',
    ],
  ],
  incidents: [
    ['SHARE', SAMPLES],
    ['SINCE UNTIL', 'times of samples: it began and ended between two of them'],
    ['cause', 'judged as what is wrong now; the same in several zones at a time is one line'],
  ],
  compare: [
    ['more frequent', `its share of the requests and its number both grew, by ${CHANCE}`],
    ['ABOVE USUAL', 'requests more than its share in the window before gives'],
  ],
  misses: [
    ['HIT', HIT],
    ['worse', `its hit ratio fell, by ${CHANCE}`],
    ['risen', `its share grew, by ${CHANCE}`],
    ['ABOVE USUAL', 'misses more than the hit ratio before gives'],
    [
      'explode',
      `a page asked for with ${EXPLOSION.distinct} different query strings or more, one for every second request or more, ${EXPLOSION.growth} times as many a minute as before`,
    ],
  ],
  through: [
    ['got through', 'answered 2xx or 3xx'],
    ['BY ORIGIN', 'not answered from the cache'],
    ['looks like', 'by the numbers beside it, each with the bound that it passed'],
  ],
  'false-positives': [
    [
      'CLEAN',
      'clients with more 2xx answers than requests that Shield acted on and did not block: a reason to look, no proof',
    ],
    [
      'AT LEAST',
      'the share of clean clients that so few of them allow to claim (Wilson, 95 %); clients of one AS with one fingerprint count as one',
    ],
    ['order', 'first what looks like a misfire, last what looks like an attack; then by AT LEAST'],
  ],
  rule: [
    ['good', 'requests of a client on which Shield did not act in this time'],
    ['HIT', 'of so many read'],
  ],
  causes: [
    [
      'by cause',
      'errors that the platform reports where it got no answer; a 5xx that the origin sent is none',
    ],
    ['rows, by cause', 'the nearest error by time, path and edge location, which need not be its own'],
    ['SINCE', 'where the newest run of this cause begins'],
  ],
} as const satisfies Partial<Record<QuestionId, readonly Figure[]>>;

/** Cells of a figure's name. */
const NAME = 15;

/** Opens the explanation of the figures on screen, in place of any overlay. */
export function howOpened(state: State): State {
  if (figuresOf(state).length === 0)
    return noticed(state, 'info', 'this view has no figure that is computed');
  return { ...state, overlay: { kind: 'how', cursor: 0, top: 0 } };
}

/** How each figure on screen is computed, in lines of so many columns. */
export function howLines(state: State): string[] {
  const { columns } = state.size;
  return figuresOf(state).flatMap(([name, how]) =>
    wrapText(how, Math.max(1, columns - NAME - 3)).map(
      (text, line) => `${fit(line === 0 ? name : '', NAME)} ${text}`,
    ),
  );
}

function figuresOf(state: State): readonly Figure[] {
  return [...figuresIn(topView(state)), ...(hasTimeline(state) ? VIEW_FIGURES.timeline : [])];
}

function figuresIn(view: View): readonly Figure[] {
  if (view.kind === 'answer') {
    const figures: Partial<Record<string, readonly Figure[]>> = ANSWER_FIGURES;
    return figures[view.asked.question] ?? [];
  }
  const figures: Partial<Record<string, readonly Figure[]>> = VIEW_FIGURES;
  return figures[view.kind] ?? [];
}
