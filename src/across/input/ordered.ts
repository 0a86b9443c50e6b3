import { type HighlightTrouble, withHighlight, withoutHighlight } from '../../domain/handover/highlights.ts';
import { EMPTY_QUERY, type Query, type QuerySubject } from '../../domain/query/query.ts';
import { lexQuery } from '../../domain/query/query-lexer.ts';
import { parseQuery, type QueryError } from '../../domain/query/query-text.ts';
import { holdsSlashes } from '../../domain/query/term-text.ts';
import { type FoundZones, findZones } from '../../domain/query/zone-search.ts';
import { parseWatch } from '../../domain/watch/watch.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { openGroups } from '../../screens/log/group-commands.ts';
import { savedRefusal } from '../../screens/log/saved.ts';
import { onTop, queryOnTop } from '../../screens/screens.ts';
import { requeried, topShield } from '../../screens/shield/shield-ask.ts';
import { storageNamed } from '../../screens/storage/storage-commands.ts';
import { lookingWords, openWanted } from '../../screens/zones/zones-screen.ts';
import { areSameZones, CHOOSE_ONE_ZONE, promptSubject, zonesOnShow } from '../../state/log-zones.ts';
import { asStep, type Done, type LineArgument } from '../../state/messages.ts';
import { mouseTaken, noticed, type State } from '../../state/model.ts';
import { parsedBy, promptOf, windowBy } from '../../state/prompt.ts';
import { NOT_CONNECTED } from '../../state/sessions/log-coverage.ts';
import { isDrilled, WINDOW_BELOW } from '../../state/sessions/session.ts';
import { watchAsked } from '../../state/watching.ts';
import { toLogs, toShield } from '../neighbours.ts';
import { helpOpened, openPrompt, paletteOpened, promptEdited, promptSubmitted } from './prompts.ts';

/** The outcome of an order: the next step, the place of a mistake in the line, or why nothing can be done. */
type Outcome = { step: Done } | Refused;
type Refused = { error: QueryError } | { why: string };

/** A command of the command line with its argument. A wrong argument changes nothing. */
export function ordered(state: State, command: CommandId, argument: LineArgument): Outcome {
  const refusal = savedRefusal(state, command);
  if (refusal !== null) return { why: refusal };
  switch (command) {
    case 'logsScreen':
      return zoneOrdered(state, 'logs', argument);
    case 'shieldScreen':
      return zoneOrdered(state, 'shield', argument);
    case 'switchZone':
      return zoneOrdered(state, promptSubject(state), argument);
    case 'storageScreen': {
      const named = storageNamed(state, argument.text);
      return 'hint' in named ? { error: mistakeAt(argument, named) } : { step: named };
    }
    case 'chooseGroups':
      return groupsOrdered(state, argument);
    case 'addTerms':
      return termsOrdered(state, argument);
    case 'mark':
    case 'unmark': {
      const marked =
        command === 'mark' ? highlighted(state, argument.text) : unhighlighted(state, argument.text);
      return 'hint' in marked ? { error: mistakeAt(argument, marked) } : { step: marked };
    }
    case 'mouse': {
      const wanted = ['off', 'on'].indexOf(argument.text.toLowerCase());
      if (wanted < 0)
        return { error: mistakeAt(argument, { message: 'neither on nor off', hint: ':mouse on' }) };
      return { step: mouseTaken(state, wanted === 1) };
    }
    case 'tell':
      return tellOrdered(state, argument);
    case 'help':
      return { step: helpOpened(state, argument.text) };
    case 'palette':
      return { step: paletteOpened(state, argument.text) };
    default:
      return promptOrdered(state, command, argument);
  }
}

/** The command line after an order that failed: the text stays, with its mistake or the reason. */
export function lineKept(state: State, line: string, refused: Refused): State {
  const error = 'error' in refused ? refused.error : null;
  const opened = paletteOpened(state, line);
  const kept: State = { ...opened, prompt: opened.prompt && { ...opened.prompt, error } };
  return 'why' in refused ? noticed(kept, 'info', refused.why) : kept;
}

