import { seenValues } from '../across/input/prompts.ts';
import { HIGHLIGHT_COLOURS } from '../domain/handover/highlights.ts';
import { type Completion, complete } from '../domain/query/complete.ts';
import type { QuerySubject } from '../domain/query/query.ts';
import { WATCH_METRICS } from '../domain/watch/watch.ts';
import { BINDINGS, COMMANDS, type CommandId, TAKES, wordsOf } from '../keys/bindings.ts';
import { chordsOf } from '../keys/own-keys.ts';
import { promptSubject } from '../state/log-zones.ts';
import type { Action } from '../state/messages.ts';
import type { State } from '../state/model.ts';
import type { Chord } from './chord.ts';
import { viewPlace, whyIdle } from './conditions.ts';
import {
  commandNamed,
  commandsBegun,
  hasWordBegun,
  isTerm,
  type LineParts,
  lineParts,
  readLine,
  usageOf,
  whyNotHere,
} from './line-words.ts';

/** An offer for the line: `key` does the same without it. */
export type Offer = Completion & { key: string; acts: boolean };

type Takes = keyof typeof TAKES;
type Place = { arg: string; at: number; cursor: number };

const NOUNS = Object.keys(TAKES);

/** Zones offered at once. */
const MOST_ZONES = 100;

/** The offers at the cursor of the line, best first. */
export function paletteOffers(state: State): Offer[] {
  const field = state.prompt?.field;
  if (!field) return [];
  const parts = lineParts(field.text);
  const { start, word, end } = parts;
  if (isTerm(word))
    return acts(state, 'addTerms')
      ? queryOffers(state, field.text.slice(start), field.cursor - start, start)
      : [];
  if (field.cursor <= end) return firstOffers(state, parts);
  const command = commandNamed(word);
  const takes = command === null ? undefined : BINDINGS[command].line?.takes;
  if (takes === undefined) return [];
  const at = end + 1;
  return argumentOffers(state, takes, { arg: field.text.slice(at), at, cursor: field.cursor - at });
}

/** The place of the chosen offer, or -1: none is chosen before an arrow is pressed. */
export function paletteChosen({ prompt }: State, offers: readonly Offer[]): number {
  if (!prompt || prompt.chosen === null) return -1;
  return offers.findIndex((offer) => lineWith(prompt.field.text, offer) === prompt.chosen);
}

/** The usage of the command whose argument is typed, else null. */
export function paletteUsage(state: State): string | null {
  const { text = '', cursor = 0 } = state.prompt?.field ?? {};
  const { word, end } = lineParts(text);
  const command = isTerm(word) ? 'addTerms' : commandNamed(word);
  return command === null || (command !== 'addTerms' && cursor <= end) ? null : usageOf(command);
}

/** What a key does in the command line alone; null = what it does in every edited line. */
export function paletteKey(state: State, chord: Chord): Action | null {
  const { prompt } = state;
  if (prompt === null) return null;
  const moves: Record<Chord, number> = { Down: 1, 'Ctrl-n': 1, Up: -1, 'Ctrl-p': -1, 'Shift-Tab': -1 };
  const by = moves[chord];
  if (by === undefined && chord !== 'Tab' && chord !== 'Enter') return null;
  const offers = paletteOffers(state);
  const { text } = prompt.field;
  const at = paletteChosen(state, offers);
  if (by !== undefined) {
    const next = offers[Math.max(-1, Math.min(offers.length - 1, at + by))];
    return { type: 'offerChosen', line: next ? lineWith(text, next) : null };
  }
  if (chord === 'Tab') {
    const { from, to, insert } = offers[at] ?? offers[0] ?? { from: 0, to: 0, insert: null };
    return insert === null
      ? { type: 'refused', why: 'nothing to complete here' }
      : { type: 'offerTaken', offer: { from, to, insert } };
  }
  const line = prompt.chosen ?? text;
  if (lineParts(line).word === '') return { type: 'cancelled' };
  const reading = readLine(state, line);
  if (reading.kind === 'none') return { type: 'refused', why: reading.why };
  const { command, argument } = reading;
  return { type: 'ordered', command, argument, line };
}

