import { proseLine, textOfProse } from '../../domain/handover/line-formats.ts';
import { NO_ENTRY, type NotebookBlock } from '../../domain/handover/notebook.ts';
import { keptQuery, placeOfCommand } from '../../domain/handover/place.ts';
import { NOT_RUNNABLE } from '../../domain/handover/pseudonyms.ts';
import { KEPT_WORDS, oldestAsked } from '../../domain/kept.ts';
import { substringTest } from '../../domain/query/match.ts';
import { findZones } from '../../domain/query/zone-search.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { count, dayOf, timeOfDay } from '../../text/units.ts';
import { begun, isBurst } from '../input/pace.ts';
import { promptOf } from '../input/prompt.ts';
import { listHeight } from '../list/layout.ts';
import { moved } from '../list/list.ts';
import { NOT_CONNECTED } from '../logs/log-coverage.ts';
import { areSameZones, zonesOnShow } from '../logs/log-zones.ts';
import type { Acted, Done, Message, Step } from '../messages.ts';
import { noticed, type Prompt, reported, type State } from '../model.ts';
import { listCell, OF_LIST, type Screen } from '../screen.ts';
import { backTo, pushed, topOf, withEach, withTop } from '../view-stack.ts';
import { lookingWords, openWanted } from '../zones.ts';
import type { NotebookView } from './handover-model.ts';
import { blockLines, searchedText, topBlock } from './notebook-lines.ts';

export const NOTEBOOK_SCREEN: Screen<NotebookView> = {
  ...OF_LIST,
  commands: notebookCommanded,
  title: () => 'notebook',
  command: () => 'the notebook is a file: no command opens it',
  request: () => 'the notebook is a file: no request brings it',
  sheet: () => 'the notebook is a file already',
  under: () => null,
  cell: () => listCell(null),
  search: {
    needle: ({ needle }) => needle ?? '',
    submitted: (state, view, text) => {
      const needle = text === '' ? view.needle : text;
      return needle === null ? state : found(state, { ...view, needle }, 0);
    },
  },
};

/** The notebook of today, on top of what is on screen, or instead of the one that is open already. */
export function notebookOpened(state: State): Step {
  const views = backTo(state, 'notebook')?.views.slice(0, -1) ?? state.views;
  return dayOpened({ ...state, views }, dayOf(state.now, 'utc'));
}

function notebookCommanded(before: State, view: NotebookView, command: CommandId): Acted {
  const { notebook, day } = view;
  const blocks = notebook?.blocks ?? [];
  const block = blocks[view.cursor];
  if (command === 'strike') return struck(before, day, block);
  // What was pressed before a key that acts here says nothing of a strike after it.
  const state: State = { ...before, pace: begun(before.now) };
  const skip = block && pagedWithin(state, view, block, command);
  if (skip != null) return withTop(state, { ...view, skip });
  const place = moved(view, command, blocks.length, shownBlocks(state, view) + 1);
  if (place) return wentTo(state, view, place.cursor, place.top);
  switch (command) {
    case 'open':
      return block ? entryOpened(state, block) : nothingHere(state);
    case 'editNote':
      return block ? noteOpened(state, view, block) : nothingHere(state);
    case 'refresh':
      return [state, [{ type: 'readNotebook', day }]];
    case 'historyBack':
      return dayTurned(state, notebook?.before, 'before');
    case 'historyForward':
      return dayTurned(state, notebook?.after, 'after');
    case 'findNext':
      return found(state, view, 1);
    case 'findPrevious':
      return found(state, view, -1);
    default:
      return null;
  }
}

/** Enter on the note of an entry. */
export function entryNoteSubmitted(state: State, { field, before }: Prompt): Done {
  const view = topOf(state, 'notebook');
  const closed: State = { ...state, prompt: null };
  const block = view?.editing ?? null;
  if (view === null || block === null) return closed;
  const note = field.text.trim();
  if (note === before) return noticed(closed, 'info', 'the note is unchanged');
  const change = { kind: 'note', note: proseLine(note) } as const;
  const done = 'note changed; the previous one stays, struck through';
  return [closed, [{ type: 'changeEntry', day: view.day, block, change, at: state.now, done }]];
}

