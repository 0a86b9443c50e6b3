import type { CommandId } from '../state/commands.ts';
import { BINDINGS, type KeyScope } from './bindings.ts';
import type { Chord } from './chord.ts';

/** What hands that know other programs mean by a function key, and what the key that does it does. */
const MEANT: Readonly<Record<Chord, readonly [CommandId, string]>> = {
  F1: ['help', 'lists the keys'],
  F2: ['palette', 'takes a command by its name'],
  F3: ['find', 'searches'],
  F4: ['editQuery', 'edits the query'],
  F5: ['refresh', 'reads again'],
  F6: ['sort', 'sorts'],
  F7: ['chooseWindow', 'chooses the time'],
  F8: ['dropFilter', 'drops the last filter'],
  F9: ['chooseGroups', 'groups'],
  F10: ['back', 'goes back, and from the first view quits'],
  F11: ['plainText', 'shows the rows as bare text'],
  F12: ['requests', 'shows what was asked of the API'],
};

/** What to press instead of a function key, which never does anything; null for every other key. */
export function insteadOf(chord: Chord, place: KeyScope | null): string | null {
  const meant = MEANT[chord];
  if (meant === undefined) return null;
  const [command, does] = meant;
  const { keys, where }: { keys: readonly Chord[]; where: readonly KeyScope[] } = BINDINGS[command];
  const elsewhere = place === null || where.includes(place) ? '' : ', but not in this view';
  return `${chord}: ${keys[0]} ${does}${elsewhere}`;
}
