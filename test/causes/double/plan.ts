import { backgroundChanges } from './changes.ts';
import { CALM_KINDS, OTHER_KINDS } from './kinds-cache.ts';
import { CLIENT_KINDS } from './kinds-clients.ts';
import { GROWTH_KINDS } from './kinds-growth.ts';
import { ORIGIN_KINDS } from './kinds-origin.ts';
import { PAGE_KINDS } from './kinds-pages.ts';
import { VOLUME_KINDS } from './kinds-volume.ts';
import { DAY, type Kind, MINUTE, type Story, settingOf, zonesOf } from './setting.ts';
import { baseStreams } from './streams.ts';
import type { Traffic } from './traffic.ts';
import type { Change, Scene, TruthCause } from './truth.ts';
import { type Zone, zoneOf } from './zone.ts';

const ALL: Readonly<Record<string, Kind>> = {
  ...ORIGIN_KINDS,
  ...CLIENT_KINDS,
  ...OTHER_KINDS,
  ...CALM_KINDS,
  ...PAGE_KINDS,
  ...GROWTH_KINDS,
  ...VOLUME_KINDS,
};
export const KINDS: readonly string[] = Object.keys(ALL);

/** A scene with all that its answers are made from. */
export type Plan = {
  readonly scene: Scene;
  readonly account: number;
  readonly zones: readonly Zone[];
  readonly traffic: (zone: Zone) => Traffic;
  readonly changes: (from: number, to: number) => Change[];
};

const HARM: Record<TruthCause['what'], number> = {
  origin: 1,
  fewer: 1,
  rule: 0.9,
  refused: 0.8,
  notFound: 0.6,
  clientErrors: 0.6,
  redirected: 0.6,
  misses: 0.3,
  sender: 0.3,
};

function causesOf(story: Story, asked: Scene['asked'], now: number): TruthCause[] {
  const causes = story.parts.flatMap((p) => (p.cause === null ? [] : [p.cause]));
  const harm = (c: TruthCause) =>
    c.share * HARM[c.what] * Math.max(0, Math.min(c.to ?? now, asked.to) - Math.max(c.from, asked.from));
  return causes.sort((a, b) => harm(b) - harm(a));
}

export function planOf(name: string, seed: number, now: number): Plan {
  const kind = ALL[name];
  if (kind === undefined) throw new Error(`no such kind: ${name}`);
  const setting = settingOf(name, kind, seed, now);
  const { account, index, asked } = setting;
  const story = kind.tell(setting);
  const { zone } = story;
  const zones = Array.from({ length: zonesOf(account) }, (_, i) =>
    i === index ? zone : zoneOf(account, i, {}),
  );
  const causes = causesOf(story, asked, now);
  const starts = story.parts.flatMap((p) => p.effects.map((e) => e.from).concat(p.cause?.from ?? []));
  const known = [...(story.innocent ?? []), ...story.parts.flatMap((p) => p.changes)];
  const changes = (from: number, to: number) => {
    const others = backgroundChanges(account, zones, from, to).filter(
      // A change of the zone just before the trouble would be a cause to anybody, so there is none by chance.
      (c) => c.zoneId !== zone.id || !starts.some((at) => c.at > at - 60 * MINUTE && c.at < at + 10 * MINUTE),
    );
    return [...others, ...known.filter((c) => c.at >= from && c.at < to)].sort((a, b) => a.at - b.at);
  };
  const guilty = new Set(story.parts.flatMap((p) => p.changes));
  const kept = new Map<number, Traffic>();
  return {
    scene: {
      kind: name,
      seed,
      now,
      zone: { id: zone.id, name: zone.name, shieldZoneId: zone.shieldZoneId },
      verdict: causes.length === 0 ? 'calm' : 'wrong',
      causes,
      innocent: changes(now - 3 * DAY, now)
        .filter((c) => !guilty.has(c))
        .map(({ at, field }) => ({ at, field })),
      asked,
    },
    account,
    zones,
    changes,
    traffic: (of) => {
      const done = kept.get(of.id);
      if (done !== undefined) return done;
      const depth = of.inDepth();
      const own = of === zone;
      const swell = own && story.swell !== undefined ? story.swell : () => 1;
      const made: Traffic = {
        zone: of,
        depth,
        streams: [...baseStreams(of, depth, swell), ...(own ? story.parts.flatMap((p) => p.streams) : [])],
        effects: own ? story.parts.flatMap((p) => p.effects) : [],
      };
      kept.set(of.id, made);
      return made;
    },
  };
}