/** What the key's own prompt would be given, so that both take the same. */
function promptOrdered(state: State, command: CommandId, { text, at }: LineArgument): Outcome {
  const opened = openPrompt(state, command);
  if (!opened?.prompt) return { why: 'this takes no argument here' };
  const emptied = promptOf(opened.prompt.kind, '');
  const typed = promptEdited(opened, emptied, { insert: text });
  if (typed.prompt === null) return { step: typed };
  const [done, effects] = asStep(promptSubmitted(typed, typed.prompt));
  if (done.prompt?.error) return { error: shifted(done.prompt.error, at) };
  return { step: [done, effects] };
}

/** The log of zones named in full, or the Shield explorer of one, with a query or without. */
function zoneOrdered(state: State, screen: QuerySubject, { text, at }: LineArgument): Outcome {
  if (state.session?.source.kind === 'files') return { why: NOT_CONNECTED };
  const [word = ''] = text.split(' ', 1);
  const asked = text.slice(word.length);
  const parsed = timedBy(screen, asked, state.now) ?? parsedBy(screen, asked, state.now);
  if (!parsed.ok) return { error: shifted(parsed.error, at + word.length) };
  const { items, nextPage } = state.zones;
  const found = findZones(items, word);
  const isKnown = found.kind === 'found' || (screen === 'shield' && /^shield:\d+$/i.test(word));
  // A name that is not held may be on an unread page.
  const isWhole = nextPage === null && items.length > 0;
  if (found.kind !== 'found' && !isKnown && (isWhole || found.kind === 'ambiguous')) {
    const place = { text: found.word, at: at + Math.max(0, word.indexOf(found.word)) };
    return { error: mistakeAt(place, zoneMistake(found)) };
  }
  if (found.kind === 'found' && found.zones.length > 1 && screen === 'shield') {
    return {
      error: mistakeAt({ text: word, at }, { message: 'these are several zones', hint: CHOOSE_ONE_ZONE }),
    };
  }
  const isSame = found.kind === 'found' && areSameZones(found.zones, zonesOnShow(state));
  // A zone that was read is gone to as its key does; a query is asked anew.
  if (isSame && text === word) return { step: screen === 'logs' ? toLogs(state) : toShield(state) };
  const opened = openWanted(state, { word, query: parsed.query, screen });
  const isSought = opened.zones.wanted !== null && opened.notice === null;
  return { step: isSought ? noticed(opened, 'info', lookingWords(word)) : opened };
}

/** Short, because the name stands in the line below. */
function zoneMistake(found: Exclude<FoundZones, { kind: 'found' }>): Pick<QueryError, 'message' | 'hint'> {
  if (found.kind === 'ambiguous') {
    const ids = found.candidates.map(({ id }) => id).join(', ');
    return { message: `${found.candidates.length} zones are called that`, hint: `name it by its id: ${ids}` };
  }
  const names = found.nearest.map(({ name }) => name).join(', ');
  return { message: 'no such zone', hint: names === '' ? ':zones lists them' : `nearest: ${names}` };
}

/** The condition is read as `--until` reads it, of the log on screen. */
function tellOrdered(state: State, { text, at }: LineArgument): Outcome {
  const read = parseWatch(text, promptSubject(state));
  if (!read.ok) return { error: shifted(read.error, at) };
  const about = onTop(state, 'about');
  if (about === null) return { why: 'no log is open' };
  const asked = watchAsked(state, read.watch, about);
  return typeof asked === 'string' ? { why: asked } : { step: asked };
}