/** The file as it is now, and what became of a change. */
export function notebookRead(state: State, message: Message<'notebookRead'>): State {
  const { day, notebook, trouble, done, failed } = message;
  const read = (view: NotebookView): NotebookView => {
    if (view.day !== day) return view;
    const blocks = notebook?.blocks ?? [];
    const isFirst = view.notebook?.blocks === undefined || view.notebook.blocks === null;
    const cursor = Math.max(0, Math.min(isFirst ? blocks.length - 1 : view.cursor, blocks.length - 1));
    const { columns } = state.size;
    const top = topBlock(blocks, { cursor, top: isFirst ? 0 : view.top }, columns, listHeight(state));
    return { ...view, notebook, trouble, cursor, top, skip: 0 };
  };
  const next: State = {
    ...state,
    views: withEach(state.views, 'notebook', read),
    parked: withEach(state.parked, 'notebook', read),
  };
  if (failed !== null) return reported(next, 'error', `notebook not changed: ${failed}`);
  return done === null ? next : reported(next, 'info', done);
}

function dayOpened(state: State, day: string): Step {
  const view: NotebookView = {
    kind: 'notebook',
    day,
    notebook: null,
    trouble: null,
    skip: 0,
    needle: null,
    editing: null,
    cursor: 0,
    top: 0,
  };
  const next = pushed({ ...state, pace: begun(state.now) }, view);
  return [next, [{ type: 'readNotebook', day }]];
}

function dayTurned(state: State, day: string | null | undefined, side: 'before' | 'after'): Done {
  if (day == null) return noticed(state, 'info', `there is no notebook of a day ${side} this one`);
  return dayOpened({ ...state, views: state.views.slice(0, -1) }, day);
}

function nothingHere(state: State): State {
  return noticed(state, 'info', 'there is no entry here');
}

/** The first strike writes the time, the second takes it back. Keys that nobody typed are asked for once more. */
function struck(state: State, day: string, block: NotebookBlock | undefined): Done {
  if (block === undefined) return nothingHere(state);
  const { entry } = block;
  if (entry === null) return noticed(state, 'info', NO_ENTRY);
  const isBack = entry.head.struck !== null;
  if (isBurst(state.pace)) {
    const text = `too fast to be typed: nothing is written; x ${isBack ? 'takes the strike back' : 'strikes it'}`;
    return noticed({ ...state, pace: begun(state.now) }, 'warning', text);
  }
  const done = isBack ? 'the strike is taken back' : 'struck; x takes it back';
  const change = { kind: 'strike' } as const;
  return [state, [{ type: 'changeEntry', day, block, change, at: state.now, done }]];
}

function noteOpened(state: State, view: NotebookView, block: NotebookBlock): State {
  const head = block.entry?.head;
  if (head === undefined) return noticed(state, 'info', NO_ENTRY);
  if (head.struck !== null) return noticed(state, 'info', 'a struck entry cannot be edited: x restores it');
  const note = textOfProse(head.note.replaceAll('\n', ' '));
  return { ...withTop(state, { ...view, editing: block }), prompt: promptOf('entryNote', note) };
}

