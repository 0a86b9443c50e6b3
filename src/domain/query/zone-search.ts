import { Fzf } from 'fzf';
import { type PullZone, unlistedZone, type Zones } from '../zone.ts';
import { searchTest } from './match.ts';
import { nearestNames } from './nearest.ts';

/** `candidates` all have exactly this name; `nearest` are guesses, best first. */
type FoundZone = { kind: 'found'; zone: PullZone } | LostZone;

type LostZone =
  | { kind: 'ambiguous'; candidates: readonly PullZone[] }
  | { kind: 'unknown'; nearest: readonly PullZone[] };

/** `word`: the one that names no zone, or more than one. */
export type FoundZones = { kind: 'found'; zones: Zones } | (LostZone & { word: string });

/** The finder's own types do not resolve under `nodenext`. */
type Hit = { item: number; score: number };

type Index = { texts: readonly string[]; found: Map<string, readonly number[]> };

const MOST_GUESSES = 5;

/** Answers kept per list: enough to delete a needle letter by letter. */
const MOST_ANSWERS = 64;

/** A list of zones never changes in place, so its index lives as long as the list. */
const indexes = new WeakMap<readonly PullZone[], Index>();

/**
 * The zones whose name, host names or id match the needle, best first; all of them in their order for an empty one.
 * Words may come in any order, letters may be left out, case does not count.
 */
export function narrowZones(zones: readonly PullZone[], needle: string): readonly PullZone[] {
  const words = needle.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return zones;
  const index = indexOf(zones);
  const rows = rowsFor(index, words);
  return rows.flatMap((row) => zones[row] ?? []);
}

/**
 * The zone with this id, else name, else host name, each in full and in any case. A pasted URL stands for its host.
 */
export function findZone(zones: readonly PullZone[], word: string): FoundZone {
  const candidates = zonesCalled(zones, word);
  const [zone] = candidates;
  if (zone) return candidates.length === 1 ? { kind: 'found', zone } : { kind: 'ambiguous', candidates };
  const name = nameIn(word);
  return { kind: 'unknown', nearest: name === '' ? [] : nearestZones(zones, name) };
}

/**
 * The zones named by words with commas between them, in that order and each once: `shop,api`. A word with `*`, any
 * run, names all that it fits: `shop-*`. Every word must name a zone.
 */
export function findZones(zones: readonly PullZone[], words: string): FoundZones {
  const named = new Set<PullZone>();
  for (const word of words.split(',')) {
    const fitting = word.includes('*') ? zonesCalled(zones, word) : [];
    const found = fitting.length > 0 ? null : findZone(zones, word);
    if (found !== null && found.kind !== 'found') return { ...found, word: word.trim() };
    for (const zone of found === null ? fitting : [found.zone]) named.add(zone);
  }
  const [first, ...others] = named;
  // A text without commas is one word, so there is at least one zone.
  return first ? { kind: 'found', zones: [first, ...others] } : { kind: 'unknown', word: words, nearest: [] };
}

/**
 * Those with this id, else this name, else this host name. `*` in the word is any run, which is more likely a part of
 * a name than of an id.
 */
export function zonesCalled(zones: readonly PullZone[], word: string): PullZone[] {
  const name = nameIn(word);
  if (name === '') return [];
  const isCalled = searchTest('wildcard', [name], false);
  const byId = (zone: PullZone) => isCalled(zone.id);
  const byName = (zone: PullZone) => isCalled(zone.name.toLowerCase());
  const byHost = (zone: PullZone) => zone.hostnames.some((host) => isCalled(host.toLowerCase()));
  for (const isNamed of name.includes('*') ? [byName, byHost, byId] : [byId, byName, byHost]) {
    const called = zones.filter(isNamed);
    if (called.length > 0) return called;
  }
  return [];
}

function nearestZones(zones: readonly PullZone[], name: string): PullZone[] {
  const mistyped = nearestNames(name, [...new Set(zones.map((zone) => zone.name))], MOST_GUESSES);
  const guesses = [
    ...mistyped.flatMap((each) => zones.filter((zone) => zone.name === each)),
    ...narrowZones(zones, name),
  ];
  return [...new Set(guesses)].slice(0, MOST_GUESSES);
}

function nameIn(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '');
}

function indexOf(zones: readonly PullZone[]): Index {
  const known = indexes.get(zones);
  if (known) return known;
  const texts = zones.map((zone) => [zone.name, zone.id, ...zone.hostnames].join(' ').toLowerCase());
  const index: Index = { texts, found: new Map() };
  indexes.set(zones, index);
  return index;
}

function rowsFor(index: Index, words: readonly string[]): readonly number[] {
  const needle = words.join(' ');
  const known = index.found.get(needle);
  if (known) return known;
  const rows = ranked(index, words);
  if (index.found.size >= MOST_ANSWERS) index.found.clear();
  index.found.set(needle, rows);
  return rows;
}

function ranked(index: Index, words: readonly string[]): number[] {
  const fitting = [...index.texts.keys()].filter((row) =>
    words.every((word) => hasLetters(index.texts[row], word)),
  );
  const scores = new Map(fitting.map((row) => [row, 0]));
  for (const word of words) {
    for (const { item, score } of hitsOf(index, fitting, word)) {
      scores.set(item, (scores.get(item) ?? 0) + score + whole(index.texts[item], word));
    }
  }
  const size = (row: number) => index.texts[row]?.length ?? 0;
  return fitting.toSorted(
    (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || size(a) - size(b) || a - b,
  );
}

function hitsOf(index: Index, rows: readonly number[], word: string): Hit[] {
  // One letter fits nearly every zone: the finder would cost most and show least.
  if (word.length === 1) return rows.map((item) => ({ item, score: 0 }));
  const finder = new Fzf([...rows], {
    selector: (row: number) => index.texts[row] ?? '',
    casing: 'case-sensitive',
    normalize: false,
    fuzzy: 'v1',
    sort: false,
  });
  return finder.find(word);
}

/** Adjacent letters beat scattered ones, whatever the finder thinks of their places. */
function whole(text = '', word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (at > 0) return 500;
  return text[word.length] === ' ' ? 2000 : 1000;
}

/** Rejects early what the finder would reject after a search. */
function hasLetters(text = '', word: string): boolean {
  let at = -1;
  for (const letter of word) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** The zones of ids with commas between them, each once; null where a word is no id. */
export function zonesOfIds(words: string): Zones | null {
  if (!/^\d+(?:,\d+)*$/.test(words)) return null;
  const [first = '', ...others] = new Set(words.split(','));
  const zoneOf = (id: string) => unlistedZone({ id, name: id });
  return [zoneOf(first), ...others.map(zoneOf)];
}