/** `:by asn ip` and `:by asn,ip`: groups of the log's rows, or another grouping of the explorer's question. */
function groupsOrdered(state: State, { text, at }: LineArgument): Outcome {
  const subject = promptSubject(state);
  const fields: string[] = [];
  for (const { 0: field, index } of text.matchAll(/[^\s,]+/g)) {
    const parsed = parseQuery(`by:${field}`, subject, state.now);
    if (!parsed.ok) return { error: shifted(parsed.error, at + index - 'by:'.length) };
    fields.push(...parsed.query.groupBy);
  }
  const groupBy = [...new Set(fields)];
  if (groupBy.length === 0)
    return { error: mistakeAt({ text, at }, { message: 'no field is named', hint: ':by asn,ip' }) };
  const view = topShield(state);
  return { step: view ? requeried(state, { ...view.query, groupBy }) : openGroups(state, groupBy) };
}

/** Terms join the query of the view; a window or a grouping replaces the one before. */
function termsOrdered(state: State, { text, at }: LineArgument): Outcome {
  const { long, placeOf } = withStatusTerms(text);
  const parsed = parsedBy(promptSubject(state), long, state.now);
  if (!parsed.ok) return { error: shifted({ ...parsed.error, column: placeOf(parsed.error.column) }, at) };
  const isBelow = promptSubject(state) === 'logs' && isDrilled(state);
  if (parsed.query.window !== null && isBelow) return { why: WINDOW_BELOW };
  const own = queryOnTop(state);
  if (own === null) return { why: 'this view has no query' };
  return { step: own.asked(state, joined(own.query, parsed.query)) };
}

function joined(before: Query, { terms, window, groupBy }: Query): Query {
  const held = new Set(before.terms.map((term) => JSON.stringify(term)));
  return {
    terms: [...before.terms, ...terms.filter((term) => !held.has(JSON.stringify(term)))],
    window: window ?? before.window,
    groupBy: groupBy.length > 0 ? groupBy : before.groupBy,
  };
}

/** `5xx` as the term that it abbreviates; `placeOf` gives the column in the text as typed. */
function withStatusTerms(text: string): { long: string; placeOf: (column: number) => number } {
  const words = lexQuery(text, () => true, holdsSlashes);
  const short =
    'message' in words
      ? []
      : words.filter(
          (each) => each.name === null && /^[1-5]xx$/i.test(text.slice(each.valueStart, each.end)),
        );
  const name = 'status:';
  const long = short.reduceRight(
    (done, { valueStart }) => done.slice(0, valueStart) + name + done.slice(valueStart),
    text,
  );
  const placeOf = (column: number) => {
    let at = column;
    for (const { valueStart } of short) if (at > valueStart) at -= Math.min(name.length, at - valueStart);
    return at;
  };
  return { long, placeOf };
}

/** Behind a zone's name a time alone is a window, not a text to search for; null: it is none. */
function timedBy(subject: QuerySubject, text: string, now: number) {
  const parsed = windowBy(subject, text, now);
  return parsed.ok ? ({ ok: true, query: { ...EMPTY_QUERY, window: parsed.window } } as const) : null;
}

function shifted(error: QueryError, by: number): QueryError {
  return { ...error, column: Math.max(0, error.column + by) };
}

function mistakeAt({ text, at }: LineArgument, words: Pick<QueryError, 'message' | 'hint'>): QueryError {
  return { column: at, length: text.length, ...words };
}

/** `:mark curl red`: the text stands out in every list until it is unmarked. */
function highlighted(state: State, typed: string): State | HighlightTrouble {
  const next = withHighlight(state.highlights, typed);
  if ('hint' in next) return next;
  const { text, colour } = next.added;
  const said = `'${text}' is ${colour} in every list; :unmark ${text} ends it`;
  return noticed({ ...state, highlights: next.highlights }, 'info', said);
}

function unhighlighted(state: State, typed: string): State | HighlightTrouble {
  const highlights = withoutHighlight(state.highlights, typed);
  if (highlights.length < state.highlights.length)
    return noticed({ ...state, highlights }, 'info', 'highlight removed');
  const texts = state.highlights.map(({ text }) => text).join(', ');
  return {
    message: 'no such highlight',
    hint: texts === '' ? ':mark curl red makes one' : `there are: ${texts}`,
  };
}
