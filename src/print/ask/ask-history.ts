import { withHistory } from '../../api/history-client.ts';
import type { LogHistory, StoreRead } from '../../domain/logs/log-history.ts';
import type { Engine } from '../../store/engines/engine.ts';
import { StoreFailure } from '../../store/engines/store-failure.ts';
import { nearestHistory } from '../../store/filled-history.ts';
import { logHistory } from '../../store/log-history.ts';
import { say } from '../../text/say.ts';
import { bytes, counted, isoSecond } from '../../text/units.ts';
import type { PrintedFiles } from '../logs/log-archive.ts';
import type { Printer, StoreOpener } from '../printer.ts';
import { sayFailure } from '../store-guard.ts';

/** The store that answers for what is older than `until`, as a question asks it. */
export type AskedStore = {
  client: Printer['client'];
  until: number;
  /** Whom requests go to, in words. */
  name: string;
  /** Says what it read, and closes it. */
  conclude: () => Promise<void>;
};

/** Who has what is older than the platform keeps: a store, the platform's stored files, or both. */
export type Older = { open: StoreOpener | null; files: PrintedFiles | null };

/** The sources behind a question. */
export async function askedOlder(o: Printer, { open, files }: Older, until: number): Promise<AskedStore> {
  const store = open && (await askedStore(o, open, until));
  const history = nearestHistory(store?.history ?? null, files?.history ?? null) as LogHistory;
  return {
    client: withHistory(o.client, history, { clock: o.clock }),
    until,
    name: store ? 'to the store' : 'to stored files',
    async conclude() {
      await history.close();
      await store?.conclude();
      files?.conclude();
    },
  };
}

/** A store that does not open leaves its time unread, each time it is asked: whatever else is known is answered. */
async function askedStore(
  o: Printer,
  open: StoreOpener,
  until: number,
): Promise<{ history: LogHistory; conclude: () => Promise<void> }> {
  let first: Engine | StoreFailure;
  try {
    first = await open(false);
    say(
      o.stderr,
      `HISTORY ${first.place.dialect}: what is older than ${isoSecond(until)} comes from the store ${first.store}`,
    );
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    sayFailure(o, error);
    first = error;
  }
  const isOpen = !(first instanceof StoreFailure);
  const name = first instanceof StoreFailure ? 'of the profile' : first.store;
  let opened: Engine | null = first instanceof StoreFailure ? null : first;
  const history = logHistory({
    engine: first instanceof StoreFailure ? '' : first.place.dialect,
    name,
    clock: o.clock,
    async open() {
      if (first instanceof StoreFailure) throw first;
      const engine = opened ?? (await open(false));
      opened = null;
      return engine;
    },
  });
  const spent = { rows: 0, bytes: 0, answers: 0 };
  const spend = (read: StoreRead) => {
    spent.answers += 1;
    spent.rows += read?.rows ?? 0;
    spent.bytes += read?.bytes ?? 0;
  };
  return {
    history: metered(history, spend),
    async conclude() {
      // Opened, and asked nothing.
      await opened?.close();
      if (!isOpen) return;
      const read = spent.rows > 0 ? `${counted(spent.rows, 'row')}, ${bytes(spent.bytes)}, for ` : '';
      say(o.stderr, `the store ${read === '' ? 'gave' : 'read'} ${read}${counted(spent.answers, 'answer')}`);
    },
  };
}

/** The same store; `spend` is told of each answer what the engine read for it. */
function metered(history: LogHistory, spend: (read: StoreRead) => void): LogHistory {
  return {
    ...history,
    async page(...asked) {
      const answer = await history.page(...asked);
      if (answer.ok) spend(answer.value.read);
      return answer;
    },
    async count(...asked) {
      const answer = await history.count(...asked);
      if (answer.ok && 'counts' in answer.value) spend(answer.value.read);
      return answer;
    },
  };
}
