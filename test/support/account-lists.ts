import { LIST_KINDS, type ListItem, type ListKind } from '../../src/lists/account-lists.ts';
import type { State } from '../../src/state/model.ts';
import { Secret } from '../../src/text/secret.ts';
import type { Scene, Told } from './scenes.ts';
import { played, startState } from './state.ts';
import { storageZoneOf } from './storage.ts';

/** The n-th item of each list of the account, whose every text is untrusted. */
export const LIST_ITEMS: { [K in ListKind]: (told: Told, n: number) => ListItem<K> } = {
  storage: (told, n) =>
    storageZoneOf({
      id: String(n + 1),
      name: told(n),
      region: told(n + 1),
      replicationRegions: [told(n + 2)],
      hostname: told(n + 3),
      custom404FilePath: told(n + 4),
      pullZones: [{ id: '1', name: told(n + 5) }],
    }),
  keys: (told, n) => ({
    id: `${told(n)}#${n}`,
    roles: [told(n + 1), told(n + 2)],
    secret: n % 2 === 0 ? new Secret(`canary-scene-${n}-0123456789`) : null,
  }),
};

const ITEMS = 12;

/** A list on screen, with its first page. */
export function listShown(kind: ListKind, told: Told, more: Partial<State>): State {
  const asked = played(startState(more), `${kind}Screen`).state;
  const items = Array.from({ length: ITEMS }, (_, n) => LIST_ITEMS[kind](told, n)) as never;
  const page = { items, page: 1, total: ITEMS, hasMore: false };
  return played(asked, { type: 'listArrived', list: kind, request: asked[kind].request, page }).state;
}

export const LIST_SCENES = Object.fromEntries(
  LIST_KINDS.map((kind): [string, Scene] => [
    `${kind} list`,
    (told, size) => listShown(kind, told, { size }),
  ]),
) as Record<`${ListKind} list`, Scene>;

export const LIST_SCENE_NAMES = Object.keys(LIST_SCENES) as (keyof typeof LIST_SCENES)[];