/** The view that an entry was taken from, as its command names it. */
function entryOpened(state: State, block: NotebookBlock): State {
  const refused = (why: string) => noticed(state, 'info', why);
  const { entry } = block;
  if (entry === null) return refused(NO_ENTRY);
  const command = /^`{3,}sh\n([^\n]+)\n`{3,}$/m.exec(entry.rest)?.[1];
  if (command === undefined) return refused('no command opens the view of this entry');
  if (entry.rest.includes(NOT_RUNNABLE)) return refused('its addresses are pseudonyms: no command opens it');
  if (state.session?.source.kind === 'files') return refused(NOT_CONNECTED);
  const place = placeOfCommand(command, state.handover.flags);
  if (typeof place === 'string') return refused(place);
  const parsed = keptQuery(place, state.now);
  if (!parsed.ok) return refused(`its query is no longer understood: ${parsed.error.message}`);
  const { window } = parsed.query;
  const to = window?.kind === 'absolute' ? (window.to ?? state.now) : state.now;
  const isStored = place.screen === 'logs' && state.history !== null;
  if (!isStored && to <= oldestAsked(state.now, place.screen)) {
    const end = timeOfDay(to, { zone: 'utc', date: true });
    return refused(`its time ended ${end}Z and is gone: ${KEPT_WORDS[place.screen]}`);
  }
  const { zone: word, screen, rows } = place;
  const before = zonesOnShow(state);
  const opened = openWanted(state, { word, query: parsed.query, screen, rows });
  if (opened.notice !== null) return opened;
  if (opened.zones.wanted !== null) return noticed(opened, 'info', lookingWords(word));
  const names = before.map(({ name }) => name).join(',');
  const found = findZones(state.zones.items, word);
  const isFound = found.kind === 'found' && areSameZones(found.zones, before);
  const isSame = before.length === 0 || isFound || names === word;
  const why = `the entry is of another zone: ${word}, not ${names}`;
  return isSame ? opened : noticed(opened, 'info', why);
}

/** To the next block that holds the needle: from the cursor on, or in a direction, round the end. */
function found(state: State, view: NotebookView, direction: 0 | 1 | -1): State {
  const { needle, cursor } = view;
  if (needle === null) return state;
  const test = substringTest(needle);
  const matches = (view.notebook?.blocks ?? []).flatMap((block, at) => (test(searchedText(block)) ? at : []));
  const ahead = matches.find((at) => (direction === 0 ? at >= cursor : at > cursor)) ?? matches[0];
  const at = direction < 0 ? (matches.findLast((each) => each < cursor) ?? matches.at(-1)) : ahead;
  if (at === undefined)
    return noticed(withTop(state, view), 'warning', `'${needle}' is not in this notebook`);
  const text = `${count(matches.indexOf(at) + 1)} of ${count(matches.length)} with '${needle}'`;
  return noticed(wentTo(state, view, at, view.top), 'info', text);
}

function wentTo(state: State, view: NotebookView, cursor: number, top: number): State {
  const blocks = view.notebook?.blocks ?? [];
  const { columns } = state.size;
  return withTop(state, {
    ...view,
    cursor,
    skip: 0,
    top: topBlock(blocks, { cursor, top }, columns, listHeight(state)),
  });
}

/** A page within a block that is longer than the screen: how many of its lines are gone by then; null = it has none. */
function pagedWithin(
  state: State,
  { skip, cursor, notebook }: NotebookView,
  block: NotebookBlock,
  command: CommandId,
): number | null {
  const height = listHeight(state);
  const left = blockLines(block, { columns: state.size.columns }).length - skip;
  // The last line of the screen says that more follow.
  const page = Math.max(1, height - 1);
  if (command === 'pageDown' && left > height) return skip + page;
  if (command === 'pageDown' && cursor + 1 === notebook?.blocks?.length) return skip;
  return command === 'pageUp' && skip > 0 ? Math.max(0, skip - page) : null;
}

/** How many blocks are on screen, which is how far a page goes. */
function shownBlocks(state: State, { notebook, top }: NotebookView): number {
  const blocks = notebook?.blocks ?? [];
  let room = listHeight(state);
  let at = top;
  for (let block = blocks[at]; block !== undefined && room > 0; block = blocks[++at])
    room -= blockLines(block, { columns: state.size.columns }).length + 1;
  return Math.max(1, at - top);
}
