import type { Failure } from '../domain/failure.ts';
import type { Query } from '../domain/query/query.ts';
import type { Watch } from '../domain/questions/watch/watch.ts';
import type { WatchVerdict } from '../domain/questions/watch/watcher.ts';
import type { PullZone } from '../domain/zone.ts';

/** What `--until` waits for on screen. It goes on whatever view is open, and over the query it was started with. */
export type Watching = {
  watch: Watch;
  query: Query;
  /** Null until the zone of the command line is found. */
  zone: PullZone | null;
  /** Minutes that begin here or later are judged, Unix ms. */
  since: number;
  /** What the last minute said; null before the first one. */
  verdict: WatchVerdict | null;
  /** Why the last minute could not be read. */
  failure: Failure | null;
  /** Why it rang; stays until Esc. */
  told: string | null;
};