function lineWith(text: string, { from, to, insert }: Offer): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/**
 * What the first word begins: commands that act here, fields, commands that act elsewhere, then commands by their
 * descriptions.
 */
function firstOffers(state: State, { start, word, end }: LineParts): Offer[] {
  const offersOf = (ids: readonly CommandId[]) => ids.map((id) => commandOffer(state, id, start, end));
  if (word === '') return offersOf(commandsNow(state));
  const begun = commandsBegun(word);
  const told = commandsTold(word).filter((id) => !begun.includes(id));
  const here = (id: CommandId) => acts(state, id);
  const elsewhere = (id: CommandId) => !here(id);
  return [
    ...offersOf(begun.filter(here)),
    ...termOffers(state, word, start),
    ...offersOf([...begun.filter(elsewhere), ...told.filter(here)]),
  ];
}

/** The commands that act now, those with an argument first; movement has quicker keys. */
function commandsNow(state: State): CommandId[] {
  const ids = COMMANDS.filter(
    (id) => isIn(id) && BINDINGS[id].group !== 'Move' && acts(state, id) && whyIdle(state, id) === null,
  );
  return ids.toSorted((a, b) => nounRank(a) - nounRank(b));
}

/** Places to go to come before what is done there. */
function nounRank(id: CommandId): number {
  const { takes } = BINDINGS[id].line ?? {};
  return takes === undefined ? NOUNS.length : NOUNS.indexOf(takes);
}

function commandOffer(state: State, id: CommandId, from: number, to: number): Offer {
  const { line, does } = BINDINGS[id];
  return {
    from,
    to,
    insert: `${line?.name ?? ''}${line?.takes === undefined ? '' : ' '}`,
    label: usageOf(id) ?? '',
    help: whyNotHere(state, id) ?? does,
    key: chordsOf(state.ownKeys, viewPlace(state), id)[0] ?? BINDINGS[id].keys[0] ?? '',
    acts: acts(state, id),
  };
}

/** Commands whose descriptions, or words that people look for them by, have a word that begins so. */
function commandsTold(word: string): CommandId[] {
  const isTold = (id: CommandId) => hasWordBegun(`${BINDINGS[id].does} ${BINDINGS[id].found ?? ''}`, word);
  return COMMANDS.filter((id) => isIn(id) && isTold(id));
}

/** Query fields that the first word begins, where a query can take the term. */
function termOffers(state: State, word: string, start: number): Offer[] {
  if (word === '' || !acts(state, 'addTerms')) return [];
  return queryOffers(state, word, word.length, start).filter(({ label }) =>
    label.toLowerCase().startsWith(word.toLowerCase()),
  );
}

function argumentOffers(state: State, takes: Takes, place: Place): Offer[] {
  switch (takes) {
    case 'logsOfZone':
      return zoneOffers(state, place, 'logs');
    case 'shieldOfZone':
      return zoneOffers(state, place, 'shield');
    case 'eitherOfZone':
      return zoneOffers(state, place, promptSubject(state));
    case 'storageZone':
      return ranked(state.storage.items, ({ name, id }) => [name, id], place.arg).map(
        ({ name, id, region }) => plain(place, name, name, `${region} ${id}`),
      );
    case 'fields':
      return fieldOffers(state, place);
    case 'window':
      return queryOffers(state, place.arg, place.cursor, place.at).filter(
        ({ label }) => !label.endsWith(':') || /^(?:last|from|to):/.test(label),
      );
    case 'query':
    case 'terms':
      return queryOffers(state, place.arg, place.cursor, place.at);
    case 'word':
      return commandsBegun(place.arg.trim()).map((id) => {
        const name = wordsOf(id)[0] ?? '';
        return plain(place, name, name, BINDINGS[id].does);
      });
    case 'highlight':
      return colourOffers(place);
    case 'highlighted':
      return ranked(state.highlights, ({ text }) => [text], place.arg).map(({ text, colour }) =>
        plain(place, text, text, colour),
      );
    case 'condition':
      return Object.values(WATCH_METRICS).flatMap(({ subject, title, example }) =>
        subject === promptSubject(state) && example.startsWith(place.arg.trim().toLowerCase())
          ? plain(place, example, example, title)
          : [],
      );
    case 'onOff':
      return ['on', 'off'].flatMap((each) =>
        each.startsWith(place.arg.trim().toLowerCase()) ? plain(place, each, each, '') : [],
      );
    case 'day':
    case 'text':
      return [];
  }
}

