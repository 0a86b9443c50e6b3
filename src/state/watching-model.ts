import type { Failure } from '../domain/failure.ts';
import type { Query } from '../domain/query/query.ts';
import type { Watch, WatchVerdict } from '../domain/watch/watch.ts';
import type { Zones } from '../domain/zone.ts';

/** What `--until` waits for on screen. It goes on whatever view is open, and over the query it was started with. */
export type Watching = {
  watch: Watch;
  query: Query;
  /** All of them together are judged; null until the zones of the command line are found. */
  zones: Zones | null;
  /** Minutes that begin here or later are judged, Unix ms. */
  since: number;
  /** What the last minute said; null before the first one. */
  verdict: WatchVerdict | null;
  /** Why the last minute could not be read. */
  failure: Failure | null;
  /** Why it rang; stays until Esc. */
  told: string | null;
};