/** The colours that the last word behind a text begins. */
function colourOffers({ arg, at }: Place): Offer[] {
  const word = arg.lastIndexOf(' ') + 1;
  const begun = arg.slice(word).toLowerCase();
  if (arg.slice(0, word).trim() === '') return [];
  return HIGHLIGHT_COLOURS.filter((each) => each.startsWith(begun)).map((each) =>
    plain({ arg: begun, at: at + word, cursor: 0 }, each, each, ''),
  );
}

/** Zones held, by the words of their names and by hostname; behind the zone its query. */
function zoneOffers(state: State, place: Place, subject: QuerySubject): Offer[] {
  const { arg, at, cursor } = place;
  const end = lineParts(arg).end;
  const zone = arg.slice(0, end);
  if (cursor > end) {
    const rest = end + 1;
    return queryOffers(state, arg.slice(rest), cursor - rest, at + rest, subject);
  }
  const zones = state.zones.items.filter(({ shieldZoneId }) => subject === 'logs' || shieldZoneId !== null);
  return ranked(zones, ({ name, id, hostnames }) => [name, id, ...hostnames], zone)
    .slice(0, MOST_ZONES)
    .map((each) =>
      plain({ ...place, arg: zone }, `${calledIn(zones, each)} `, each.name, each.hostnames[0] ?? ''),
    );
}

/** The name of a zone, or its id where another has that name. */
function calledIn<T extends { id: string; name: string }>(zones: readonly T[], { id, name }: T): string {
  return zones.some((other) => other.name === name && other.id !== id) ? id : name;
}

/** Fields left to group by: those of the log that are not in the line yet. */
function fieldOffers(state: State, { arg, at, cursor }: Place): Offer[] {
  const typed = `by:${arg.slice(0, cursor).replace(/[\s,]/g, ',')}`;
  const from = at + typed.lastIndexOf(',') + 1 - (typed.includes(',') ? 'by:'.length : 0);
  return complete(typed, typed.length, promptSubject(state), () => []).map((offer) =>
    told({ ...offer, from, to: at + cursor }),
  );
}

function queryOffers(
  state: State,
  text: string,
  cursor: number,
  at: number,
  subject = promptSubject(state),
): Offer[] {
  return complete(text, cursor, subject, (field) => seenValues(state, field, subject)).map((offer) =>
    told({ ...offer, from: offer.from + at, to: offer.to + at }),
  );
}

function plain({ arg, at }: Place, insert: string, label: string, help: string): Offer {
  return told({ from: at, to: at + arg.length, insert, label, help });
}

/** An offer without a key. */
function told(completion: Completion): Offer {
  return { ...completion, key: '', acts: true };
}

/** What begins so, then what has a later word that does; scattered letters match nothing. */
function ranked<T>(items: readonly T[], names: (item: T) => readonly string[], word: string): T[] {
  const typed = word.trim().toLowerCase();
  const rank = (item: T) => {
    const [name = '', ...others] = names(item).map((each) => each.toLowerCase());
    if (name.startsWith(typed)) return 0;
    if (name.split(/[^a-z0-9]+/).some((part) => part.startsWith(typed))) return 1;
    return others.some((other) => other.startsWith(typed)) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((each) => each.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function acts(state: State, id: CommandId): boolean {
  return whyNotHere(state, id) === null;
}

function isIn(id: CommandId): boolean {
  return wordsOf(id).length > 0;
}
